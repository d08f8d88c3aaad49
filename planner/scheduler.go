package planner

import (
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// isHived reports whether a path belongs to the placement by HiveD.
func isHived(p hclspec.Path) bool { return strings.HasPrefix(string(p), "hived.") }

// SchedulerChange says how the scheduler of a job changes; "" for not at all.
type SchedulerChange string

// The changes of the scheduler.
const (
	SchedulerToHived   SchedulerChange = "to-hived"
	SchedulerFromHived SchedulerChange = "from-hived"
)

// schedulerChange says that HiveD places a job now and did not before, or the
// other way round; "" for neither. A Pod keeps the scheduler that it was
// created with, so such a job is replaced.
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
