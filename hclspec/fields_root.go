// SPDX-License-Identifier: MPL-2.0

package hclspec

// Separate rules decode the top-level blocks below, because their declarations
// are used up before the model exists.

// OpenPAIBlock describes the workspace settings.
var OpenPAIBlock = &Block{
	Name: "openpai", Type: typeOf[Workspace](),
	Doc: "Settings of the workspace; at most one in all files.",
	Fields: []Field{
		{Name: "workspace", Go: "Name", Kind: String, Pattern: namePattern, Effect: EffectNone, Doc: "Name of the set of jobs that are managed together. Needed with a Kubernetes cluster."},
		{Name: "required_version", Go: "RequiredVersion", Kind: String, Effect: EffectNone, Doc: "Versions of openpai that may read these files, such as \">= 0.1\"."},
		{Name: "run_records", Go: "RunRecords", Kind: String, Pattern: directoryPattern, Effect: EffectNone, Doc: "Directory below that of the workspace that records of runs are also written to, such as \"runs\", to be committed."},
		{Name: "history_limit", Go: "HistoryLimit", Kind: Int, Min: bound(1), Max: bound(1024), Effect: EffectNone, Doc: "MiB that the records of all runs may take on Kubernetes; the oldest are removed first. 32 when absent."},
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

// ModuleBlock describes a module call. Its variables are evaluated in the
// calling module and checked against the variable blocks of the called one.
var ModuleBlock = &Block{
	Name: "module", Labels: []string{"Name"}, Type: typeOf[Module](), ForEach: true,
	Doc: "Declarations of another directory, under addresses that begin with module.<name>. See [modules](../modules.md).",
	Fields: []Field{
		{Name: "source", Go: "Source", Kind: String, Required: true, Effect: EffectNone, Doc: "Directory such as ./modules/train, git repository such as git::https://host/repository.git//train?ref=v1, or URL of an archive. It must be constant."},
		{Name: "version", Go: "Version", Kind: String, Effect: EffectNone, Doc: "Tag of the git repository, with or without a leading v, such as 1.2.0. It must be constant."},
		{Name: "variables", Kind: AnyMap, Effect: EffectNone, Doc: "Values for the variables of the module."},
	},
}

// OutputBlock describes a value that a module returns to its caller.
var OutputBlock = &Block{
	Name: "output", Labels: []string{"Name"},
	Doc: "A value that the caller of a module reads as module.<name>.<output>.",
	Fields: []Field{
		{Name: "value", Kind: Any, Required: true, Effect: EffectNone, Doc: "The value: any, also a reference to a prerequisite or storage of the module."},
		{Name: "description", Kind: String, Effect: EffectNone, Doc: "What the value is for."},
	},
}

// MovedBlock describes a job whose address changed.
var MovedBlock = &Block{
	Name: "moved", Type: typeOf[Moved](),
	Doc: "Reports that a job got another address, so that what runs is kept.",
	Fields: []Field{
		{Name: "from", Go: "From", Kind: Ref, Required: true, Effect: EffectNone, Doc: "The former address, such as job.old or module.x.job.old."},
		{Name: "to", Go: "To", Kind: Ref, Required: true, Effect: EffectNone, Doc: "The address now, such as job.new or module.x.job.new."},
	},
}
