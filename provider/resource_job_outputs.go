// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func jobID(user, name string) string { return user + "~" + name }

// splitID splits a job ID into user and name. For a name without a user, it
// returns the parameter user.
func splitID(id, user string) (string, string) {
	if u, name, ok := strings.Cut(id, "~"); ok {
		return u, name
	}
	return user, id
}

// prerequisiteOrder lists the prerequisites of each task role in start order.
func prerequisiteOrder(job *resolve.Job) tftypes.Value {
	roles := map[string]tftypes.Value{}
	for _, role := range job.TaskRoles {
		steps := make([]string, 0, len(role.Steps))
		for _, s := range role.Steps {
			steps = append(steps, s.Address)
		}
		roles[role.Name] = stringListValue(steps)
	}
	return tftypes.NewValue(jobComputed["prerequisite_order"], roles)
}

// liveOutputs returns the outputs that depend on the cluster.
func liveOutputs(live *planner.LiveJob) map[string]tftypes.Value {
	set := map[string]tftypes.Value{
		"state":           stringValue(string(live.State)),
		"exit_code":       tftypes.NewValue(tftypes.Number, nil),
		"secret_versions": stringMapValue(shortHashes(live.SecretVersions)),
		"drift":           stringListValue(driftLines(live)),
	}
	if live.ExitCode != nil {
		set["exit_code"] = tftypes.NewValue(tftypes.Number, int64(*live.ExitCode))
	}
	return set
}

func (c *connection) userKnown() bool { return c.User != "" }

// jobName returns the applied name, or a name derived from the address.
func jobName(live *planner.LiveJob) string {
	if live.Applied != nil && live.Applied.Name != "" {
		return live.Applied.Name
	}
	name := strings.TrimPrefix(live.Address.String(), "job")
	return strings.Trim(name, `.["]`)
}
