// SPDX-License-Identifier: MPL-2.0

package planner_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func TestDifferencesOfTwoDecisionsAreListed(t *testing.T) {
	t.Parallel()
	job := func(command, user string) *resolve.Job {
		return &resolve.Job{
			Address: "job.a", Name: "a", User: user,
			TaskRoles: []*resolve.TaskRole{{Name: "worker", Instances: 1, Commands: []string{command}}},
		}
	}
	change := func(edit func(*planner.Change)) *planner.Change {
		c := &planner.Change{Address: "job.a", Action: planner.Replace, Job: job("ls", "alice"), Reason: planner.Reason{Code: planner.ReasonContent}}
		edit(c)
		return c
	}
	command := hclspec.Path(`task_role["worker"].commands[0]`)
	tests := map[string]struct {
		edit func(*planner.Change)
		want planner.DecisionDifference
	}{
		"the same decision": {func(*planner.Change) {}, planner.DecisionDifference{}},
		"another declared value": {
			func(c *planner.Change) { c.Job = job("date", "alice") }, planner.DecisionDifference{Fields: []hclspec.Path{command}},
		},
		"a field whose declared and applied values differ is listed once": {
			func(c *planner.Change) {
				c.Job, c.Fields = job("date", "alice"), []planner.FieldChange{{Path: command, Before: "x", After: "date"}, {Path: "retry_count"}}
			},
			planner.DecisionDifference{Fields: []hclspec.Path{command, "retry_count"}},
		},
		"another user": {
			func(c *planner.Change) { c.Job = job("ls", "bob") }, planner.DecisionDifference{Fields: []hclspec.Path{"user"}},
		},
		"an object with another size": {
			func(c *planner.Change) { c.Objects = []planner.Object{{Kind: "ConfigMap", Name: "f", Bytes: 1}} },
			planner.DecisionDifference{Objects: []string{"ConfigMap f"}},
		},
		"another reason, effect and drift": {
			func(c *planner.Change) {
				c.Reason.Code, c.Impact.Code, c.Drift = planner.ReasonRerun, planner.ImpactRunningEnds, []planner.Drift{planner.SupervisorGone}
			},
			planner.DecisionDifference{Reason: true, Impact: true, Drift: true},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := planner.CompareDecisions(change(func(*planner.Change) {}), change(tt.edit))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
