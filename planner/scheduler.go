// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func isHived(p hclspec.Path) bool { return strings.HasPrefix(string(p), "hived.") }

// SchedulerChange is a change to a job's scheduler; "" means no change.
type SchedulerChange string

// Changes of the scheduler.
const (
	SchedulerToHived   SchedulerChange = "to-hived"
	SchedulerFromHived SchedulerChange = "from-hived"
)

// schedulerChange returns a change to or from HiveD placement, or "". The
// change requires a replacement, because the scheduler of a Pod is immutable.
func schedulerChange(job *resolve.Job, before *applied) SchedulerChange {
	if before == nil {
		return ""
	}
	placed := false
	for p := range before.hashes {
		placed = placed || isHived(p)
	}
	switch {
	case job.Hived != nil && !placed:
		return SchedulerToHived
	case job.Hived == nil && placed:
		return SchedulerFromHived
	}
	return ""
}
