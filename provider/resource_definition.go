// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// decodedDefinition is a prerequisite or storage as declared in a configuration.
type decodedDefinition struct {
	*shape.Decoder
	id, definition string
	diagnostics    hcl.Diagnostics
}

// definitionResource is a resource that exists only in states and job
// declarations.
type definitionResource struct {
	object *shape.Object
	decode func(tftypes.Value) *decodedDefinition
	kind   string   // first part of the address
	labels []string // attributes that form the rest of the address; also the identity attributes
	conn   *connection
}

var (
	_ resource.ResourceWithConfigure      = (*prerequisiteResource)(nil)
	_ resource.ResourceWithValidateConfig = (*prerequisiteResource)(nil)
	_ resource.ResourceWithModifyPlan     = (*prerequisiteResource)(nil)
	_ resource.ResourceWithIdentity       = (*prerequisiteResource)(nil)
	_ resource.ResourceWithImportState    = (*prerequisiteResource)(nil)
	_ resource.ResourceWithUpgradeState   = (*prerequisiteResource)(nil)
)

// Configure implements resource.ResourceWithConfigure.
func (r *definitionResource) Configure(_ context.Context, req resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	r.conn, _ = req.ProviderData.(*connection)
}

// Metadata implements resource.Resource. A rename changes the resource in
// place and also changes its identity.
func (r *definitionResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + r.kind
	resp.ResourceBehavior.MutableIdentity = true
}

// UpgradeState implements resource.ResourceWithUpgradeState.
func (r *definitionResource) UpgradeState(context.Context) map[int64]resource.StateUpgrader {
	return definitionUpgrades()
}

// ValidateConfig implements resource.ResourceWithValidateConfig.
func (r *definitionResource) ValidateConfig(_ context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	d := r.decode(req.Config.Raw)
	report(&resp.Diagnostics, d.diagnostics, d.Places, errorsOnly)
}

// ModifyPlan implements resource.ResourceWithModifyPlan. The outputs are derived
// from the declaration.
func (r *definitionResource) ModifyPlan(_ context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		return
	}
	planned := r.object.KeepEqual(req.State.Raw, req.Plan.Raw)
	d := r.decode(planned)
	report(&resp.Diagnostics, d.diagnostics, d.Places, allSeverities)
	resp.Plan.Raw = r.outputs(planned, d)
}

// outputs returns v with the computed attributes. It sets id if the address
// is known. The attribute definition is unknown unless all arguments are
// known.
func (r *definitionResource) outputs(v tftypes.Value, d *decodedDefinition) tftypes.Value {
	set := map[string]tftypes.Value{"definition": unknownValue(tftypes.String)}
	if r.isAddressKnown(v) {
		set["id"] = stringValue(d.id)
	}
	if len(d.Unknown) == 0 {
		set["definition"] = stringValue(d.definition)
	}
	return withAttributes(v, set)
}

func (r *definitionResource) isAddressKnown(v tftypes.Value) bool {
	for _, label := range r.labels {
		if !attributesOf(v)[label].IsKnown() {
			return false
		}
	}
	return true
}

func (r *definitionResource) address(v tftypes.Value) hclspec.Address {
	parts := make([]string, len(r.labels))
	for i, label := range r.labels {
		parts[i] = stringOr(attributesOf(v)[label], "")
	}
	return hclspec.NewAddress(r.kind, parts...)
}

// Create implements resource.Resource.
func (r *definitionResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	resp.State.Raw = r.apply(ctx, req.Plan.Raw, resp.State.Raw, resp.Identity, &resp.Diagnostics)
}

// Read implements resource.Resource. Read does not change the outputs, because the
// resource cannot change outside Terraform. Read also keeps outputs that a new
// provider version would compute differently.
func (r *definitionResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	r.identify(ctx, req.State.Raw, resp.Identity, &resp.Diagnostics)
}

// Update implements resource.Resource.
func (r *definitionResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	resp.State.Raw = r.apply(ctx, req.Plan.Raw, resp.State.Raw, resp.Identity, &resp.Diagnostics)
}

// apply returns the prior state if the declaration is invalid.
func (r *definitionResource) apply(ctx context.Context, planned, before tftypes.Value, identity *tfsdk.ResourceIdentity, diags *diag.Diagnostics) tftypes.Value {
	d := r.decode(planned)
	if report(diags, d.diagnostics, d.Places, errorsOnly); diags.HasError() {
		return before
	}
	r.identify(ctx, planned, identity, diags)
	return r.outputs(planned, d)
}

// identify sets the identity.
func (r *definitionResource) identify(ctx context.Context, v tftypes.Value, identity *tfsdk.ResourceIdentity, diags *diag.Diagnostics) {
	r.conn.identify(ctx, identity, stringsOf(attributesOf(v), r.labels), diags)
}

// Delete implements resource.Resource.
func (r *definitionResource) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {
}

// shortAddress returns an address without its kind, such as script.wget.
func (r *definitionResource) shortAddress(a hclspec.Address) string {
	return strings.TrimPrefix(string(a), r.kind+".")
}

// These objects contain the fields that resources declare. jobObject omits
// cluster, which the provider block sets, and secret.value, which is
// write-only.
var (
	jobObject          = shape.New(hclspec.JobBlock, false, "cluster", "secret.value").Open([]string{"id", "definition"}, "prerequisites", "reference_prerequisites").Compare(sameReference)
	prerequisiteObject = shape.New(hclspec.PrerequisiteBlock, false).Compare(sameReference)
	storageObject      = shape.New(hclspec.StorageBlock, false)
)
