// SPDX-License-Identifier: MPL-2.0

package hclspec

// Separate code decodes these top-level blocks before the decoder builds the
// model.

// OpenPAIBlock describes the workspace settings.
var OpenPAIBlock = &Block{
	Name: "openpai", Type: typeOf[Workspace](),
	Doc: "Settings of the workspace; at most one in all files.",
	Fields: []Field{
		{Name: "workspace", Go: "Name", Kind: String, Pattern: namePattern, Effect: EffectNone, Doc: "Name of the set of jobs that openpai manages together. Required with a Kubernetes cluster."},
		{Name: "required_version", Go: "RequiredVersion", Kind: String, Effect: EffectNone, Doc: "Versions of openpai that can read these files, such as \">= 0.1\"."},
		{Name: "run_records", Go: "RunRecords", Kind: String, Pattern: directoryPattern, Effect: EffectNone, Doc: "Directory below the workspace directory, such as \"runs\", where openpai writes copies of the run records for you to commit."},
		{Name: "history_limit", Go: "HistoryLimit", Kind: Int, Min: bound(1), Max: bound(1024), Effect: EffectNone, Doc: "Maximum total size of the run records on Kubernetes, in MiB; the oldest records are removed first. 32 when absent."},
	},
}

// VariableBlock describes an input value of a workspace.
var VariableBlock = &Block{
	Name: "variable", Labels: []string{"Name"}, Type: typeOf[Variable](),
	Doc: "An input value, available as var.<name>.",
	Fields: []Field{
		{Name: "type", Go: "Type", Kind: String, Effect: EffectNone, Doc: "Type of the value, such as string or list(number). Any value when absent."},
		{Name: "default", Go: "HasDefault", Kind: Any, Effect: EffectNone, Doc: "Default value. Without a default, a value is required."},
		{Name: "description", Go: "Description", Kind: String, Effect: EffectNone, Doc: "Description of the value."},
		{Name: "sensitive", Go: "Sensitive", Kind: Bool, Effect: EffectNone, Doc: "Whether the value is a secret."},
		{Name: "validation", Kind: Objects, Block: validationBlock, Effect: EffectNone, Doc: "Conditions that the value must meet."},
	},
}

var validationBlock = &Block{
	Name: "validation",
	Doc:  "A condition that the value of a variable must meet.",
	Fields: []Field{
		{Name: "condition", Kind: Any, Required: true, Effect: EffectNone, Doc: "Expression that uses the variable and is true for valid values."},
		{Name: "error_message", Kind: String, Required: true, Effect: EffectNone, Doc: "Error message for an invalid value."},
	},
}

// ModuleBlock describes a module call. Its variables are evaluated in the
// calling module and checked against the variable blocks of the called module.
var ModuleBlock = &Block{
	Name: "module", Labels: []string{"Name"}, Type: typeOf[Module](), ForEach: true,
	Doc: "Declarations from another directory, at addresses that begin with module.<name>. See [modules](modules.md).",
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
		{Name: "value", Kind: Any, Required: true, Effect: EffectNone, Doc: "A value of any type, or a reference to a prerequisite or storage of the module."},
		{Name: "description", Kind: String, Effect: EffectNone, Doc: "Description of the value."},
	},
}

// MovedBlock describes a job whose address changed.
var MovedBlock = &Block{
	Name: "moved", Type: typeOf[Moved](),
	Doc: "Records that the address of a job changed, so that apply keeps the running job.",
	Fields: []Field{
		{Name: "from", Go: "From", Kind: Ref, Required: true, Effect: EffectNone, Doc: "The former address, such as job.old or module.x.job.old."},
		{Name: "to", Go: "To", Kind: Ref, Required: true, Effect: EffectNone, Doc: "The current address, such as job.new or module.x.job.new."},
	},
}
