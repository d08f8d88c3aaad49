// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"fmt"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/plainjson"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// warnDrift warns about changes by others that apply reverts. A job without a
// supervisor does not count as changed.
func (p *jobPlan) warnDrift(c *planner.Change, live *planner.Snapshot) {
	job := live.Job(c.Framework)
	if job == nil || len(c.Drift) == 0 || c.Reason.Code == planner.ReasonUnsupervised {
		return
	}
	p.diags.AddWarning(fmt.Sprintf("%s was changed outside of Terraform", c.Address),
		fmt.Sprintf("Apply reverts this:\n  %s", strings.Join(driftLines(job), "\n  ")))
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

// bothValues describes the old and new value of a changed field. It does not show
// lists and objects, because changes by others may contain anything.
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
