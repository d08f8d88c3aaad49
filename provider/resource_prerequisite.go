// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"cmp"
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// prerequisiteResource implements openpai_prerequisite. The resource exists only in
// the state, because jobs contain the definitions that they use.
type prerequisiteResource struct{ definitionResource }

func newPrerequisiteResource() resource.Resource {
	return &prerequisiteResource{prerequisiteDefinition()}
}

func prerequisiteDefinition() definitionResource {
	return definitionResource{object: prerequisiteObject, decode: decodePrerequisite, kind: "prerequisite", labels: []string{"type", "name"}}
}

// Schema implements resource.Resource.
func (r *prerequisiteResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	attributes := prerequisiteObject.Schema()
	attributes["type"] = schema.StringAttribute{Required: true, MarkdownDescription: prerequisiteObject.Attribute("type").Doc()}
	attributes["id"] = schema.StringAttribute{Computed: true, MarkdownDescription: "The address: `prerequisite.<type>.<name>`."}
	attributes["definition"] = schema.StringAttribute{
		Computed:            true,
		MarkdownDescription: "String that refers to this prerequisite, for use in `image`, `data`, `script`, `output` and `use`. The string is JSON: an object with the declarations of this prerequisite and of everything that it requires, keyed by address. Elements of `prerequisites` and `require` are objects, and Terraform does not convert a string to an object. Use the whole resource, for example `prerequisites = [openpai_prerequisite.tools]`, or the object `{ use = openpai_prerequisite.tools.definition }`. The job's own `prerequisites` accept all three forms. If a prerequisite in a task role's list requires another prerequisite in that list, refer to the required prerequisite by its `id`. A plan then shows the declaration of the required prerequisite only once. The value is known during plan, so a changed prerequisite appears as a change to each job that uses it.",
	}
	resp.Schema = schema.Schema{
		Version:             definitionVersion,
		MarkdownDescription: "A dependency that must be ready before a task role runs: an image, data, a script, an output or a storage. The provider sends the prerequisite to the cluster as part of the jobs that use it.",
		Attributes:          attributes,
	}
}

func decodePrerequisite(v tftypes.Value) *decodedDefinition {
	d := &decodedDefinition{Decoder: shape.NewDecoder()}
	defs := newDefinitions(d.Decoder)
	values := attributesOf(v)
	p := &hclspec.Prerequisite{}
	address := hclspec.NewAddress("prerequisite", stringOr(values["type"], "script"), stringOr(values["name"], "unnamed"))
	d.Decode(prerequisiteObject, v, p, hclspec.Path(address), path.Empty())
	p.Name = cmp.Or(p.Name, "unnamed")
	d.diagnostics = d.Diags
	if len(d.Unknown) == 0 {
		ws := &hclspec.Workspace{Sources: d.Places.Sources, Prerequisites: append(defs.prerequisites, p), Storages: defs.storages}
		d.diagnostics = append(d.diagnostics, hclspec.Validate(ws)...)
		_, more := resolve.All(resolve.Input{Workspace: ws})
		d.diagnostics = append(d.diagnostics, resolve.Independent(more, d.diagnostics)...)
	}
	d.diagnostics = withoutUndecided(d.diagnostics, d.Decoder)
	d.id = string(address)
	d.definition = defs.closure(p).text()
	return d
}
