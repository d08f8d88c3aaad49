// SPDX-License-Identifier: MPL-2.0

package syntax

import "github.com/openpai/terraform-provider-openpai/hclspec"

// Diagnostics of the HCL library, with its own text.
var (
	InvalidSyntax = hclspec.DefineError("invalid-syntax", "Invalid syntax",
		"A file is not HCL, or not JSON as HCL reads it. The summary says what the parser found, such as an open quote or bracket; further mistakes show when this one is fixed.")
	InvalidExpression = hclspec.DefineError("invalid-expression", "Invalid expression",
		"An expression cannot be computed. The summary says why, such as a function that is not known or was called with a wrong argument.")
)

// Diagnostics about the shape of a block, in every syntax.
var (
	UnknownBlock = hclspec.DefineError("unknown-block", "Unknown block",
		"A block is where no block of that type is known.")
	WrongLabels = hclspec.DefineError("wrong-labels", "Wrong number of labels",
		"A block is written with labels, or without them, as its type demands: job \"name\" { }, prerequisite \"type\" \"name\" { }.")
	MissingBlock = hclspec.DefineError("missing-block", "Missing block",
		"A block lacks a nested block that it needs.")
)

// Diagnostics about references and HCL expressions.
var (
	UnknownReference = hclspec.DefineError("unknown-reference", "Unknown reference",
		"An expression names something that no block declares.")
	ShellVariable = hclspec.DefineError("shell-variable", "Shell variable in a template",
		"In HCL ${ } is replaced when the file is read. A variable of the shell is written as $NAME, or as $${NAME} where braces are needed.")
	ReferenceCycle = hclspec.DefineError("reference-cycle", "Circular reference",
		"Values refer to each other in a circle, so that none of them can be computed first.")
	ReferencesTooDeep = hclspec.DefineError("references-too-deep", "Too many references in a chain",
		"A value may depend on a chain of 500 others.")
	TooManyRounds = hclspec.DefineError("too-many-rounds", "Loops that compute too much",
		"The for expressions of one expression may compute 64 MB, all rounds together; a round counts as 256 bytes and what it gives. Loops in loops multiply: let the inner one go over fewer elements, or compute the table in a script.")
	SecretChanged = hclspec.DefineError("secret-changed", "Secret cannot be computed with",
		"secret.x and sensitive variables stand for a value that is known only where the job runs. They can be put into a text as they are, but not changed, measured or compared.")
	SecretNotFromVariable = hclspec.DefineError("secret-not-from-variable", "Secret value in the configuration",
		"The value argument of a secret block takes a sensitive variable only, so that no secret is written into a file that is shared. Use env, file or kubernetes.")
	InvalidForEach = hclspec.DefineError("invalid-for-each", "Invalid for_each",
		"for_each takes a map or a set of texts whose keys are known without secrets. A list is turned into a set with toset().")
	InvalidAddress = hclspec.DefineError("invalid-address", "Invalid address",
		"moved takes the addresses of two jobs, such as job.old and module.x.job.new, or of two modules. Nothing else exists under its address: prerequisites and storages are parts of the jobs that use them.")
)

// Diagnostics about variables.
var (
	InvalidVariableValue = hclspec.DefineError("invalid-variable-value", "Invalid value for a variable",
		"The value given for a variable is not of its type, or cannot be read.")
	MissingVariableValue = hclspec.DefineError("missing-variable-value", "No value for a variable",
		"A variable without default needs a value: PAI_VAR_name in the environment, a line in a *.paivars.hcl file, or --var name=value.")
	UndeclaredVariable = hclspec.DefineError("undeclared-variable", "Value for an undeclared variable",
		"A value was given for a variable that no variable block declares and for no parameter of a job in protocol YAML. Secrets are never set this way.")
	VariableNotValid = hclspec.DefineError("variable-not-valid", "Value of a variable was refused",
		"A validation block of the variable refuses the value.")
	InvalidValidation = hclspec.DefineError("invalid-validation", "Invalid validation",
		"The condition of a validation block returns a bool for every value of the variable.")
	SensitiveNotText = hclspec.DefineError("sensitive-not-text", "Sensitive variable is not a text",
		"A sensitive variable becomes one secret, so its type is string, number or bool.")
)

// Diagnostics about modules.
var (
	ModuleForbiddenBlock = hclspec.DefineError("module-forbidden-block", "Block does not belong in a module",
		"A module holds variable, locals, secret, prerequisite, storage, job, output, module and moved blocks. openpai, cluster, marketplace, policy and protocol blocks are part of the root of the workspace.")
	ModuleCycle = hclspec.DefineError("module-cycle", "Modules call each other in a circle",
		"A module calls itself, directly or through other modules.")
	ModuleLimit = hclspec.DefineError("module-limit", "Too many modules",
		"Modules may be nested 10 deep, and a workspace may have 1,000 of them; each instance of for_each counts.")
)

// Diagnostics of the scan before the parser. The limits bound the time and
// memory for a hostile or generated file.
var (
	NestingTooDeep = hclspec.DefineError("nesting-too-deep", "Nesting is too deep",
		"Brackets, blocks and templates may be nested 500 deep. Keep generated structures in a file and read them with jsondecode(file()) or yamldecode(file()).")
	HeredocTooLong = hclspec.DefineError("heredoc-too-long", "Text is too long",
		"A heredoc may have 20,000 lines, and fewer when they are long. Keep longer text in its own file and read it with file().")
	ExpressionTooLong = hclspec.DefineError("expression-too-long", "Expression is too long",
		"One expression may have 2,000 operators in a row. Split it with locals.")
	NotUTF8 = hclspec.DefineError("not-utf8", "Not UTF-8 text",
		"Configuration is UTF-8 text. Save the file in that encoding.")
	SourceTooLarge = hclspec.DefineError("source-too-large", "Source is too large",
		"A source may have 5 MB and 200,000 symbols: names, values, signs. A number may have 10,000 digits. Keep large text in its own file and read it with file().")
)
