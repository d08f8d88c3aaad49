// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"errors"
	"io/fs"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
)

// itemResource implements openpai_marketplace_item: published items.
type itemResource struct{ conn *connection }

var (
	_ resource.ResourceWithConfigure      = (*itemResource)(nil)
	_ resource.ResourceWithValidateConfig = (*itemResource)(nil)
	_ resource.ResourceWithModifyPlan     = (*itemResource)(nil)
	_ resource.ResourceWithUpgradeState   = (*itemResource)(nil)
)

func newItemResource() resource.Resource { return &itemResource{} }

// Configure implements resource.ResourceWithConfigure.
func (r *itemResource) Configure(_ context.Context, req resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	r.conn, _ = req.ProviderData.(*connection)
}

// Metadata implements resource.Resource.
func (r *itemResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_marketplace_item"
}

// Schema implements resource.Resource.
func (r *itemResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	fixed := []planmodifier.String{stringplanmodifier.RequiresReplace()}
	resp.Schema = schema.Schema{
		Version:             itemVersion,
		MarkdownDescription: "Items published to a marketplace. A published version never changes: increase `version` in the content with every change. Destroying the resource keeps the published items unless `on_destroy` is `delete`. Jobs and lock files of other states, workspaces and users can refer to a published version. To withdraw a single version, delete the version from the marketplace: the ConfigMap in a cluster (label `openpai.org/type=items`), the file in a directory, or the item on a server.",
		Attributes: map[string]schema.Attribute{
			"to":         schema.StringAttribute{Required: true, PlanModifiers: fixed, MarkdownDescription: "Directory; work tree of a git repository; base URL of an OpenPAI Marketplace server; or " + inClusterDoc},
			"token_env":  schema.StringAttribute{Optional: true, MarkdownDescription: tokenDoc},
			"name":       schema.StringAttribute{Required: true, PlanModifiers: fixed, MarkdownDescription: "Name of the item file, without its extension."},
			"content":    schema.StringAttribute{Required: true, MarkdownDescription: "One item or a list of items as YAML. Every item must have a `version`."},
			"author":     schema.StringAttribute{Optional: true, MarkdownDescription: "Servers only: owner of the items; defaults to the user of the token."},
			"visibility": schema.StringAttribute{Optional: true, MarkdownDescription: "Servers only: visibility of the items: `public`, `protected` or `private`."},
			"groups":     schema.ListAttribute{Optional: true, ElementType: types.StringType, MarkdownDescription: "Servers only: the groups that may read the items, with `visibility = \"protected\"`."},
			"on_destroy": schema.StringAttribute{Optional: true, MarkdownDescription: "Whether destroy keeps or deletes the published items: `keep` (default) or `delete`, which deletes all versions that this resource published. Destroy always keeps items that another resource, state or user published. Destroy also keeps items whose file has changed since publication."},
			"hash":       schema.StringAttribute{Computed: true, MarkdownDescription: "Hash of the definitions (first 12 digits). Known during plan."},
			"definition": schema.StringAttribute{Computed: true, MarkdownDescription: "Reference for `use` in a job if the content is one prerequisite without external requirements; otherwise null."},
		},
	}
}

// itemVersion is the schema version of items. States of version 1 contain
// full hashes.
const itemVersion = 2

// UpgradeState implements resource.ResourceWithUpgradeState.
func (r *itemResource) UpgradeState(context.Context) map[int64]resource.StateUpgrader {
	shorten := func(state map[string]any) { shortenHash(state, "hash") }
	return map[int64]resource.StateUpgrader{0: upgrader(respellState, shorten), 1: upgrader(shorten)}
}

func publicationOf(v tftypes.Value) (*marketplace.Publication, hcl.Diagnostics) {
	values := attributesOf(v)
	name := stringOr(values["name"], "item") + ".yaml"
	text := []byte(stringOr(values["content"], ""))
	list, found := marketplace.ParseFile(name, text)
	found = append(found, marketplace.Validate(list)...)
	for _, i := range list {
		i.File = name
	}
	return &marketplace.Publication{
		Name: name, Text: text, Items: list, Author: stringOr(values["author"], ""), Visibility: stringOr(values["visibility"], ""),
		Groups: stringsIn(values["groups"]),
	}, found
}

