// SPDX-License-Identifier: MPL-2.0

package cluster

import (
	"context"

	"github.com/openpai/terraform-provider-openpai/planner"
)

// UsageSource is a cluster that can measure the resource usage of its tasks.
type UsageSource interface {
	// AddUsage sets the resource usage of each job's running tasks. The usage of a
	// task that has just started may remain unknown. AddUsage returns an error if
	// the usage of every task is unknown.
	AddUsage(ctx context.Context, all []*Status) error
}

// Usage is the current resource usage of a task, including all its processes.
type Usage struct {
	// CPU is the number of cores.
	CPU float64 `json:"cpu"`
	// Memory is the resident memory in bytes.
	Memory int64 `json:"memory_bytes"`
}

// Measurable returns the running task attempts of a job. The usage of other
// attempts cannot be measured.
func (s *Status) Measurable() []*TaskAttempt {
	var all []*TaskAttempt
	for _, role := range s.TaskRoles {
		for i := range role.Tasks {
			if a := role.Tasks[i].Latest(); a != nil && a.Exit == nil && a.Finished == nil && a.State == string(planner.StateRunning) {
				all = append(all, a)
			}
		}
	}
	return all
}

// TotalUsage adds up the resource usage of a job's tasks. known is the number
// of measured tasks.
func (s *Status) TotalUsage() (total Usage, known int) {
	for _, a := range s.Measurable() {
		if a.Usage != nil {
			total.CPU += a.Usage.CPU
			total.Memory += a.Usage.Memory
			known++
		}
	}
	return total, known
}
