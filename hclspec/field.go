// SPDX-License-Identifier: MPL-2.0

package hclspec

import "math"

// Field describes one field of the model. The decoders, the JSON Schema, the
// language documentation and the planner use the same table of fields. A test
// checks by reflection that the table covers each field of the model.
type Field struct {
	// Name is the spelling in HCL, JSON and paths.
	Name string
	// Protocol is the spelling in the job protocol, or "" if the field does
	// not exist there. A path such as "extras.hivedScheduler" starts at the
	// job.
	Protocol string
	// Go is the name of the struct field.
	Go   string
	Kind Kind
	// Block describes the nested block or blocks.
	Block *Block

	Required bool
	// Default is an int, bool or string. The decoders set this value, and the
	// documentation shows it. nil means the zero value.
	Default any
	// Values is the list of accepted values of an enumeration.
	Values []string
	// Resolved is the list of accepted values of a String field that the resolver
	// checks. [CheckField] ignores this list, because the resolver's diagnostics
	// are more detailed. The JSON Schema also contains these values.
	Resolved []string
	// Min and Max are the bounds of an integer; every integer field has both.
	// Without bounds in the protocol, Min and Max are the bounds of a 32-bit
	// integer, because a Framework stores 32-bit integers.
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
	// Effect is the effect that a changed value has on an existing job.
	Effect Effect

	// ExtraKeys is set on an AnyMap for the protocol keys without a field in
	// the model. It is the name of the mapping that contains these keys, or
	// [ExtraKeysOfBlock] for the block itself.
	ExtraKeys string
	// AlsoNumber is set for a String that users often write as a number.
	AlsoNumber bool
	// AlwaysWritten is set if protocol YAML contains the field even if it has
	// its default value.
	AlwaysWritten bool
	// Current converts an older name of a value to the current name. Current is
	// nil if no value of the field has an older name.
	Current func(string) string
	// Plural is the Terraform name of a list of blocks. If Plural is empty,
	// the name of the list is Name followed by "s", or Name if Name is
	// already plural.
	Plural string

	// Doc is one or two sentences for the documentation.
	Doc string
}

// ExtraKeysOfBlock is the value of [Field.ExtraKeys] for keys in the block
// itself.
const ExtraKeysOfBlock = "."

// Format is a rule that determines whether two strings are equivalent.
type Format int

// The formats.
const (
	FormatText     Format = iota // only identical strings are equivalent
	FormatImage                  // docker.io/library/debian is debian:latest
	FormatQuantity               // 1Ti is 1024Gi
	// FormatDuration is a duration (90m is 1h30m). A string with template
	// variables or references is a duration only after they are filled in.
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
	OptionalInt  // *int; null and absent are equivalent
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

// Effect is the effect that a changed field has on an existing job.
type Effect string

// The effects, from the weakest to the strongest. The zero value means
// EffectReplace.
const (
	EffectNone    Effect = "none"     // apply patches or records the field without a restart
	EffectInPlace Effect = "in-place" // apply changes the running job
	EffectReplace Effect = "replace"  // apply deletes the job and creates it again
)

// AlsoList reports whether a list attribute of names or objects may replace the
// nested blocks. This applies to fields whose name is the plural of their block
// type.
func (f *Field) AlsoList() bool {
	return f.Kind == Objects && f.Name == f.Block.Name+"s"
}

// PluralName returns the Terraform name of the list of nested blocks.
func (f *Field) PluralName() string {
	switch {
	case f.Plural != "":
		return f.Plural
	case f.AlsoList():
		return f.Name
	}
	return f.Name + "s"
}

// BlockType returns the HCL block type of the field's nested blocks.
func (f *Field) BlockType() string {
	if f.AlsoList() {
		return f.Block.Name
	}
	return f.Name
}

func bound(n int) *int { return &n }

// maxInt32 is the largest integer that a Framework accepts.
var maxInt32 = bound(math.MaxInt32)

// namePattern is the pattern of job, prerequisite and deployment names.
const namePattern = `^[a-zA-Z0-9_-]+$`

// directoryPattern is the pattern of directories in the workspace. No part
// begins with a dot, which excludes .git, .openpai and "..".
const directoryPattern = `^[a-zA-Z0-9_-][a-zA-Z0-9._-]*(/[a-zA-Z0-9_-][a-zA-Z0-9._-]*)*$`

// rolePattern is the pattern of task role names and port labels.
const rolePattern = `^[a-zA-Z_][a-zA-Z0-9_]*$`
