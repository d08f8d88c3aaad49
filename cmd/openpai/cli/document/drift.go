package document

import (
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// Drift compares jobs with what was applied.
type Drift struct {
	Head
	Workspace string       `json:"workspace"`
	Drifted   int          `json:"drifted" doc:"Number of jobs with drift"`
	Jobs      []DriftOfJob `json:"jobs" doc:"All jobs that were compared"`
	Foot
}

// DriftOfJob is what differs of one job.
type DriftOfJob struct {
	Address   string           `json:"address"`
	Cluster   string           `json:"cluster"`
	Framework string           `json:"framework"`
	State     planner.JobState `json:"state"`
	Drift     []view.Drift     `json:"drift" doc:"Empty: as it was applied"`
}

// NewDrift returns the document of jobs.
func NewDrift(workspace string, jobs []operation.Job) *Drift {
	out := &Drift{Head: head(), Workspace: workspace, Drifted: len(operation.Drifted(jobs)), Jobs: []DriftOfJob{}, Foot: foot()}
	for _, j := range jobs {
		out.Jobs = append(out.Jobs, DriftOfJob{
			Address: j.Address.String(), Cluster: j.On, Framework: j.Framework, State: j.State, Drift: append([]view.Drift{}, view.NewDrifts(j.Drift)...),
		})
	}
	return out
}
