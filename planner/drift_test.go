package planner

import (
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

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
				t.Errorf("%s (%s), want %s", c.Action, c.Reason, tt.want)
			}
			if tt.want == Update && (!c.SecretsMissing() || !strings.Contains(c.Reason, "somebody else")) {
				t.Errorf("change %+v", c)
			}
		})
	}
}
