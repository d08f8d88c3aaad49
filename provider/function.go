// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// providerFunction implements a function of the provider. The result depends
// only on the arguments.
type providerFunction struct {
	name       string
	definition function.Definition
	run        func(context.Context, function.RunRequest, *function.RunResponse)
}

// Metadata implements function.Function.
func (f *providerFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = f.name
}

// Definition implements function.Function.
func (f *providerFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = f.definition
}

// Run implements function.Function.
func (f *providerFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	f.run(ctx, req, resp)
}

func functions() []func() function.Function {
	var all []func() function.Function
	for _, f := range []*providerFunction{parseProtocol, exportProtocol, exportItem, renderFramework, frameworkName, resolvePrerequisites} {
		all = append(all, func() function.Function { return f })
	}
	return all
}

// jobParameter is a job argument: an openpai_job, or an object with its
// attributes.
var jobParameter = function.DynamicParameter{
	Name:                "job",
	MarkdownDescription: "A job: an `openpai_job`, or an object with its attributes.",
}

// dynamicValue returns tree as the result of a function.
func dynamicValue(ctx context.Context, tree any) (attr.Value, *function.FuncError) {
	v, err := types.DynamicType.ValueFromTerraform(ctx, shape.Dynamic(tree))
	if err != nil {
		return nil, function.NewFuncError(errorText(err))
	}
	return v, nil
}

func argument(ctx context.Context, v types.Dynamic) (map[string]any, *function.FuncError) {
	raw, err := v.ToTerraformValue(ctx)
	if err != nil {
		return nil, function.NewFuncError(errorText(err))
	}
	value, _ := shape.Tree(raw)
	tree, ok := value.(map[string]any)
	if !ok {
		return nil, function.NewArgumentFuncError(0, "the argument must be an object with the attributes of a job")
	}
	return tree, nil
}

// jobArgument converts errors in the diagnostics of the job to an argument
// error.
func jobArgument(ctx context.Context, s *settings, v types.Dynamic) (*declaration, *function.FuncError) {
	tree, funcErr := argument(ctx, v)
	if funcErr != nil {
		return nil, funcErr
	}
	secrets := writeOnlySecretNames(tree)
	for name := range jobComputed {
		delete(tree, name)
	}
	for name := range jobControlSchema() {
		delete(tree, name)
	}
	d := declare(s, shape.NewOpenDecoder(), shape.Dynamic(tree), secrets)
	if tree["name"] == nil {
		d.diagnostics = append(d.diagnostics, hclspec.MissingArgument.At(hcl.Range{}, "This job requires the attribute name."))
	}
	return d, diagnosticsError(d.diagnostics)
}

// writeOnlySecretNames maps the names of write-only secrets to "", because
// function results do not contain secret values.
func writeOnlySecretNames(tree map[string]any) tftypes.Value {
	values := map[string]tftypes.Value{}
	written, _ := tree["secrets"].(map[string]any)
	for _, attribute := range []string{"secrets_wo", "secret_versions"} {
		names, _ := tree[attribute].(map[string]any)
		for name := range names {
			if written[name] == nil {
				values[name] = stringValue("")
			}
		}
	}
	return tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, values)
}

// diagnosticsError returns a function error with the texts of all error
// diagnostics, or nil if no diagnostic is an error.
func diagnosticsError(found hcl.Diagnostics) *function.FuncError {
	var messages []string
	for _, d := range hclspec.Sort(found) {
		if d.Severity == hcl.DiagError {
			messages = append(messages, diagnosticText(d))
		}
	}
	if messages == nil {
		return nil
	}
	return function.NewArgumentFuncError(0, strings.Join(messages, "\n"))
}

// diagnosticText returns one line that starts with the position. The line ends
// with the code, because Terraform adds a full stop to function errors.
func diagnosticText(d *hcl.Diagnostic) string {
	text := fmt.Sprintf("%s: %s [%s]", d.Summary, hclspec.Detail(d, phrase), hclspec.Code(d))
	if d.Subject == nil || d.Subject.Filename == "" {
		return text
	}
	if d.Subject.Start.Line > 0 {
		return d.Subject.String() + ": " + text
	}
	return d.Subject.Filename + ": " + text
}