// reportContent starts each diagnostic with its position in the content.
func reportContent(diags *diag.Diagnostics, found hcl.Diagnostics, which severity) {
	for _, d := range hclspec.Sort(found) {
		switch {
		case d.Severity == hcl.DiagError:
			diags.AddAttributeError(path.Root("content"), d.Summary, placed(d))
		case which == allSeverities:
			diags.AddAttributeWarning(path.Root("content"), d.Summary, placed(d))
		}
	}
}

// ValidateConfig implements resource.ResourceWithValidateConfig.
func (r *itemResource) ValidateConfig(_ context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	checkItemEnd(&resp.Diagnostics, attributesOf(req.Config.Raw)["on_destroy"])
	if attributesOf(req.Config.Raw)["content"].IsKnown() {
		p, found := publicationOf(req.Config.Raw)
		reportContent(&resp.Diagnostics, found, errorsOnly)
		checkVersions(&resp.Diagnostics, p)
	}
}

// checkVersions reports items without a version. No marketplace accepts such
// items.
func checkVersions(diags *diag.Diagnostics, p *marketplace.Publication) {
	if diags.HasError() {
		return
	}
	if _, err := p.Version(); err != nil {
		itemError(diags, path.Root("content"), err)
	}
}

// checkPublished reports published items with new content but no new version.
// Marketplaces reject such a change, but Terraform would first replace the jobs
// that use the items.
func checkPublished(diags *diag.Diagnostics, prior, planned tftypes.Value, p *marketplace.Publication) {
	before, after := attributesOf(prior), attributesOf(planned)
	for _, name := range []string{"to", "author"} {
		if stringOr(before[name], "") != stringOr(after[name], "") {
			return
		}
	}
	if diags.HasError() || stringOr(before["content"], "") == "" {
		return
	}
	published, _ := publicationOf(prior)
	for _, i := range published.Items {
		i.Place = stringOr(before["to"], "")
	}
	if _, err := p.Unpublished(&marketplace.Listing{Items: published.Items}); err != nil {
		itemError(diags, path.Root("content"), err)
	}
}

// checkMarketplace reports versions that another user has published with
// different content. Apply would reject these versions. checkMarketplace
// reports nothing if the marketplace cannot be accessed.
func (r *itemResource) checkMarketplace(ctx context.Context, diags *diag.Diagnostics, prior, planned tftypes.Value, p *marketplace.Publication) {
	before, after := attributesOf(prior), attributesOf(planned)
	changed := false
	for _, name := range []string{"to", "token_env", "content", "author"} {
		if !after[name].IsKnown() {
			return
		}
		changed = changed || stringOr(before[name], "") != stringOr(after[name], "")
	}
	if diags.HasError() || !changed || r.conn == nil {
		return
	}
	set, m := r.conn.openMarketplace(stringOr(after["to"], ""), stringOr(after["token_env"], ""))
	if err := set.Conflict(ctx, m, p); err != nil {
		itemError(diags, path.Root("content"), err)
	}
}

// ModifyPlan implements resource.ResourceWithModifyPlan.
func (r *itemResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		warnKept(ctx, attributesOf(req.State.Raw), req.Private, &resp.Diagnostics)
		return
	}
	if !attributesOf(req.Plan.Raw)["content"].IsKnown() {
		return
	}
	planned := keepEqualContent(req.State.Raw, req.Plan.Raw)
	p, found := publicationOf(planned)
	reportContent(&resp.Diagnostics, found, allSeverities)
	checkVersions(&resp.Diagnostics, p)
	checkPublished(&resp.Diagnostics, req.State.Raw, planned, p)
	r.checkMarketplace(ctx, &resp.Diagnostics, req.State.Raw, planned, p)
	if !resp.Diagnostics.HasError() {
		resp.Plan.Raw = keepDefinition(req.State.Raw, withItemOutputs(planned, p))
	}
}

// keepEqualContent keeps the content from the state if only the layout
// differs.
func keepEqualContent(prior, planned tftypes.Value) tftypes.Value {
	before := attributesOf(prior)["content"]
	if was := stringOr(before, ""); was == "" || !sameYAML(was, stringOr(attributesOf(planned)["content"], "")) {
		return planned
	}
	return withAttributes(planned, map[string]tftypes.Value{"content": before})
}

