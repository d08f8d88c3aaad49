// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"maps"
	"math/big"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/planner"
)

// withLiveCounts updates task counts that the action job_rescale or a
// different configuration changed. A plan then shows these counts, and a
// configuration can ignore them with ignore_changes. Counts that the resource
// itself applied do not change.
func (m jobPrivate) withLiveCounts(state tftypes.Value, live *planner.LiveJob) tftypes.Value {
	written := attributesOf(state)["task_roles"]
	if live.Applied == nil || m.Seen == "" || m.Seen == live.Hash || attributesOf(written) == nil {
		return state
	}
	roles := maps.Clone(attributesOf(written))
	for _, role := range live.Applied.TaskRoles {
		if was, ok := roles[role.Name]; ok && instancesOf(was) != int64(role.Instances) {
			roles[role.Name] = withAttributes(was, map[string]tftypes.Value{"instances": tftypes.NewValue(tftypes.Number, int64(role.Instances))})
		}
	}
	return withAttributes(state, map[string]tftypes.Value{"task_roles": tftypes.NewValue(written.Type(), roles)})
}

// instancesOf returns the number of tasks of a role, 1 by default.
func instancesOf(role tftypes.Value) int64 {
	v := attributesOf(role)["instances"]
	if v.IsNull() || !v.IsKnown() {
		return 1
	}
	var n big.Float
	mustAs(v, &n)
	count, _ := n.Int64()
	return count
}
