// SPDX-License-Identifier: MPL-2.0

package hclspec

// Diagnostics about the shape of a block, in every syntax.
var (
	UnknownArgument = DefineError("unknown-argument", "Unknown argument",
		"A block contains an unknown argument. With few exceptions, such as `image` and `resources`, the HCL name of a protocol field is its protocol name in snake_case.")
	MissingArgument = DefineError("missing-argument", "Missing argument",
		"A required argument of a block is missing or null.")
	WrongType = DefineError("wrong-type", "Wrong type of value",
		"The type of a value does not match the field. For example, the value is a number instead of a string, or a single value instead of a list.")
	ValueNotAllowed = DefineError("value-not-allowed", "Value is not allowed",
		"The field accepts only certain values.")
	ValueOutOfRange = DefineError("value-out-of-range", "Value is out of range",
		"A number is smaller or larger than the field allows, or a list that must not be empty is empty.")
	InvalidSpelling = DefineError("invalid-spelling", "Invalid spelling",
		"A name or string does not have the form that the field requires.")
	DuplicateDeclaration = DefineError("duplicate-declaration", "Declared twice",
		"Two declarations have the same name. The error shows both positions; rename or remove one of the declarations.")
)

// ResultTooLarge is the error for a value that is too large: the result of an
// HCL expression, or a string after its references are filled in.
var ResultTooLarge = DefineError("result-too-large", "Computed value is too large",
	"The value of an expression can be at most 4 MiB. A string with references can be at most 4 MiB after the references are filled in. All such strings in a job can total at most 16 MiB. Put large text in a separate file that the task fetches.")