// keepDefinition keeps the definition from the state if the planned definition
// refers to the same bodies.
func keepDefinition(prior, planned tftypes.Value) tftypes.Value {
	before := attributesOf(prior)["definition"]
	if !sameReference(stringOr(before, ""), stringOr(attributesOf(planned)["definition"], "")) {
		return planned
	}
	return withAttributes(planned, map[string]tftypes.Value{"definition": before})
}

func withItemOutputs(v tftypes.Value, p *marketplace.Publication) tftypes.Value {
	var content []byte
	for _, i := range p.Items {
		content = append(content, i.Content...)
	}
	set := map[string]tftypes.Value{"hash": stringValue(shortHash(marketplace.Hash(content))), "definition": tftypes.NewValue(tftypes.String, nil)}
	if len(p.Items) == 1 && p.Items[0].Prerequisite != nil && len(p.Items[0].Prerequisite.Require) == 0 {
		def := definitionOf(p.Items[0].Prerequisite)
		def.items[def.Use] = originOf(p.Items[0], stringOr(attributesOf(v)["to"], ""))
		set["definition"] = stringValue(def.text())
	}
	return withAttributes(v, set)
}

// Create implements resource.Resource. It does not overwrite an existing item
// with the same version.
func (r *itemResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	if done := r.publish(ctx, req.Plan.Raw, &resp.Diagnostics); done != nil {
		resp.Diagnostics.Append(done.save(ctx, resp.Private)...)
		p, _ := publicationOf(req.Plan.Raw)
		resp.State.Raw = keepDefinition(req.Plan.Raw, withItemOutputs(req.Plan.Raw, p))
		r.identify(ctx, resp.Identity, attributesOf(req.Plan.Raw), &resp.Diagnostics)
	}
}

// Update implements resource.Resource. It publishes the new version in addition
// to the old version.
func (r *itemResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	if done := r.publish(ctx, req.Plan.Raw, &resp.Diagnostics); done != nil {
		resp.Diagnostics.Append(readPublished(ctx, req.Private).with(done).save(ctx, resp.Private)...)
		p, _ := publicationOf(req.Plan.Raw)
		resp.State.Raw = keepDefinition(req.Plan.Raw, withItemOutputs(req.Plan.Raw, p))
		r.identify(ctx, resp.Identity, attributesOf(req.Plan.Raw), &resp.Diagnostics)
	}
}

// publish publishes the items and returns the hash of the published content
// for each place that it wrote. It returns nil after an error.
func (r *itemResource) publish(ctx context.Context, v tftypes.Value, diags *diag.Diagnostics) publishedPlaces {
	p, found := publicationOf(v)
	if reportContent(diags, found, errorsOnly); diags.HasError() {
		return nil
	}
	values := attributesOf(v)
	set, m := r.conn.openMarketplace(stringOr(values["to"], ""), stringOr(values["token_env"], ""))
	done, err := set.Publish(ctx, m, p)
	if err != nil {
		itemError(diags, path.Root("content"), err)
		return nil
	}
	if done.WorkTree != "" && len(done.Places) > 0 {
		diags.AddAttributeWarning(path.Root("to"), "The published items are not committed", "The file was written in the git work tree "+done.WorkTree+". Commit and push the file there.")
	}
	places := publishedPlaces{}
	for _, place := range done.Places {
		places[place] = marketplace.Hash(p.Text)
	}
	return places
}

// Read implements resource.Resource. If items are missing, Read removes the
// resource from the state. The next apply then publishes the items again.
func (r *itemResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	values := attributesOf(req.State.Raw)
	r.identify(ctx, resp.Identity, values, &resp.Diagnostics)
	set, m := r.conn.openMarketplace(stringOr(values["to"], ""), stringOr(values["token_env"], ""))
	p, _ := publicationOf(req.State.Raw)
	missing, err := set.Missing(ctx, m, p)
	switch {
	case errors.Is(err, errUnknown):
		r.conn.warnUnknown(&resp.Diagnostics)
	case len(missing) > 0, errors.Is(err, fs.ErrNotExist): // publishing creates the directory
		resp.State.RemoveResource(ctx)
	case err != nil:
		itemError(&resp.Diagnostics, path.Root("to"), err)
	}
}
