package operation

import (
	"github.com/openpai/terraform-provider-openpai/planner"
)

// driftOf lists what differs between a job and what was applied of it. No file
// of a workspace is part of that. A job that vanished before it ended lacks its
// Framework; one that an apply has only begun is not compared.
func driftOf(j *planner.LiveJob) []planner.Drift {
	switch {
	case j.Unreadable != nil || j.Unstarted:
		return nil
	case j.Vanished():
		return []planner.Drift{{Object: "Framework " + j.Framework, Kind: planner.DriftMissing}}
	}
	return j.Drift
}

// Drifted returns the jobs that differ from what was applied, in their order.
func Drifted(jobs []Job) []Job {
	var all []Job
	for _, j := range jobs {
		if len(j.Drift) > 0 {
			all = append(all, j)
		}
	}
	return all
}
