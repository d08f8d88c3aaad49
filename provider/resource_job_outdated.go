// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// isOutdated reports whether a job has ended and the hash of its content
// differs from the given hash.
func isOutdated(live *planner.LiveJob, hash string) bool {
	return live.State.Finished() && live.Hash != "" && live.Hash != hash
}

// isOutdated reports whether a job has ended and its content differs from the
// declaration in the state. It returns false for an imported state before the
// first apply, because the difference is unknown.
func (m jobPrivate) isOutdated(live *planner.LiveJob) bool {
	return m.Applied != "" && isOutdated(live, m.Applied)
}

// isSame reports whether a job has ended and is still the job that was read last.
// If so, the reason why the job was outdated, such as a changed secret, still
// applies.
func (m jobPrivate) isSame(live *planner.LiveJob) bool {
	return live.State.Finished() && m.UID == live.UID && m.Seen == live.Hash
}

// planOutdated plans a job that has ended and whose content changed. In the first
// such plan, the output "outdated" becomes true. The other outputs do not change.
// If the plan contains no change, the state already shows that the job is
// outdated, so planOutdated does not add a warning.
func (p *jobPlan) planOutdated(c *planner.Change) {
	set := map[string]tftypes.Value{"outdated": boolValue(true)}
	if !p.d.known() {
		set["outdated"] = unknownValue(tftypes.Bool)
	}
	p.keepOutputs(set)
	if !p.planned.Equal(p.prior) {
		p.diags.AddWarning("A finished job does not run again", fmt.Sprintf("%s: %s. Set rerun = \"on_change\", or replace the job with -replace.", c.Address, view.Reason(c.Reason)))
	}
}
