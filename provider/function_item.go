// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"bytes"
	"context"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/terraform-plugin-framework/function"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/protocol"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

var exportItem = &providerFunction{
	name: "export_item",
	definition: function.Definition{
		Summary:             "A prerequisite as marketplace items",
		MarkdownDescription: "Returns the prerequisite of a `definition` with all its requirements, as YAML for the `content` of an `openpai_marketplace_item`. All items must have the same `version`.",
		Parameters: []function.Parameter{
			function.StringParameter{Name: "definition", MarkdownDescription: "The `definition` of an `openpai_prerequisite`."},
		},
		Return: function.StringReturn{},
	},
	run: func(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
		var text string
		if resp.Error = req.Arguments.Get(ctx, &text); resp.Error != nil {
			return
		}
		defs := newDefinitions(shape.NewDecoder())
		if !isDefinition(text) {
			resp.Error = function.NewArgumentFuncError(0, diagnosticText(InvalidDefinition.At(hcl.Range{}, "The argument is not the definition of an openpai_prerequisite.")))
			return
		}
		defs.target(text, "definition")
		if resp.Error = diagnosticsError(defs.decoder.Diags); resp.Error == nil {
			resp.Error = resp.Result.Set(ctx, itemFile(defs.prerequisites))
		}
	},
}

// itemFile returns an item file, in which the prerequisites refer to each other
// by name.
func itemFile(all []*hclspec.Prerequisite) string {
	names := map[string]string{}
	for _, p := range all {
		names[string(p.Address())] = p.Name
	}
	var b strings.Builder
	for _, p := range all {
		for i, r := range p.Require {
			if name, ok := names[r.Target]; ok {
				p.Require[i].Target = name
			}
		}
		for i, use := range p.RequireStorages {
			p.RequireStorages[i].Name = hclspec.StorageName(use.Name)
		}
		b.WriteString(yamlListElement(protocol.WriteItem(p)))
	}
	return b.String()
}

func yamlListElement(mapping []byte) string {
	var b strings.Builder
	for i, line := range bytes.SplitAfter(bytes.TrimRight(mapping, "\n"), []byte("\n")) {
		switch {
		case i == 0:
			b.WriteString("- ")
		case len(bytes.TrimSpace(line)) > 0:
			b.WriteString("  ")
		}
		b.Write(line)
	}
	return b.String() + "\n"
}
