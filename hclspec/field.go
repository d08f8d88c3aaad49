package hclspec

import "math"

// Field describes one field of the model, once. The table drives the HCL and
// YAML decoders, the JSON Schema, the language documentation and the effect of
// a change; a test proves by reflection that no field of the model is missing.
type Field struct {
	// Name is the spelling in HCL, JSON and paths.
	Name string
	// Protocol is the spelling in the job protocol, "" where the protocol has
	// no such field. A path such as "extras.hivedScheduler" starts at the job.
	Protocol string
	// Go is the name of the struct field.
	Go   string
	Kind Kind
	// Block describes the nested object or objects.
	Block *Block

	Required bool
	// Default is shown in the documentation and set by the decoders: an int,
	// bool or string. nil is the zero value.
	Default any
	// Values lists what an enumeration accepts.
	Values []string
	// Resolved lists what the resolver accepts where it checks a String itself,
	// with diagnostics that say more. The JSON Schema lists them as well.
	Resolved []string
	// Min and Max bound integers; all have both. Where the protocol has no
	// bounds they are those of the Framework's integers of 32 bits.
	Min, Max *int
	// Pattern must match a String, map keys included.
	Pattern string
	// NonEmpty says that the protocol refuses a list or mapping that holds
	// nothing. In other syntaxes that is the same as leaving it out.
	NonEmpty bool
	// Format compares the strings that the field accepts.
	Format Format
	// Effect is what a change does to a job that exists.
	Effect Effect

	// ProtocolOnly is set where HCL has another way to write the same.
	ProtocolOnly bool
	// ExtraKeys is set on an AnyMap that holds the keys of the protocol without a
	// field: it names their mapping, KeepsBlock for the block itself.
	ExtraKeys string
	// AlsoNumber is set on a String that is often written as a number.
	AlsoNumber bool
	// AlwaysWritten is set on what the protocol shows also at its default.
	AlwaysWritten bool
	// Current returns the current name of a value that has older ones; nil
	// where no value has.
	Current func(string) string
	// Plural is the name of a list of blocks in Terraform; empty: Name with an
	// s, unless it is a plural already.
	Plural string

	// Doc is one or two sentences for the documentation.
	Doc string
}

// ExtraKeysOfBlock is the value of [Field.Keeps] for keys of the block itself.
const ExtraKeysOfBlock = "."

// Format is a rule by which two strings can mean the same.
type Format int

// The formats.
const (
	FormatText     Format = iota // only equal strings are the same
	FormatImage                  // docker.io/library/debian is debian:latest
	FormatQuantity               // 1Ti is 1024Gi
	// FormatDuration is a duration, 90m is 1h30m, or text with template variables
	// and references that is one once they are filled in.
	FormatDuration
)

// Kind is the shape of a field.
type Kind int

// The kinds. In HCL the last three are nested blocks, the others attributes.
const (
	String Kind = iota
	Bool
	Int
	OptionalInt  // *int: null and absent are the same
	OptionalBool // *bool
	OptionalString
	Dur            // Duration, "1h30m"
	Strings        // []string
	OneOrMore      // []string written as a string or a list
	StringMap      // map[string]string
	IntMap         // map[string]int
	Any            // any free value
	AnyList        // []any
	AnyMap         // map[string]any
	Ref            // Reference: a name, an address or a URI
	Refs           // []Reference, elements may be objects with use and with
	StorageUses    // []*StorageUse, elements are objects with use, mount_path, read_only
	Text           // *Sensitive
	Object         // one nested block
	OptionalObject // at most one nested block, a pointer
	Objects        // any number of nested blocks, with the labels of Block
)

// Effect is what a changed field does to a job that exists.
type Effect string

// The effects, from the weakest to the strongest. The zero value means
// EffectReplace.
const (
	EffectNone    Effect = "none"     // patched or recorded, nothing restarts
	EffectInPlace Effect = "in-place" // applied to the running job
	EffectReplace Effect = "replace"  // the job is deleted and created again
)

// AlsoList reports whether the nested blocks of a field may be written as an
// argument of its name, which lists names or objects: those whose field is the
// plural of the block.
func (f *Field) AlsoList() bool {
	return f.Kind == Objects && f.Name == f.Block.Name+"s"
}

// PluralName is what the list of the nested blocks of a field is called in
// Terraform.
func (f *Field) PluralName() string {
	switch {
	case f.Plural != "":
		return f.Plural
	case f.AlsoList():
		return f.Name
	}
	return f.Name + "s"
}

// BlockType is what the nested blocks of a field are called in HCL.
func (f *Field) BlockType() string {
	if f.AlsoList() {
		return f.Block.Name
	}
	return f.Name
}

func bound(n int) *int { return &n }

// maxInt32 is the largest integer of a Framework.
var maxInt32 = bound(math.MaxInt32)

// namePattern is that of job, prerequisite and deployment names.
const namePattern = `^[a-zA-Z0-9_-]+$`

// directoryPattern is that of directories below the workspace. No part begins with
// a dot, so that none is .git, .openpai or "..".
const directoryPattern = `^[a-zA-Z0-9_-][a-zA-Z0-9._-]*(/[a-zA-Z0-9_-][a-zA-Z0-9._-]*)*$`

// rolePattern is that of task role names and port labels.
const rolePattern = `^[a-zA-Z_][a-zA-Z0-9_]*$`
