// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"io"
	"strings"
	"sync"
	"time"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/plainjson"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// eventWriter prints the progress of a command as one event per line. It is safe for
// concurrent use.
type eventWriter struct {
	out io.Writer
	now func() time.Time

	mu     sync.Mutex
	jobs   map[string]*seenJob         // printed jobs, keyed by address
	states map[string]planner.JobState // last known states of all jobs that exist, keyed by address
}

// seenJob is the last printed status of a job.
type seenJob struct {
	state planner.JobState
	tasks map[document.EventTask]*cluster.TaskAttempt // the latest printed attempt of each task; the State field of the keys is empty
}

func newEventWriter(out io.Writer, now func() time.Time) *eventWriter {
	return &eventWriter{out: out, now: now, jobs: map[string]*seenJob{}, states: map[string]planner.JobState{}}
}

func (w *eventWriter) head() document.EventHead { return document.NewEventHead(w.now()) }

// write writes an event as one line. It does not return write errors, because
// the writer in w.out records them; see [checkedWriter].
func (w *eventWriter) write(event any) {
	_, _ = w.out.Write(append(plainjson.MustMarshal(event), '\n'))
}

func (w *eventWriter) plan(p *planner.Plan, d *view.PlanDocument) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range p.Changes {
		if c.State != planner.StateAbsent && c.Reason.Code != planner.ReasonElsewhere {
			w.states[c.Address.String()] = c.State
		}
	}
	w.write(document.PlanEvent{EventHead: w.head(), Type: "plan", Plan: d})
}

func (w *eventWriter) submitted(address hclspec.Address, action planner.Action) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch action {
	case planner.Create:
		w.states[address.String()] = planner.StateWaiting
	case planner.Delete:
		delete(w.states, address.String())
	}
	w.write(document.SubmittedEvent{EventHead: w.head(), Type: "submitted", Address: address.String(), Action: action})
}

// changed prints changes in a job's state and task stages, but not the end of a
// job; see finished.
func (w *eventWriter) changed(j operation.Job, st *cluster.Status) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.states[st.Address] = st.State
	if st.State.Finished() {
		return
	}
	seen := w.seen(st.Address)
	if seen.state != st.State {
		seen.state = st.State
		w.write(document.StageEvent{EventHead: w.head(), Type: "stage", Address: j.Address.String(), State: st.State})
	}
	for _, role := range st.TaskRoles {
		for i := range role.Tasks {
			w.task(seen, st, role.Name, &role.Tasks[i])
		}
	}
}

// task prints changes in the latest attempt of a task.
func (w *eventWriter) task(seen *seenJob, st *cluster.Status, role string, t *cluster.Task) {
	a := t.Latest()
	if a == nil {
		return
	}
	name := document.NewEventTask(cluster.AttemptID{Role: role, Index: t.Index, JobAttempt: a.JobAttempt, Attempt: a.Attempt})
	known := seen.tasks[*name]
	if known != nil && known.State == a.State && known.Stage.Same(a.Stage) {
		return
	}
	seen.tasks[*name] = a
	name.State = a.State
	w.write(document.StageEvent{EventHead: w.head(), Type: "stage", Address: st.Address, State: st.State, Task: name, Stage: a.Stage})
}

func (w *eventWriter) seen(address string) *seenJob {
	if w.jobs[address] == nil {
		w.jobs[address] = &seenJob{tasks: map[document.EventTask]*cluster.TaskAttempt{}}
	}
	return w.jobs[address]
}

func (w *eventWriter) log(address hclspec.Address, a cluster.AttemptID, step, stamp string, line []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.write(document.LogEvent{
		EventHead: w.head(), Type: "log", Address: address.String(), Task: document.NewEventTask(a), Step: step, Written: stamp, Line: strings.ToValidUTF8(string(line), "\ufffd"),
	})
}

func (w *eventWriter) finished(on string, st *cluster.Status) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.states[st.Address] = st.State
	job := document.NewJobStatus(st, on)
	w.write(document.FinishedEvent{
		EventHead: w.head(), Type: "finished", Address: st.Address, State: st.State, ExitCode: jobCode(st.State, st.UserCode, st.ExitCode), Job: &job,
	})
}

// finishedBefore prints the event for a job that finished earlier and that the
// command does not change.
func (w *eventWriter) finishedBefore(address hclspec.Address, state planner.JobState, code int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.states[address.String()] = state
	w.write(document.FinishedEvent{EventHead: w.head(), Type: "finished", Address: address.String(), State: state, ExitCode: code})
}

func (w *eventWriter) diagnostic(d view.Diagnostic) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.write(document.DiagnosticEvent{EventHead: w.head(), Type: "diagnostic", Diagnostic: d})
}

func (w *eventWriter) summary(code int, diags []view.Diagnostic) {
	w.mu.Lock()
	defer w.mu.Unlock()
	event := document.SummaryEvent{EventHead: w.head(), Type: "summary", ExitCode: code, Jobs: document.States{}}
	for _, d := range diags {
		if d.Severity == view.SeverityError {
			event.Errors++
		} else {
			event.Warnings++
		}
	}
	for _, state := range w.states {
		event.Jobs[state]++
	}
	w.write(event)
}
