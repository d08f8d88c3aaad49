package hclspec

// The blocks below are at the top of a file and are decoded by separate
// rules: what they declare is used up when the model exists.

// OpenPAIBlock describes the settings of the workspace itself.
var OpenPAIBlock = &Block{
	Name: "openpai", Type: typeOf[Workspace](),
	Doc: "Settings of the workspace; at most one in all files.",
	Fields: []Field{
		{Name: "workspace", Go: "Name", Kind: String, Pattern: namePattern, Effect: EffectNone, Doc: "Name of the set of jobs that are managed together. Needed with a Kubernetes cluster."},
		{Name: "required_version", Go: "RequiredVersion", Kind: String, Effect: EffectNone, Doc: "Versions of openpai that may read these files, such as \">= 0.1\"."},
	},
}

// VariableBlock describes an input value of a workspace.
var VariableBlock = &Block{
	Name: "variable", Labels: []string{"Name"}, Type: typeOf[Variable](),
	Doc: "A value that is given from outside, as var.<name>.",
	Fields: []Field{
		{Name: "type", Go: "Type", Kind: String, Effect: EffectNone, Doc: "Type of the value, such as string or list(number). Any value when absent."},
		{Name: "default", Go: "HasDefault", Kind: Any, Effect: EffectNone, Doc: "Value when none is given. Without one a value is required."},
		{Name: "description", Go: "Description", Kind: String, Effect: EffectNone, Doc: "What the value is for."},
		{Name: "sensitive", Go: "Sensitive", Kind: Bool, Effect: EffectNone, Doc: "Whether the value is a secret."},
		{Name: "validation", Kind: Objects, Block: validationBlock, Effect: EffectNone, Doc: "Conditions that the value must meet."},
	},
}

var validationBlock = &Block{
	Name: "validation",
	Doc:  "A condition that the value of a variable must meet.",
	Fields: []Field{
		{Name: "condition", Kind: Any, Required: true, Effect: EffectNone, Doc: "Expression over the variable that is true for good values."},
		{Name: "error_message", Kind: String, Required: true, Effect: EffectNone, Doc: "Message shown for a bad value."},
	},
}

// MovedBlock describes a job that got another address.
var MovedBlock = &Block{
	Name: "moved", Type: typeOf[Moved](),
	Doc: "Reports that a job got another address, so that what runs is kept.",
	Fields: []Field{
		{Name: "from", Go: "From", Kind: Ref, Required: true, Effect: EffectNone, Doc: "The former address, such as job.old."},
		{Name: "to", Go: "To", Kind: Ref, Required: true, Effect: EffectNone, Doc: "The address now, such as job.new."},
	},
}
