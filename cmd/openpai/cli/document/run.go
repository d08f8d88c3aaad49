// SPDX-License-Identifier: MPL-2.0

package document

import (
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// Runs is the output of the runs command.
type Runs struct {
	Head
	Workspace string      `json:"workspace"`
	Runs      []RunInList `json:"runs" doc:"The oldest first"`
	Foot
}

// RunState is the last state of a run's job, or [RunDeleted].
type RunState string

// RunDeleted is the state of a run that was deleted or replaced before it ended.
const RunDeleted RunState = "DELETED"

func newRunState(r operation.RecordedRun) RunState {
	if r.Deleted() {
		return RunDeleted
	}
	return RunState(r.State())
}

// RunInList is a run together with the fields and inputs that changed since the job's
// previous run.
type RunInList struct {
	Reference string       `json:"run" doc:"Run reference, such as job.train@3"`
	State     RunState     `json:"state" doc:"UNKNOWN: the job was removed before its outcome was read. DELETED: the run was deleted or replaced before it ended; the field outcome of its record contains the last state"`
	Differs   []string     `json:"differs" doc:"Paths of the fields that changed since the job's previous run, then the names of changed data, items, modules and secrets. The suffix (not comparable) marks a secret whose versions have different keys"`
	Record    *history.Run `json:"record" doc:"Record of the run, without the resolved job, tasks and logs"`
}

// NewRuns returns the document for a list of runs. The function differs returns the
// value of [RunInList.Differs] for run i.
func NewRuns(workspace string, runs []operation.RecordedRun, differs func(i int) []string) *Runs {
	d := &Runs{Head: head(), Workspace: workspace, Runs: []RunInList{}, Foot: foot()}
	for i, r := range runs {
		short := *r.Run
		short.Job, short.Tasks, short.Logs = nil, nil, nil
		d.Runs = append(d.Runs, RunInList{r.Reference(), newRunState(r), append([]string{}, differs(i)...), &short})
	}
	return d
}

// Empty implements [Partial].
func (r *Runs) Empty() bool { return len(r.Runs) == 0 }

// Run is the output of the runs show command.
type Run struct {
	Head
	Reference string       `json:"run"`
	State     RunState     `json:"state" doc:"State of the run; the values have the same meaning as in the output of the runs command"`
	Record    *history.Run `json:"record"`
	Foot
}

// NewRun returns the document for a run.
func NewRun(r operation.RecordedRun) *Run {
	return &Run{Head: head(), Reference: r.Reference(), State: newRunState(r), Record: r.Run, Foot: foot()}
}

// RunDifference is the output of the runs diff command.
type RunDifference struct {
	Head
	Before string                  `json:"before"`
	After  string                  `json:"after"`
	Fields *[]view.FieldDifference `json:"fields" doc:"Fields that differ between the two resolved jobs; null if the record of either run does not contain the job"`
	Facts  []Fact                  `json:"facts" doc:"Other differences, for example in a variable, an image digest or the outcome"`
	Foot
}

// Fact is a property of a run that is not a field of its job, such as a variable, an
// image digest or the outcome.
type Fact struct {
	Name   string `json:"name"`
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	// NotComparable is set only for secrets.
	NotComparable bool `json:"not_comparable,omitempty" doc:"Whether the versions of a secret have different keys and cannot be compared"`
}

// NewRunDifference returns the document that compares two runs.
func NewRunDifference(before, after operation.RecordedRun, fields []planner.FieldChange, known bool, facts []Fact) *RunDifference {
	d := &RunDifference{Head: head(), Before: before.Reference(), After: after.Reference(), Facts: facts, Foot: foot()}
	if known {
		all := view.FieldDifferences(fields)
		d.Fields = &all
	}
	return d
}
