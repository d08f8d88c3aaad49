// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// isOutdated reports whether a job has ended and its content hash differs
// from hash.
func isOutdated(live *planner.LiveJob, hash string) bool {
	return live.State.Finished() && live.Hash != "" && live.Hash != hash
}

// isOutdated reports whether a job has ended and differs from the declaration
// in the state. It returns false before the first apply of an imported state,
// because the difference is unknown.
func (m jobPrivate) isOutdated(live *planner.LiveJob) bool {
	return m.Applied != "" && isOutdated(live, m.Applied)
}

// isSame reports whether a finished job has not changed since the last read. If
// so, the reason why the job was outdated, such as a changed secret, still
// applies.
func (m jobPrivate) isSame(live *planner.LiveJob) bool {
	return live.State.Finished() && m.UID == live.UID && m.Seen == live.Hash
}

// planOutdated plans a finished job with changed content. Only the output
// "outdated" changes. Later plans contain no change and no warning, because the
// state already shows that the job is outdated.
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
