// SPDX-License-Identifier: MPL-2.0

package view

import (
	"fmt"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// Impact returns the impact on running work as a clause, such as "2 running
// tasks end". It returns "" if the change has no impact.
func Impact(i planner.Impact) string {
	switch i.Code {
	case planner.ImpactNone:
		return ""
	case planner.ImpactRecordLost:
		return "no task runs; the job's record is deleted"
	case planner.ImpactTasksEnd:
		return quantity.Count(i.Tasks, "running task") + " " + quantity.Plural(i.Tasks, "ends", "end")
	case planner.ImpactRunningEnds:
		return "up to " + quantity.Count(i.Tasks, "running task") + " " + quantity.Plural(i.Tasks, "ends", "end")
	case planner.ImpactWaitsAgain:
		return "no task is running yet; the job waits again"
	case planner.ImpactNeverStarts:
		return "no task is running yet; the job never starts"
	case planner.ImpactTasksRescale:
		return rescaled(i)
	}
	panic("planner/view: unknown impact " + string(i.Code))
}

func rescaled(i planner.Impact) string {
	roles := make([]string, len(i.Rescaled))
	for n, r := range i.Rescaled {
		switch {
		case !r.Known:
			roles[n] = "the number of tasks of " + r.TaskRole + " changes"
		case r.By < 0:
			roles[n] = fmt.Sprintf("%s of %s %s", quantity.Count(-r.By, "task"), r.TaskRole, quantity.Plural(-r.By, "ends", "end"))
		default:
			roles[n] = fmt.Sprintf("%s of %s %s added", quantity.Count(r.By, "task"), r.TaskRole, quantity.Plural(r.By, "is", "are"))
		}
	}
	text := strings.Join(roles, ", ")
	if i.OthersRunning {
		text += "; the others continue"
	}
	return text
}
