package hclspec

// Findings of HCL itself, in its own words.
var (
	InvalidSyntax = defineError("invalid-syntax", "Invalid syntax",
		"A file is not HCL, or not JSON as HCL reads it. The summary says what the parser found, such as an open quote or bracket; further mistakes show when this one is mended.")
	InvalidExpression = defineError("invalid-expression", "Invalid expression",
		"An expression cannot be computed. The summary says why, such as a function that is not known or was called with a wrong argument.")
)

// Findings about the shape of a block, in every syntax.
var (
	UnknownArgument = defineError("unknown-argument", "Unknown argument",
		"A block holds an argument that it does not know. Every protocol field has one spelling in HCL: snake_case of the protocol's name, with few exceptions such as image and resources.")
	UnknownBlock = defineError("unknown-block", "Unknown block",
		"A block stands where no block of that type is known.")
	WrongLabels = defineError("wrong-labels", "Wrong number of labels",
		"A block is written with labels, or without them, as its type demands: job \"name\" { }, prerequisite \"type\" \"name\" { }.")
	MissingArgument = defineError("missing-argument", "Missing argument",
		"A block lacks an argument that it needs, or its value is null.")
	MissingBlock = defineError("missing-block", "Missing block",
		"A block lacks a nested block that it needs.")
	WrongType = defineError("wrong-type", "Wrong type of value",
		"A value has another type than the field takes: a number where a text stands, one value where a list stands.")
	ValueNotAllowed = defineError("value-not-allowed", "Value is not allowed",
		"The field takes one of a few values.")
	ValueOutOfRange = defineError("value-out-of-range", "Value is out of range",
		"A number is smaller or larger than the field allows, or a list that must hold something is empty.")
	InvalidSpelling = defineError("invalid-spelling", "Invalid spelling",
		"A name or text does not have the form that the field demands.")
	DuplicateDeclaration = defineError("duplicate-declaration", "Declared twice",
		"Two blocks declare the same thing. Both positions are shown; rename or remove one.")
)

// Findings about references and expressions of HCL.
var (
	UnknownReference = defineError("unknown-reference", "Unknown reference",
		"An expression names something that no block declares.")
	ShellVariable = defineError("shell-variable", "Shell variable in a template",
		"In HCL ${ } is replaced when the file is read. A variable of the shell is written as $NAME, or as $${NAME} where braces are needed.")
	ReferenceCycle = defineError("reference-cycle", "Circular reference",
		"Values refer to each other in a circle, so that none of them can be computed first.")
	ReferencesTooDeep = defineError("references-too-deep", "Too many references in a chain",
		"A value may depend on a chain of 500 others.")
	ResultTooLarge = defineError("result-too-large", "Computed value is too large",
		"A value that an expression computes, and a text with its references filled in, may have 4 MB; all texts of a job that were filled in may have 16 MB. Keep large text in a file of its own, and let the task fetch it.")
	TooManyRounds = defineError("too-many-rounds", "Loops that compute too much",
		"The for expressions of one expression may compute 64 MB, all rounds together; a round counts as 256 bytes and what it gives. Loops in loops multiply: let the inner one go over fewer elements, or compute the table in a script.")
	SecretChanged = defineError("secret-changed", "Secret cannot be computed with",
		"secret.x and sensitive variables stand for a value that is known only where the job runs. They can be put into a text as they are, but not changed, measured or compared.")
	SecretNotFromVariable = defineError("secret-not-from-variable", "Secret value in the configuration",
		"The value argument of a secret block takes a sensitive variable only, so that no secret is written into a file that is shared. Use env, file or kubernetes.")
	InvalidForEach = defineError("invalid-for-each", "Invalid for_each",
		"for_each takes a map or a set of texts whose keys are known without secrets. A list is turned into a set with toset().")
	InvalidAddress = defineError("invalid-address", "Invalid address",
		"moved takes the addresses of two jobs, such as job.old and job.new. Nothing else exists under its address: prerequisites and storages are parts of the jobs that use them.")
)

// Findings about variables.
var (
	InvalidVariableValue = defineError("invalid-variable-value", "Invalid value for a variable",
		"The value given for a variable is not of its type, or cannot be read.")
	MissingVariableValue = defineError("missing-variable-value", "No value for a variable",
		"A variable without default needs a value: PAI_VAR_name in the environment, a line in a *.paivars.hcl file, or --var name=value.")
	UndeclaredVariable = defineError("undeclared-variable", "Value for an undeclared variable",
		"A value was given for a variable that no variable block declares.")
	VariableNotValid = defineError("variable-not-valid", "Value of a variable was refused",
		"A validation block of the variable refuses the value.")
	InvalidValidation = defineError("invalid-validation", "Invalid validation",
		"The condition of a validation block gives true or false for every value of the variable.")
	SensitiveNotText = defineError("sensitive-not-text", "Sensitive variable is not a text",
		"A sensitive variable becomes one secret, so its type is string, number or bool.")
)

// Findings of the scan before the parser. The limits keep reading a hostile or
// generated file within bounded time and memory.
var (
	NestingTooDeep = defineError("nesting-too-deep", "Nesting is too deep",
		"Brackets, blocks and templates may be nested 500 deep. Keep generated structures in a file and read them with jsondecode(file()) or yamldecode(file()).")
	HeredocTooLong = defineError("heredoc-too-long", "Text is too long",
		"A heredoc may have 20,000 lines, and fewer when they are long. Keep longer text in a file of its own and read it with file().")
	ExpressionTooLong = defineError("expression-too-long", "Expression is too long",
		"One expression may have 2,000 operators in a row. Split it with locals.")
	NotUTF8 = defineError("not-utf8", "Not UTF-8 text",
		"Configuration is UTF-8 text. Save the file in that encoding.")
	SourceTooLarge = defineError("source-too-large", "Source is too large",
		"A source may have 5 MB and 200,000 symbols: names, values, signs. A number may have 10,000 digits. Keep large text in a file of its own and read it with file().")
)
