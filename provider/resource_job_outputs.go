// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/internal/plainjson"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// jobID returns the ID of a job in OpenPAI.
func jobID(user, name string) string { return user + "~" + name }

// splitID splits a job ID, or a name alone.
func splitID(id, user string) (string, string) {
	if u, name, ok := strings.Cut(id, "~"); ok {
		return u, name
	}
	return user, id
}

// prerequisiteOrder lists the prerequisites of each task role, in order.
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

// driftLines describes each change by others in one line.
func driftLines(live *planner.LiveJob) []string {
	list := make([]string, 0, len(live.Drift))
	if elsewhere(live) {
		list = append(list, "declared by "+view.Declarer(live.DeclaredBy))
	}
	for _, d := range live.Drift {
		text := d.Object
		if d.Path != "" {
			text += ": " + d.Path
		}
		text += map[planner.DriftKind]string{
			planner.DriftChanged: " was changed", planner.DriftMissing: " is gone", planner.DriftForeign: " was added",
		}[d.Kind]
		if d.Manager != "" {
			text += " by " + d.Manager
		}
		text += bothValues(d)
		list = append(list, text)
	}
	return list
}

// bothValues describes the old and new value of a field. It does not show lists
// and objects, because changes by others may contain anything.
func bothValues(d planner.Drift) string {
	if d.Kind != planner.DriftChanged || !isScalar(d.Before) || !isScalar(d.After) {
		return ""
	}
	return fmt.Sprintf(" from %s to %s", plainjson.MustMarshal(d.Before), plainjson.MustMarshal(d.After))
}

func isScalar(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return false
	}
	return true
}

// userKnown reports whether the user of the jobs is known.
func (c *connection) userKnown() bool { return c.User != "" }

// jobName returns the name of an applied job, or a name derived from its address.
func jobName(live *planner.LiveJob) string {
	if live.Applied != nil && live.Applied.Name != "" {
		return live.Applied.Name
	}
	name := strings.TrimPrefix(live.Address.String(), "job")
	return strings.Trim(name, `.["]`)
}
