// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// definitionVersion is the schema version of resources that only have a
// definition. Definitions of version 0 contained hashes.
const definitionVersion = 1

// definitionUpgrades returns the state upgraders of these resources.
func definitionUpgrades() map[int64]resource.StateUpgrader {
	return map[int64]resource.StateUpgrader{0: upgrader(respellState)}
}

// upgrader returns an upgrader that changes the JSON of a state in steps until
// the state matches the schema.
func upgrader(steps ...func(state map[string]any)) resource.StateUpgrader {
	return resource.StateUpgrader{StateUpgrader: func(ctx context.Context, req resource.UpgradeStateRequest, resp *resource.UpgradeStateResponse) {
		value, err := shape.ParseJSON(req.RawState.JSON)
		state, ok := value.(map[string]any)
		if err != nil || !ok {
			resp.Diagnostics.AddError("Cannot read the state", "The state is not a JSON object.")
			return
		}
		for _, step := range steps {
			step(state)
		}
		raw := tfprotov6.RawState{JSON: shape.MarshalTree(state)}
		opts := tfprotov6.UnmarshalOpts{ValueFromJSONOpts: tftypes.ValueFromJSONOpts{IgnoreUndefinedAttributes: true}}
		if resp.State.Raw, err = raw.UnmarshalWithOpts(resp.State.Schema.Type().TerraformType(ctx), opts); err != nil {
			resp.Diagnostics.AddError("Cannot read the state", "The state does not match the schema: "+errorText(err)+".")
		}
	}}
}

// shortenHash shortens an attribute that contained a full hash.
func shortenHash(state map[string]any, name string) {
	if hash, ok := state[name].(string); ok {
		state[name] = shortHash(hash)
	}
}

// respellState rewrites every definition in a state in the current format.
func respellState(state map[string]any) { respelled(state) }
