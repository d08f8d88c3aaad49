// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// isHived reports whether a path belongs to the HiveD placement.
func isHived(p hclspec.Path) bool { return strings.HasPrefix(string(p), "hived.") }

// SchedulerChange is a change of the scheduler of a job; "" for no change.
type SchedulerChange string

// Changes of the scheduler.
const (
	SchedulerToHived   SchedulerChange = "to-hived"
	SchedulerFromHived SchedulerChange = "from-hived"
)

// schedulerChange returns the change of a job to or from HiveD placement; ""
// for no change. Apply replaces a changed job, because a Pod cannot change its
// scheduler.
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
