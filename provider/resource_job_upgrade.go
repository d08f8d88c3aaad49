package provider

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// UpgradeState implements resource.ResourceWithUpgradeState.
func (r *jobResource) UpgradeState(context.Context) map[int64]resource.StateUpgrader {
	return map[int64]resource.StateUpgrader{0: {StateUpgrader: openPrerequisites}}
}

// openPrerequisites reads a state of version 0, where the prerequisites of a
// job were objects of one type, with null for what was not written.
func openPrerequisites(ctx context.Context, req resource.UpgradeStateRequest, resp *resource.UpgradeStateResponse) {
	var state map[string]any
	value, err := shape.ParseJSON(req.RawState.JSON)
	if err == nil {
		state, _ = value.(map[string]any)
	}
	if state == nil {
		resp.Diagnostics.AddError("Cannot read the state of a job", "The state of version 0 is no JSON object.")
		return
	}
	for _, a := range jobObject.Attributes {
		if a.Open && state[a.Name] != nil {
			state[a.Name] = openJSON(state[a.Name])
		}
	}
	raw := tfprotov6.RawState{JSON: shape.MarshalTree(state)}
	opts := tfprotov6.UnmarshalOpts{ValueFromJSONOpts: tftypes.ValueFromJSONOpts{IgnoreUndefinedAttributes: true}}
	if resp.State.Raw, err = raw.UnmarshalWithOpts(schemaOfJob().Type().TerraformType(ctx), opts); err != nil {
		resp.Diagnostics.AddError("Cannot read the state of a job", "The state of version 0 does not fit: "+errorText(err)+".")
	}
}

// openJSON is a value of any type as a state has it: with its type.
func openJSON(tree any) any {
	dropNulls(tree)
	typ, err := shape.Dynamic(tree).Type().MarshalJSON() //nolint:staticcheck // no other way is offered
	if err != nil {
		panic("provider: " + err.Error()) // types of trees always marshal
	}
	return map[string]any{"value": tree, "type": json.RawMessage(typ)}
}

// dropNulls drops what was not written. No map of a prerequisite keeps nulls
// that mean something.
func dropNulls(tree any) {
	switch t := tree.(type) {
	case map[string]any:
		for key, v := range t {
			if v == nil {
				delete(t, key)
			}
			dropNulls(v)
		}
	case []any:
		for _, v := range t {
			dropNulls(v)
		}
	}
}
