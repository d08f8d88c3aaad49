// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"github.com/openpai/terraform-provider-openpai/planner"
)

// driftOf lists the differences between a live job and its applied configuration,
// without reading workspace files. A job that disappeared before it ended lacks
// its Framework; a job that an apply has only started to create is not compared.
func driftOf(j *planner.LiveJob) []planner.Drift {
	switch {
	case j.Unreadable != nil || j.Unstarted:
		return nil
	case j.Vanished():
		return []planner.Drift{{Object: "Framework " + j.Framework, Kind: planner.DriftMissing}}
	}
	return j.Drift
}

// Drifted returns the jobs that have drift, in order.
func Drifted(jobs []Job) []Job {
	var all []Job
	for _, j := range jobs {
		if len(j.Drift) > 0 {
			all = append(all, j)
		}
	}
	return all
}
