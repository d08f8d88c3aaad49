// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"testing"

	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func TestAJobWithoutASupervisorIsContinued(t *testing.T) {
	t.Parallel()
	job := &resolve.Job{Address: "job.mnist", Name: "mnist", Framework: "f", Workspace: "w", Cluster: "local"}
	hash, fields := Hashes(job)
	live := &LiveJob{
		Address: job.Address, Workspace: "w", Framework: "f", Present: true, State: StateRunning,
		Hash: hash, Fields: fields, Drift: []Drift{SupervisorGone},
	}
	p := New(Options{Workspace: "w", Jobs: []*resolve.Job{job}, Live: map[string]*Snapshot{"local": {Jobs: []*LiveJob{live}}}})
	if c := p.Changes[0]; c.Action != Update || c.Reason.Code != ReasonUnsupervised || c.SecretsMissing() {
		t.Errorf("change %+v", c)
	}
}

func TestAnUnreadableJobIsLeftAlone(t *testing.T) {
	t.Parallel()
	job := &resolve.Job{Address: "job.mnist", Name: "mnist", Framework: "f", Workspace: "w", Cluster: "local"}
	for name, live := range map[string]*LiveJob{
		"with a record":       {Address: job.Address, Workspace: "w", Unreadable: &Unreadable{File: "status.json"}},
		"with nothing at all": {Address: `job["f"]`, Workspace: "w", Unreadable: &Unreadable{File: "status.json", Unknown: true}},
	} {
		live.Framework, live.Present, live.State = "f", true, StateUnreadable
		other := *live
		other.Framework = "g"
		other.Unreadable = &Unreadable{File: "status.json", Unknown: true}
		p := New(Options{Workspace: "w", Jobs: []*resolve.Job{job}, Live: map[string]*Snapshot{"local": {Jobs: []*LiveJob{live, &other}}}})
		if len(p.Changes) != 1 || p.Changes[0].Action != NoOp || p.Changes[0].Reason.Code != ReasonUnreadable || p.Diagnostics.HasErrors() {
			t.Errorf("%s: %+v, diagnostics %v", name, p.Changes[0], p.Diagnostics)
		}
	}
}

func TestDriftIsPutBackWhileAJobRuns(t *testing.T) {
	t.Parallel()
	drift := []Drift{{Object: "Secret x-configcred", Kind: DriftMissing}}
	tests := map[string]struct {
		state JobState
		want  Action
	}{
		"a running job":  {StateRunning, Update},
		"a finished job": {StateSucceeded, NoOp},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			job := &resolve.Job{Address: "job.mnist", Name: "mnist", Framework: "f", Workspace: "w", Cluster: "gpu"}
			hash, fields := Hashes(job)
			live := &LiveJob{Address: job.Address, Workspace: "w", Framework: "f", Present: true, State: tt.state, Hash: hash, Fields: fields, Drift: drift}
			p := New(Options{Workspace: "w", Jobs: []*resolve.Job{job}, Live: map[string]*Snapshot{"gpu": {Jobs: []*LiveJob{live}}}})
			c := p.Changes[0]
			if c.Action != tt.want {
				t.Errorf("%s (%s), want %s", c.Action, c.Reason.Code, tt.want)
			}
			if tt.want == Update && (!c.SecretsMissing() || c.Reason.Code != ReasonDrift) {
				t.Errorf("change %+v", c)
			}
		})
	}
}
