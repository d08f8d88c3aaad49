// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"errors"
	"fmt"

	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// driftOf lists the differences between a live job and its applied configuration.
// For a job that disappeared before it ended, the difference is the missing
// Framework. driftOf does not compare a job whose creation is incomplete.
func driftOf(j *planner.LiveJob) []planner.Drift {
	switch {
	case j.Unreadable != nil || j.Unstarted:
		return nil
	case j.Vanished():
		return []planner.Drift{{Object: "Framework " + j.Framework, Kind: planner.DriftMissing}}
	}
	return j.Drift
}

// Drifted returns the jobs that have drift, in the given order.
func Drifted(jobs []Job) []Job {
	var all []Job
	for _, j := range jobs {
		if len(j.Drift) > 0 {
			all = append(all, j)
		}
	}
	return all
}

// NotCompared returns an error for jobs whose drift is unknown because of
// unreadable files. It returns nil if all jobs were compared.
func NotCompared(jobs []Job) error {
	var errs []error
	for _, j := range jobs {
		if j.Unreadable != "" {
			err := fmt.Errorf("compare %s: cannot read %s", j.Address, j.Unreadable)
			errs = append(errs, message.WithHint(err, message.Hint{Kind: message.HintRepair}))
		}
	}
	return errors.Join(errs...)
}
