package provider

import (
	"context"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// pure is a function of the provider: it reads nothing but its arguments.
type pure struct {
	name       string
	definition function.Definition
	run        func(context.Context, function.RunRequest, *function.RunResponse)
}

// Metadata implements function.Function.
func (f *pure) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = f.name
}

// Definition implements function.Function.
func (f *pure) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = f.definition
}

// Run implements function.Function.
func (f *pure) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	f.run(ctx, req, resp)
}

// functions lists the functions of the provider.
func functions() []func() function.Function {
	var all []func() function.Function
	for _, f := range []*pure{parseProtocol, exportProtocol, exportItem, renderFramework, frameworkName, resolvePrerequisites} {
		all = append(all, func() function.Function { return f })
	}
	return all
}

// jobParameter is a job as an argument: an openpai_job, or an object with its
// attributes.
var jobParameter = function.DynamicParameter{
	Name:                "job",
	MarkdownDescription: "A job: an `openpai_job`, or an object with its attributes.",
}

// dynamic returns a tree as the value of a function.
func dynamic(ctx context.Context, tree any) (attr.Value, *function.FuncError) {
	v, err := types.DynamicType.ValueFromTerraform(ctx, shape.Dynamic(tree))
	if err != nil {
		return nil, function.NewFuncError(err.Error())
	}
	return v, nil
}

// argument returns a dynamic argument as a tree.
func argument(ctx context.Context, v types.Dynamic) (map[string]any, *function.FuncError) {
	raw, err := v.ToTerraformValue(ctx)
	if err != nil {
		return nil, function.NewFuncError(err.Error())
	}
	value, _ := shape.Tree(raw)
	tree, ok := value.(map[string]any)
	if !ok {
		return nil, function.NewFuncError("An object with the attributes of a job is needed here.")
	}
	return tree, nil
}

// jobArgument reads a job. Its findings are an error of the argument.
func jobArgument(ctx context.Context, s *settings, v types.Dynamic) (*declaration, *function.FuncError) {
	tree, fault := argument(ctx, v)
	if fault != nil {
		return nil, fault
	}
	also := append(sortedKeys(jobComputed), "secrets_wo", "secrets_wo_version", "wait_for", "timeouts")
	if wrong := jobObject.Misspelled(tree, also...); len(wrong) > 0 {
		return nil, function.NewArgumentFuncError(0, strings.Join(wrong, "\n"))
	}
	typ := jobObject.Type()
	types := map[string]tftypes.Type{"secrets_wo_version": tftypes.String}
	for name, t := range typ.AttributeTypes {
		types[name] = t
	}
	value, err := shape.Value(tree, tftypes.Object{AttributeTypes: types})
	if err != nil {
		return nil, function.NewArgumentFuncError(0, err.Error())
	}
	d := declareJob(s, value, tftypes.Value{})
	return d, findingsError(d.findings)
}

// findingsError returns the errors among findings as one, nil when there are
// none.
func findingsError(found hcl.Diagnostics) *function.FuncError {
	var texts []string
	for _, d := range hclspec.Sort(found) {
		if d.Severity == hcl.DiagError {
			texts = append(texts, findingText(d))
		}
	}
	if texts == nil {
		return nil
	}
	return function.NewArgumentFuncError(0, strings.Join(texts, "\n"))
}

// findingText is a finding in one line, with its place.
func findingText(d *hcl.Diagnostic) string {
	text := d.Summary + ": " + d.Detail
	if d.Subject == nil {
		return text
	}
	if d.Subject.Start.Line > 0 {
		return d.Subject.String() + ": " + text
	}
	return d.Subject.Filename + ": " + text
}
