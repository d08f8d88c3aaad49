// SPDX-License-Identifier: MPL-2.0

package hclspec

// Diagnostics about the shape of a block, in every syntax.
var (
	UnknownArgument = DefineError("unknown-argument", "Unknown argument",
		"A block holds an argument that it does not know. Every protocol field has one spelling in HCL: snake_case of the protocol's name, with few exceptions such as image and resources.")
	MissingArgument = DefineError("missing-argument", "Missing argument",
		"A block lacks an argument that it needs, or its value is null.")
	WrongType = DefineError("wrong-type", "Wrong type of value",
		"A value has another type than the field takes: a number where a text stands, one value where a list stands.")
	ValueNotAllowed = DefineError("value-not-allowed", "Value is not allowed",
		"The field takes one of a few values.")
	ValueOutOfRange = DefineError("value-out-of-range", "Value is out of range",
		"A number is smaller or larger than the field allows, or a list that must hold something is empty.")
	InvalidSpelling = DefineError("invalid-spelling", "Invalid spelling",
		"A name or text does not have the form that the field demands.")
	DuplicateDeclaration = DefineError("duplicate-declaration", "Declared twice",
		"Two blocks declare the same thing. Both positions are shown; rename or remove one.")
)

// ResultTooLarge covers references and HCL expressions.
var ResultTooLarge = DefineError("result-too-large", "Computed value is too large",
	"A value that an expression computes, and a text with its references filled in, may have 4 MB; all texts of a job that were filled in may have 16 MB. Keep large text in its own file, and let the task fetch it.")
