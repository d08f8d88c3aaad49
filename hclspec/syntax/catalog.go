// SPDX-License-Identifier: MPL-2.0

package syntax

import "github.com/openpai/terraform-provider-openpai/hclspec"

// Diagnostics from the HCL library, which provides their text.
var (
	InvalidSyntax = hclspec.DefineError("invalid-syntax", "Invalid syntax",
		"A file is not valid HCL, or a JSON file does not follow HCL's JSON syntax. The summary shows the parser error, such as an unclosed quote or bracket. Fix this error first; it may hide others.")
	InvalidExpression = hclspec.DefineError("invalid-expression", "Invalid expression",
		"An expression cannot be evaluated. The summary shows the reason, such as an unknown function or a wrong argument.")
)

// Diagnostics about the shape of a block, in every syntax.
var (
	UnknownBlock = hclspec.DefineError("unknown-block", "Unknown block",
		"A block of this type is not allowed here.")
	WrongLabels = hclspec.DefineError("wrong-labels", "Wrong number of labels",
		"Each block type requires a fixed number of labels, for example job \"name\" { } or prerequisite \"type\" \"name\" { }.")
	MissingBlock = hclspec.DefineError("missing-block", "Missing block",
		"A block lacks a required nested block.")
)

// Diagnostics about references and HCL expressions.
var (
	UnknownReference = hclspec.DefineError("unknown-reference", "Unknown reference",
		"An expression refers to a name that no block declares.")
	ShellVariable = hclspec.DefineError("shell-variable", "Shell variable in a template",
		"HCL evaluates ${ } when it reads the file. Write a shell variable as $NAME, or as $${NAME} if it needs braces.")
	ReferenceCycle = hclspec.DefineError("reference-cycle", "Circular reference",
		"Values refer to each other in a cycle, so none of them can be evaluated first.")
	ReferencesTooDeep = hclspec.DefineError("references-too-deep", "Too many references in a chain",
		"A value may depend on a chain of at most 500 other values.")
	TooManyRounds = hclspec.DefineError("too-many-rounds", "Loops compute too much",
		"The `for` expressions inside a single expression may compute at most 64 MiB in total. Each iteration counts as 256 bytes plus the size of its result. In nested loops, the numbers of iterations multiply. Reduce the number of elements in the inner loop, or compute the result in a script.")
	SecretChanged = hclspec.DefineError("secret-changed", "Secret value used in an expression",
		"secret.x and sensitive variables refer to values that are known only where the job runs. A string can contain them, but expressions cannot change, measure or compare them.")
	SecretNotFromVariable = hclspec.DefineError("secret-not-from-variable", "Secret value in the configuration",
		"The \"value\" argument of a secret block accepts only a sensitive variable, so that shared files contain no secrets. For other sources, use env, file or kubernetes.")
	InvalidForEach = hclspec.DefineError("invalid-for-each", "Invalid for_each",
		"for_each requires a map or a set of strings. The map keys or set elements must not depend on secrets. Use toset() to convert a list to a set.")
	InvalidAddress = hclspec.DefineError("invalid-address", "Invalid address",
		"A moved block requires the addresses of either two jobs, for example job.old and module.x.job.new, or two modules. Prerequisites and storages cannot move, because they are parts of the jobs that use them.")
)

// Diagnostics about variables.
var (
	InvalidVariableValue = hclspec.DefineError("invalid-variable-value", "Invalid value for a variable",
		"The value cannot be parsed, or does not have the type that the variable block declares.")
	UndeclaredVariable = hclspec.DefineError("undeclared-variable", "Value for an undeclared variable",
		"A value is set for a variable that is not declared. Declare the variable in a variable block, or as a parameter of a protocol YAML job. Secrets cannot be set this way.")
	VariableNotValid = hclspec.DefineError("variable-not-valid", "Variable value fails validation",
		"A validation block of the variable rejects the value.")
	InvalidValidation = hclspec.DefineError("invalid-validation", "Invalid validation",
		"The condition of a validation block must return a bool for every value of the variable.")
	SensitiveNotText = hclspec.DefineError("sensitive-not-text", "Sensitive variable has an unsupported type",
		"A sensitive variable becomes one secret, so its type must be string, number or bool.")
)

// Diagnostics about modules.
var (
	ModuleForbiddenBlock = hclspec.DefineError("module-forbidden-block", "Block is not allowed in a module",
		"A module may contain variable, locals, secret, prerequisite, storage, job, output, module and moved blocks. openpai, cluster, marketplace, policy and protocol blocks are allowed only in the root of the workspace.")
	ModuleCycle = hclspec.DefineError("module-cycle", "Modules call each other in a cycle",
		"A module calls itself, directly or through other modules.")
	ModuleLimit = hclspec.DefineError("module-limit", "Too many modules",
		"Modules may be nested at most 10 levels deep, and a workspace may contain at most 1,000 modules. Each for_each instance counts as a module.")
)

// Diagnostics of the scan that runs before the parser. The limits bound the
// time and memory for a hostile or generated file.
var (
	NestingTooDeep = hclspec.DefineError("nesting-too-deep", "Nesting is too deep",
		"Brackets, blocks and templates may be nested at most 500 levels deep. Keep generated structures in a file and read them with jsondecode(file()) or yamldecode(file()).")
	HeredocTooLong = hclspec.DefineError("heredoc-too-long", "Text is too long",
		"A heredoc may have at most 20,000 lines. The limit is lower if the lines are long. Put longer text into a separate file and read it with file().")
	ExpressionTooLong = hclspec.DefineError("expression-too-long", "Expression is too long",
		"One expression may have at most 2,000 consecutive operators. Split it with locals.")
	NotUTF8 = hclspec.DefineError("not-utf8", "Not UTF-8 text",
		"Configuration files must be UTF-8 text. Save the file in UTF-8.")
	SourceTooLarge = hclspec.DefineError("source-too-large", "Source is too large",
		"A source may have at most 5 MiB and 200,000 tokens. A number may have at most 10,000 digits. Keep large text in a separate file and read it with file().")
)
