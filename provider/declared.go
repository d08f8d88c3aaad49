package provider

import (
	"context"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// defined is a prerequisite or storage as a configuration declares it.
type defined struct {
	*shape.Decoder
	id, definition string
	findings       hcl.Diagnostics
}

// declared is the life of a resource that is a definition: nothing outside of
// the state knows it.
type declared struct {
	object *shape.Object
	define func(tftypes.Value) *defined
}

var (
	_ resource.ResourceWithValidateConfig = (*prerequisiteResource)(nil)
	_ resource.ResourceWithModifyPlan     = (*prerequisiteResource)(nil)
)

// ValidateConfig implements resource.ResourceWithValidateConfig.
func (r *declared) ValidateConfig(_ context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	d := r.define(req.Config.Raw)
	report(&resp.Diagnostics, d.findings, d.Places, errorsOnly)
}

// ModifyPlan implements resource.ResourceWithModifyPlan: the outputs follow
// from the declaration.
func (r *declared) ModifyPlan(_ context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		return
	}
	planned := r.object.Keep(req.State.Raw, req.Plan.Raw)
	d := r.define(planned)
	report(&resp.Diagnostics, d.findings, d.Places, everything)
	resp.Plan.Raw = r.outputs(planned, d)
}

// outputs sets what follows from a declaration, as far as it is known.
func (r *declared) outputs(v tftypes.Value, d *defined) tftypes.Value {
	set := map[string]tftypes.Value{"definition": unknownOf(tftypes.String)}
	if values := attributesOf(v); values["name"].IsKnown() && (values["type"].Type() == nil || values["type"].IsKnown()) {
		set["id"] = textValue(d.id)
	}
	if len(d.Unknown) == 0 {
		set["definition"] = textValue(d.definition)
	}
	return withAttributes(v, set)
}

// Create implements resource.Resource.
func (r *declared) Create(_ context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	d := r.define(req.Plan.Raw)
	report(&resp.Diagnostics, d.findings, d.Places, errorsOnly)
	if !resp.Diagnostics.HasError() {
		resp.State.Raw = r.outputs(req.Plan.Raw, d)
	}
}

// Read implements resource.Resource: nobody else can change it. The outputs
// stay as they were, also when a new version would spell them otherwise.
func (r *declared) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {}

// Update implements resource.Resource.
func (r *declared) Update(_ context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	d := r.define(req.Plan.Raw)
	report(&resp.Diagnostics, d.findings, d.Places, errorsOnly)
	if !resp.Diagnostics.HasError() {
		resp.State.Raw = r.outputs(req.Plan.Raw, d)
	}
}

// Delete implements resource.Resource.
func (r *declared) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}
