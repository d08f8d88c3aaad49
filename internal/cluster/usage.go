package cluster

import (
	"context"

	"github.com/openpai/terraform-provider-openpai/planner"
)

// UsageSource is a cluster that can find out what its tasks use now.
type UsageSource interface {
	// AddUsage sets the usage of the running tasks of jobs. That of a task that
	// has just started may stay unknown. An error says why none is known.
	AddUsage(ctx context.Context, all []*Status) error
}

// Usage is what a task uses now, with all its processes.
type Usage struct {
	// CPU is in cores.
	CPU float64 `json:"cpu"`
	// Memory is what is resident, in bytes.
	Memory int64 `json:"memory_bytes"`
}

// Measurable returns the attempts of a job that run and so use something.
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

// TotalUsage adds up what the tasks of a job use; known is the number of tasks
// that are measured.
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
