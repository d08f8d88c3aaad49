// SPDX-License-Identifier: MPL-2.0

package document

import (
	"cmp"
	"slices"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/metrics"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// Status is the output of the status command.
type Status struct {
	Head
	Workspace string      `json:"workspace"`
	Jobs      []JobStatus `json:"jobs"`
	Totals    States      `json:"totals" doc:"Number of jobs in each state"`
	// Resources lists what running jobs use.
	Resources []planner.InUse `json:"resources" doc:"Resources that running jobs use, grouped by cluster, virtual cluster and SKU"`
	Foot
}

// JobStatus is a job's status, with the advice and the current problem as strings.
// Attempt numbers start at 1; a job that was never applied has attempt 0.
type JobStatus struct {
	*cluster.Status
	Cluster string `json:"cluster,omitempty" doc:"Name of the cluster; absent for a job that was never applied"`
	Stalled string `json:"stalled,omitempty" doc:"Reason why the job makes no progress until another command resumes it"`
	// Metrics holds the metrics that the job reported; see [cluster.JobUse].
	Metrics         metrics.Values `json:"metrics,omitempty" doc:"Last reported value of each metric, from the first task that wrote it"`
	CPUSeconds      float64        `json:"cpu_seconds,omitempty" doc:"CPU time of the first finished task"`
	PeakMemoryBytes int64          `json:"peak_memory_bytes,omitempty" doc:"Peak memory of the first finished task"`

	Problem string `json:"problem,omitempty" doc:"Problem that currently blocks the job; the job continues once the problem is solved"`
}

// NewStatus returns the document for jobs and the resources in use.
func NewStatus(workspace string, jobs []JobStatus, inUse []planner.InUse) *Status {
	out := &Status{Head: head(), Workspace: workspace, Jobs: jobs, Totals: States{}, Resources: inUse, Foot: foot()}
	for _, j := range jobs {
		out.Totals[j.State]++
	}
	return out
}

// Empty implements [Partial].
func (s *Status) Empty() bool { return len(s.Jobs) == 0 }

// NewJobStatus returns the document for the status st. In the document, the advice
// and the current problem are strings, and attempt numbers start at 1. NewJobStatus
// does not modify st.
func NewJobStatus(st *cluster.Status, on string) JobStatus {
	copied := *st
	if st.State != planner.StateAbsent {
		copied.Attempt++
	}
	copied.TaskRoles = make([]cluster.TaskRole, len(st.TaskRoles))
	for i, role := range st.TaskRoles {
		role.Tasks = append([]cluster.Task{}, role.Tasks...)
		for k := range role.Tasks {
			role.Tasks[k].Attempts = attempts(role.Tasks[k].Attempts)
		}
		copied.TaskRoles[i] = role
	}
	use := cluster.JobUse(st)
	return JobStatus{
		Status: &copied, Cluster: on, Stalled: st.StalledText().Phrase(phrase.Of), Problem: st.Problem.Phrase(phrase.Of),
		Metrics: use.Metrics, CPUSeconds: use.CPUSeconds, PeakMemoryBytes: use.PeakMemoryBytes,
	}
}

func attempts(all []cluster.TaskAttempt) []cluster.TaskAttempt {
	all = append([]cluster.TaskAttempt{}, slices.Clone(all)...)
	for i := range all {
		all[i].JobAttempt++
		all[i].Attempt++
		if all[i].Exit == nil {
			continue
		}
		exit := *all[i].Exit
		exit.Attempt++
		exit.Advice = view.ExitAdvice(&exit)
		all[i].Exit = &exit
	}
	return all
}

// Drift compares jobs with their applied configuration.
type Drift struct {
	Head
	Workspace string       `json:"workspace"`
	Drifted   int          `json:"drifted" doc:"Number of jobs with drift"`
	Jobs      []DriftOfJob `json:"jobs" doc:"All jobs that were compared"`
	Foot
}

// DriftOfJob lists the differences between the applied configuration of a job
// and the job's current configuration on the cluster.
type DriftOfJob struct {
	Address   string           `json:"address"`
	Cluster   string           `json:"cluster"`
	Framework string           `json:"framework"`
	State     planner.JobState `json:"state"`
	Drift     []view.Drift     `json:"drift" doc:"Empty if the job has not changed since apply"`
}

// DriftState returns the state of a job for [DriftOfJob]. The state is
// [planner.StateGone] if the Framework was deleted before the job's outcome was
// known.
func DriftState(j operation.Job) planner.JobState { return cmp.Or(j.State, planner.StateGone) }

// NewDrift returns the document for the drift of the given jobs.
func NewDrift(workspace string, jobs []operation.Job) *Drift {
	out := &Drift{Head: head(), Workspace: workspace, Drifted: len(operation.Drifted(jobs)), Jobs: []DriftOfJob{}, Foot: foot()}
	for _, j := range jobs {
		out.Jobs = append(out.Jobs, DriftOfJob{
			Address: j.Address.String(), Cluster: j.On, Framework: j.Framework, State: DriftState(j), Drift: append([]view.Drift{}, view.NewDrifts(j.Drift)...),
		})
	}
	return out
}

// Empty implements [Partial].
func (d *Drift) Empty() bool { return len(d.Jobs) == 0 }
