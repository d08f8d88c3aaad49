// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"fmt"
	"os"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

var protocolSource = dataSource{
	name: "protocol",
	schema: schema.Schema{
		MarkdownDescription: "A job in OpenPAI protocol YAML, with diagnostics.",
		Attributes: map[string]schema.Attribute{
			"file":     schema.StringAttribute{Optional: true, MarkdownDescription: "The YAML file. Set either `file` or `content`."},
			"content":  schema.StringAttribute{Optional: true, MarkdownDescription: "The YAML as a string, instead of a file."},
			"job":      schema.DynamicAttribute{Computed: true, MarkdownDescription: "An object with the attributes of an `openpai_job`. For a file of marketplace items, the object contains only `prerequisites`."},
			"warnings": schema.ListAttribute{Computed: true, ElementType: types.StringType, MarkdownDescription: "Warnings about the YAML, each with its position."},
		},
	},
	read: readProtocolSource,
}

func readProtocolSource(_ context.Context, c *connection, config map[string]tftypes.Value, resp *datasource.ReadResponse) map[string]any {
	file, content := stringOr(config["file"], ""), stringOr(config["content"], "")
	if (file == "") == (content == "") {
		resp.Diagnostics.AddAttributeError(path.Root("file"), FileOrContent.Summary, "Set either file or content.")
		return nil
	}
	at, text := path.Root("content"), []byte(content)
	if file != "" {
		var err error
		at = path.Root("file")
		if text, err = os.ReadFile(resolveHostPath(c.Directory, file)); err != nil {
			resp.Diagnostics.AddAttributeError(at, hclspec.UnreadableFile.Summary, fmt.Sprintf("%s cannot be read: %s.", file, errorText(err)))
			return nil
		}
	}
	tree, found := protocolTree(orName(file), text)
	warnings := []any{}
	for _, d := range hclspec.Sort(found) {
		if d.Severity == hcl.DiagError {
			resp.Diagnostics.AddAttributeError(at, d.Summary, placed(d))
			continue
		}
		warnings = append(warnings, diagnosticText(d))
	}
	return map[string]any{"job": tree, "warnings": warnings}
}

func orName(file string) string {
	if file == "" {
		return "content"
	}
	return file
}

// placed returns the detail of a diagnostic, prefixed with its position if
// known.
func placed(d *hcl.Diagnostic) string {
	if d.Subject == nil {
		return hclspec.Detail(d, phrase)
	}
	return d.Subject.String() + ": " + hclspec.Detail(d, phrase)
}
