// SPDX-License-Identifier: MPL-2.0

package operation_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// recorded is a cluster with jobs and the records of their runs.
type recorded struct {
	fake
	cluster.RunStore
	runs map[history.Key]*history.Run
}

func (r *recorded) Run(_ context.Context, _ string, k history.Key) (*history.Run, error) {
	if run := r.runs[k]; run != nil {
		return run, nil
	}
	return nil, cluster.NotFound("no run %s", k)
}

// record returns the run record of l. value is the JSON value of the variable
// "epochs".
func record(l *planner.LiveJob, value string) *history.Run {
	l.Run = 1
	return &history.Run{
		Number: 1, Framework: l.Framework, UID: l.UID, Hash: l.Hash,
		Variables: []history.Variable{{Name: "epochs", Value: json.RawMessage(value)}, {Name: "token", Sensitive: true}},
	}
}

// TestChangesAreAttributedToTheVariablesThatCausedThem checks variables as causes. The
// command of both jobs contains the value of the variable "epochs".
func TestChangesAreAttributedToTheVariablesThatCausedThem(t *testing.T) {
	t.Parallel()
	variable := string(hclspec.NewAddress("var", "epochs"))
	tests := map[string]struct {
		runs func(a, b *history.Run)
		// The field now is the current value of the variable.
		now string
		// The field invalid is set if an earlier value makes the files
		// invalid.
		invalid bool
		want    map[string]string
	}{
		"the variable had another value": {
			now: "20", want: map[string]string{"job.a": variable, "job.b": variable},
		},
		"the variable had the same value": {
			runs: func(a, b *history.Run) {
				a.Variables[0].Value, b.Variables[0].Value = json.RawMessage("20"), json.RawMessage(" 20")
			},
			now: "20", want: map[string]string{"job.a": "", "job.b": ""},
		},
		"the variable had an earlier value, but the job would also change with it": {
			runs: func(a, _ *history.Run) { a.Variables[0].Value = json.RawMessage("15") },
			now:  "20", want: map[string]string{"job.a": "", "job.b": variable},
		},
		"a job was changed in place after its submission": {
			runs: func(_, b *history.Run) { b.Hash = "v1:other" },
			now:  "20", want: map[string]string{"job.a": variable, "job.b": ""},
		},
		"the record belongs to another job": {
			runs: func(_, b *history.Run) { b.UID = "1-other" },
			now:  "20", want: map[string]string{"job.a": variable, "job.b": ""},
		},
		"the variable is sensitive now": {
			now: "", want: map[string]string{"job.a": "", "job.b": ""},
		},
		"the variable was sensitive": {
			runs: func(a, b *history.Run) { a.Variables, b.Variables = a.Variables[1:], b.Variables[1:] },
			now:  "20", want: map[string]string{"job.a": "", "job.b": ""},
		},
		"the files are not valid with the earlier value": {
			invalid: true, now: "20", want: map[string]string{"job.a": "", "job.b": ""},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			jobs := func(epochs string) []*resolve.Job {
				return []*resolve.Job{newJob("a", "train "+epochs), newJob("b", "test "+epochs)}
			}
			applied := jobs("10")
			a, b := live(applied[0]), live(applied[1])
			runA, runB := record(a, "10"), record(b, "10")
			c := &recorded{fake: fake{jobs: []*planner.LiveJob{a, b}}, runs: map[history.Key]*history.Run{runA.Key(): runA, runB.Key(): runB}}
			if tt.runs != nil {
				tt.runs(runA, runB)
			}
			o := newOperation(c, func(o *operation.Options) {
				o.Workspace.Variables = []*hclspec.Variable{{Name: "token", Sensitive: true}, {Name: "epochs", Value: tt.now}}
			})
			p, err := o.Plan(t.Context(), operation.Request{Jobs: jobs("20"), Earlier: func(in hclspec.Inputs) ([]*resolve.Job, bool) {
				values := in.Variables
				if len(values) != 1 || values["epochs"] == nil {
					t.Errorf("resolves with %s", values)
				}
				return jobs(string(values["epochs"])), !tt.invalid
			}})
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for _, change := range p.Changes {
				got[string(change.Address)] = string(change.Fields[0].Cause)
			}
			if diff := gocmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestTwoVariablesCanBeOneCause checks that two variables together are reported as
// the cause of one change. A third variable has also changed.
func TestTwoVariablesCanBeOneCause(t *testing.T) {
	t.Parallel()
	const now = "2"
	jobs := func(lr, epochs string) []*resolve.Job {
		both := fmt.Sprintf("train --lr %s --epochs %s", lr, epochs)
		return []*resolve.Job{newJob("a", both), newJob("b", both), newJob("c", "test "+lr)}
	}
	c := &recorded{runs: map[history.Key]*history.Run{}}
	for _, job := range jobs("1", "1") {
		l := live(job)
		run := record(l, "1")
		run.Variables = append(run.Variables, history.Variable{Name: "lr", Value: json.RawMessage("1")}, history.Variable{Name: "other", Value: json.RawMessage("1")})
		c.jobs, c.runs[run.Key()] = append(c.jobs, l), run
	}
	o := newOperation(c, func(o *operation.Options) {
		o.Workspace.Variables = []*hclspec.Variable{{Name: "lr", Value: now}, {Name: "other", Value: now}, {Name: "epochs", Value: now}}
	})
	p, err := o.Plan(t.Context(), operation.Request{Jobs: jobs(now, now), Earlier: func(in hclspec.Inputs) ([]*resolve.Job, bool) {
		values := in.Variables
		value := func(name string) string { return cmp.Or(string(values[name]), now) }
		return jobs(value("lr"), value("epochs")), true
	}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, g := range p.Groups() {
		got = append(got, fmt.Sprint(g.Cause, " ", len(g.Members), " ", g.Members[0].Change.Fields[0].Cause))
	}
	if diff := gocmp.Diff([]string{"var.lr, var.epochs 2 var.lr, var.epochs", " 1 var.lr"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestEarlierValuesAreLimited submits jobs with many values of a variable.
// When resolving the jobs, a plan must use only a few of these values, each
// of them only once.
func TestEarlierValuesAreLimited(t *testing.T) {
	t.Parallel()
	c := &recorded{runs: map[history.Key]*history.Run{}}
	var jobs []*resolve.Job
	for i := range 40 {
		name := fmt.Sprintf("j%d", i)
		jobs = append(jobs, newJob(name, "train 20"))
		l := live(newJob(name, fmt.Sprint("train ", i/2)))
		run := record(l, fmt.Sprint(i/2))
		c.jobs, c.runs[run.Key()] = append(c.jobs, l), run
	}
	resolved := map[string]int{}
	o := newOperation(c, func(o *operation.Options) { o.Workspace.Variables = []*hclspec.Variable{{Name: "epochs", Value: "20"}} })
	p, err := o.Plan(t.Context(), operation.Request{Jobs: jobs, Earlier: func(in hclspec.Inputs) ([]*resolve.Job, bool) {
		values := in.Variables
		value := values["epochs"]
		resolved[string(value)]++
		earlier := make([]*resolve.Job, len(jobs))
		for i := range jobs {
			earlier[i] = newJob(jobs[i].Name, "train "+string(value))
		}
		return earlier, true
	}})
	if err != nil {
		t.Fatal(err)
	}
	caused := 0
	for _, change := range p.Changes {
		if change.Fields[0].Cause != "" {
			caused++
		}
	}
	if len(resolved) != 10 || caused != 20 {
		t.Errorf("%d jobs have a cause, want 20; values resolved: %v, want 10", caused, resolved)
	}
	for value, n := range resolved {
		if n != 1 {
			t.Errorf("the jobs were resolved %d times with the value %s, want once", n, value)
		}
	}
}
