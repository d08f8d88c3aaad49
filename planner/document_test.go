// SPDX-License-Identifier: MPL-2.0

package planner_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/render"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// TestAPlanIsReadAsItWasSaved ignores the manifests, which the saved form does not
// contain.
func TestAPlanIsReadAsItWasSaved(t *testing.T) {
	t.Parallel()
	changed := newJob("a", withCommands("x"), withSecret("token", ""), func(j *resolve.Job) {
		j.Parameters = map[string]any{"lr": hclspec.Number("0.10"), "deep": []any{hclspec.Number("1")}}
	})
	p := planner.New(planner.Options{
		Workspace: "ws", Jobs: []*resolve.Job{changed, newJob("new"), newJob("done")}, SecretValue: value("hunter2 is secret"),
		Live: has(newLive(newJob("a")), newLive(newJob("done"), exited(3)), newLive(newJob("gone"))),
	})
	p.Changes[0].Manifest = &render.Manifest{}
	text, err := p.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "Manifest") {
		t.Error("the saved plan contains data that is rendered again")
	}
	if strings.Contains(string(text), "hunter2") {
		t.Error("the saved plan contains the value of a secret")
	}
	got, err := planner.DecodePlan(text)
	if err != nil {
		t.Fatal(err)
	}
	ignore := cmp.Options{cmpopts.IgnoreFields(planner.Change{}, "Manifest"), cmpopts.IgnoreFields(resolve.Job{}, "Declared"), cmpopts.IgnoreFields(resolve.Secret{}, "Declared"), cmpopts.EquateEmpty()}
	if diff := cmp.Diff(p.Changes, got.Changes, ignore); diff != "" {
		t.Errorf("(-saved +read):\n%s", diff)
	}
	again, err := got.Encode()
	if err != nil || !bytes.Equal(text, again) {
		t.Errorf("encoding the plan again returns another document: %v", err)
	}
	for i, c := range p.Changes {
		if !planner.SameDecision(c, got.Changes[i]) {
			t.Errorf("the decision about %s differs", c.Address)
		}
	}
}

func TestDecisionsAreTheSameUnlessTheirEffectChanges(t *testing.T) {
	t.Parallel()
	wanted := newJob("a", withCommands("x"))
	plan := func(job *resolve.Job, live ...*planner.LiveJob) *planner.Change {
		return planner.New(planner.Options{Workspace: "ws", Jobs: []*resolve.Job{job}, Live: has(live...)}).Changes[0]
	}
	old := newJob("a")
	tests := map[string]struct {
		before, now *planner.Change
		want        bool
	}{
		"the same":                                      {plan(wanted), plan(wanted), true},
		"an unchanged job started to run":               {plan(old, newLive(old, inState(planner.StateWaiting))), plan(old, newLive(old)), true},
		"an unchanged job has ended":                    {plan(old, newLive(old)), plan(old, newLive(old, exited(1))), true},
		"a job that is replaced started to run":         {plan(wanted, newLive(old, inState(planner.StateWaiting))), plan(wanted, newLive(old)), false},
		"a job that is replaced has more running tasks": {plan(wanted, newLive(old)), plan(wanted, newLive(old, func(l *planner.LiveJob) { l.RunningTasks = 1 })), true},
		"other content":                                 {plan(wanted), plan(newJob("a", withCommands("y"))), false},
		"created meanwhile":                             {plan(wanted), plan(wanted, newLive(wanted)), false},
	}
	for name, tt := range tests {
		if got := planner.SameDecision(tt.before, tt.now); got != tt.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func TestOnlyOtherValuesAreChangedSecrets(t *testing.T) {
	t.Parallel()
	with := func(state planner.SecretState, version string) *planner.Change {
		return &planner.Change{Secrets: []planner.SecretChange{{Name: "token", State: state, Version: version}}}
	}
	tests := map[string]struct {
		before, now *planner.Change
		want        bool
	}{
		"the same value":                     {with(planner.SecretUnchanged, "hmac:1"), with(planner.SecretUnchanged, "hmac:1"), false},
		"another value":                      {with(planner.SecretUnchanged, "hmac:1"), with(planner.SecretChanged, "hmac:2"), true},
		"another new value":                  {with(planner.SecretNew, "hmac:1"), with(planner.SecretNew, "hmac:2"), true},
		"not checked, then unchanged":        {with(planner.SecretNotChecked, "hmac:1"), with(planner.SecretUnchanged, "hmac:1"), false},
		"not checked, then changed":          {with(planner.SecretNotChecked, "hmac:1"), with(planner.SecretChanged, "hmac:2"), true},
		"a new secret before the key exists": {with(planner.SecretNew, ""), with(planner.SecretNew, "hmac:2"), false},
		"not available at apply":             {with(planner.SecretUnchanged, "hmac:1"), with(planner.SecretNotChecked, "hmac:1"), false},
	}
	for name, tt := range tests {
		if got := len(planner.SecretsChanged(tt.before, tt.now)) > 0; got != tt.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
