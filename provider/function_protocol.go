// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"cmp"
	"context"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/terraform-plugin-framework/function"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/protocol"
)

var parseProtocol = &providerFunction{
	name: "parse_protocol",
	definition: function.Definition{
		Summary:             "A job in OpenPAI protocol YAML",
		MarkdownDescription: "Reads OpenPAI protocol YAML of any dialect and returns an object with the attributes of an `openpai_job`. For a file of marketplace items, the function returns an object with `prerequisites`. The object does not contain secret values; set them with `secrets_wo`. The data source `openpai_protocol` returns the same object and also reports warnings.",
		Parameters: []function.Parameter{
			function.StringParameter{Name: "yaml", MarkdownDescription: "The YAML, such as `file(\"job.yaml\")`."},
		},
		Return: function.DynamicReturn{},
	},
	run: func(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
		var text string
		if resp.Error = req.Arguments.Get(ctx, &text); resp.Error != nil {
			return
		}
		tree, found := protocolTree("yaml", []byte(text))
		if resp.Error = diagnosticsError(found); resp.Error != nil {
			return
		}
		v, funcErr := dynamicValue(ctx, tree)
		if resp.Error = funcErr; funcErr == nil {
			resp.Error = resp.Result.Set(ctx, v)
		}
	},
}

// protocolTree decodes protocol YAML into the attributes of a job.
func protocolTree(name string, text []byte) (map[string]any, hcl.Diagnostics) {
	file, found := protocol.Parse(name, text)
	if file == nil || found.HasErrors() {
		return nil, found
	}
	if file.Kind == protocol.KindItems {
		return map[string]any{"prerequisites": itemTrees(file.Items)}, found
	}
	job := *file.Job
	remaining := job.Secrets[:0:0]
	var dropped []string
	for _, s := range job.Secrets {
		if s.Value != nil {
			dropped = append(dropped, s.Name)
			continue
		}
		remaining = append(remaining, s)
	}
	job.Secrets = remaining
	if len(dropped) > 0 {
		found = append(found, SecretsLeftOut.At(file.Sources.Range(job.Path.Attr("secret")),
			"%s contains secret values. They are omitted, because the state would store them. Set them with secrets_wo: %s.", name, strings.Join(dropped, ", ")))
	}
	job.Name = cmp.Or(job.Name, job.Label)
	return jobObject.Encode(&job), found
}

func itemTrees(items []*hclspec.Prerequisite) []any {
	list := make([]any, len(items))
	for i, item := range items {
		list[i] = prerequisiteObject.Encode(item)
	}
	return list
}
