// SPDX-License-Identifier: MPL-2.0

package hclspec

import "math"

// Field describes one field of the model in one place. The HCL and YAML decoders,
// the JSON Schema, the language documentation and the planner use the table. A test
// checks by reflection that the table covers each field of the model.
type Field struct {
	// Name is the spelling in HCL, JSON and paths.
	Name string
	// Protocol is the spelling in the job protocol, or "" if the protocol does
	// not have the field. A path such as "extras.hivedScheduler" starts at the
	// job.
	Protocol string
	// Go is the name of the struct field.
	Go   string
	Kind Kind
	// Block describes the nested block or blocks.
	Block *Block

	Required bool
	// Default is the value that the documentation shows and the decoders set:
	// an int, bool or string. nil means the zero value.
	Default any
	// Values lists the accepted values of an enumeration.
	Values []string
	// Resolved lists the accepted values of a String field that the resolver checks
	// instead of [CheckField], because the diagnostics of the resolver are more detailed.
	// The JSON Schema lists them as well.
	Resolved []string
	// Min and Max bound integers; every integer field has both. If the protocol
	// sets no bounds, Min and Max are the bounds of the Framework's 32-bit
	// integers.
	Min, Max *int
	// Pattern is a regular expression that a String, or each key of a map, must
	// match.
	Pattern string
	// NonEmpty is set if the protocol rejects an empty list or mapping. In
	// other syntaxes, an empty list or map is equivalent to an omitted list or
	// map.
	NonEmpty bool
	// Format determines which strings are equivalent.
	Format Format
	// Effect is the effect of a change on an existing job.
	Effect Effect

	// ExtraKeys is set on an AnyMap that stores the protocol keys without a
	// field. It is the name of the mapping with these keys, or
	// [ExtraKeysOfBlock] for the block itself.
	ExtraKeys string
	// AlsoNumber is set for a String that users often write as a number.
	AlsoNumber bool
	// AlwaysWritten is set if the protocol writes the field even at its
	// default.
	AlwaysWritten bool
	// Current returns the current name of a value that has older names. It is nil
	// if the field has no values with older names.
	Current func(string) string
	// Plural is the name of a list of blocks in Terraform. If Plural is empty,
	// the name of the list is Name with an s, or Name if Name is already
	// plural.
	Plural string

	// Doc is one or two sentences for the documentation.
	Doc string
}

// ExtraKeysOfBlock is the value of [Field.ExtraKeys] for keys of the block
// itself.
const ExtraKeysOfBlock = "."

// Format is a rule that determines whether two strings are equivalent.
type Format int

// The formats.
const (
	FormatText     Format = iota // only identical strings are equivalent
	FormatImage                  // docker.io/library/debian is debian:latest
	FormatQuantity               // 1Ti is 1024Gi
	// FormatDuration is a duration (90m is 1h30m), or a string that becomes a
	// duration when its template variables and references are filled in.
	FormatDuration
)

// Kind is the shape of a field.
type Kind int

// The kinds. In HCL, the last three kinds are nested blocks; all other kinds
// are attributes.
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
	Refs           // []Reference; an element may be an object { use, with }
	StorageUses    // []*StorageUse; elements are objects { use, mount_path, read_only }
	Text           // *Sensitive
	Object         // one nested block
	OptionalObject // at most one nested block; the Go field is a pointer
	Objects        // any number of nested blocks, with the labels of Block
)

// Effect is the effect of a changed field on an existing job.
type Effect string

// The effects, from the weakest to the strongest. The zero value means
// EffectReplace.
const (
	EffectNone    Effect = "none"     // apply patches or records the field and restarts nothing
	EffectInPlace Effect = "in-place" // apply changes the running job
	EffectReplace Effect = "replace"  // apply deletes the job and creates it again
)

// AlsoList reports whether the nested blocks of a field may also be written as
// a list attribute of names or objects. This holds for fields whose name is the
// plural of their block type.
func (f *Field) AlsoList() bool {
	return f.Kind == Objects && f.Name == f.Block.Name+"s"
}

// PluralName returns the name of the list of nested blocks in Terraform.
func (f *Field) PluralName() string {
	switch {
	case f.Plural != "":
		return f.Plural
	case f.AlsoList():
		return f.Name
	}
	return f.Name + "s"
}

// BlockType returns the block type of the nested blocks of a field in HCL.
func (f *Field) BlockType() string {
	if f.AlsoList() {
		return f.Block.Name
	}
	return f.Name
}

func bound(n int) *int { return &n }

// maxInt32 is the largest integer of a Framework.
var maxInt32 = bound(math.MaxInt32)

// namePattern is the pattern of job, prerequisite and deployment names.
const namePattern = `^[a-zA-Z0-9_-]+$`

// directoryPattern is the pattern of directories in the workspace. No part
// begins with a dot, which excludes .git, .openpai and "..".
const directoryPattern = `^[a-zA-Z0-9_-][a-zA-Z0-9._-]*(/[a-zA-Z0-9_-][a-zA-Z0-9._-]*)*$`

// rolePattern is the pattern of task role names and port labels.
const rolePattern = `^[a-zA-Z_][a-zA-Z0-9_]*$`
