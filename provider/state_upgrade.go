// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// definitionVersion is the schema version of resources that exist only as
// definitions. Definitions of version 0 contained hashes.
const definitionVersion = 1

// definitionUpgrades returns the state upgraders of resources that exist only
// as definitions.
func definitionUpgrades() map[int64]resource.StateUpgrader {
	return map[int64]resource.StateUpgrader{0: upgrader(respellState)}
}

// upgrader applies the steps, in order, to the JSON of a state. The result
// must match the schema.
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

func shortenHash(state map[string]any, name string) {
	if hash, ok := state[name].(string); ok {
		state[name] = shortHash(hash)
	}
}

// respellState converts every definition in a state to the current format.
func respellState(state map[string]any) { respelled(state) }
