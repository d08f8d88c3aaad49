// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// UpgradeState implements resource.ResourceWithUpgradeState.
func (r *jobResource) UpgradeState(context.Context) map[int64]resource.StateUpgrader {
	return map[int64]resource.StateUpgrader{
		0: upgrader(openPrerequisites, respellState, shortenHashes, addOutdated),
		1: upgrader(respellState, shortenHashes, addOutdated),
		2: upgrader(addOutdated),
	}
}

// addOutdated upgrades a state of version 2, which has no output "outdated". The
// next read sets the actual value.
func addOutdated(state map[string]any) { state["outdated"] = false }

// openPrerequisites upgrades a state of version 0. All prerequisites of a job
// then had the same object type, with null for attributes that were not set.
func openPrerequisites(state map[string]any) {
	for _, a := range jobObject.Attributes {
		if a.Open && state[a.Name] != nil {
			state[a.Name] = openJSON(state[a.Name])
		}
	}
}

// shortenHashes upgrades a state of version 1, which contained full hashes.
func shortenHashes(state map[string]any) {
	shortenHash(state, "content_hash")
	versions, _ := state["secret_versions"].(map[string]any)
	for name := range versions {
		shortenHash(versions, name)
	}
}

// openJSON encodes tree like a dynamically typed value in a state. It first
// removes nulls from tree.
func openJSON(tree any) any {
	dropNulls(tree)
	typ, err := shape.Dynamic(tree).Type().MarshalJSON() //nolint:staticcheck // no other way is offered
	if err != nil {
		panic("provider: " + err.Error()) // types of trees always marshal
	}
	return map[string]any{"value": tree, "type": json.RawMessage(typ)}
}

// dropNulls drops attributes that were not set. Null has no meaning in
// prerequisites.
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
