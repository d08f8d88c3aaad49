// SPDX-License-Identifier: MPL-2.0

package planner_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// TestAChangedVariableIsTheCauseOfFields checks which changed fields have a variable
// as their cause. "earlier" is the declared job with the previous value of the
// variable "epochs".
func TestAChangedVariableIsTheCauseOfFields(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		applied, now, earlier *resolve.Job
		live                  []liveOption
		want                  []string
	}{
		"only the variable changed": {
			newJob("a", withCommands("train 1")), newJob("a", withCommands("train 2")), newJob("a", withCommands("train 1")), nil,
			[]string{`task_role["worker"].commands[0]: var.epochs`},
		},
		"only the hashes of the applied job are known": {
			newJob("a", withCommands("train 1")), newJob("a", withCommands("train 2")), newJob("a", withCommands("train 1")),
			[]liveOption{func(l *planner.LiveJob) { l.Applied = nil }},
			[]string{`task_role["worker"].commands[0]: var.epochs`},
		},
		"the expression also changed": {
			newJob("a", withCommands("train 1")), newJob("a", withCommands("fit 2")), newJob("a", withCommands("fit 1")), nil,
			[]string{`task_role["worker"].commands[0]: `},
		},
		"another field also changed": {
			newJob("a", withCommands("train 1")), newJob("a", withCommands("train 2"), withInstances(9)), newJob("a", withCommands("train 1"), withInstances(9)), nil,
			[]string{`task_role["worker"].instances: `, `task_role["worker"].commands[0]: var.epochs`},
		},
		"the field has another cause, and the variable has no effect": {
			newJob("a", step("prerequisite.script.env", "one")), newJob("a", step("prerequisite.script.env", "two")), newJob("a", step("prerequisite.script.env", "two")), nil,
			[]string{`task_role["worker"].prerequisites["prerequisite.script.env"].callback["taskStarts"].commands[0]: prerequisite.script.env`},
		},
		"the variable changed a prerequisite": {
			newJob("a", step("prerequisite.script.env", "one")), newJob("a", step("prerequisite.script.env", "two")), newJob("a", step("prerequisite.script.env", "one")), nil,
			[]string{`task_role["worker"].prerequisites["prerequisite.script.env"].callback["taskStarts"].commands[0]: var.epochs`},
		},
		"a list in which another element also changed": {
			newJob("a", withCommands("train 1", "date")), newJob("a", withCommands("ls", "train 2", "date")), newJob("a", withCommands("ls", "train 1", "date")), nil,
			[]string{`task_role["worker"].commands[0]: `, `task_role["worker"].commands[1]: `},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			live := newLive(tt.applied, tt.live...)
			p := planner.New(planner.Options{Workspace: "ws", Jobs: []*resolve.Job{tt.now}, Live: has(live)})
			p.Changes[0].AttributeTo([]hclspec.Address{"var.epochs"}, tt.earlier, live)
			var got []string
			for _, f := range p.Changes[0].Fields {
				got = append(got, fmt.Sprintf("%s: %s", f.Path, f.Cause))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestJobsChangedByOneVariableFormAGroup checks that jobs changed by one variable form
// a group, whatever their changed fields. It also checks that the paths contain the
// task role.
func TestJobsChangedByOneVariableFormAGroup(t *testing.T) {
	t.Parallel()
	before := []*resolve.Job{newJob("a", withCommands("train 1")), newJob("b", withCommands("train 1")), newJob("c", withCommands("test 1")), newJob("d")}
	after := []*resolve.Job{newJob("a", withCommands("train 2")), newJob("b", withCommands("train 2"), withInstances(9)), newJob("c", withCommands("test 2")), newJob("d", withInstances(9))}
	p := planner.New(planner.Options{Workspace: "ws", Jobs: after, Live: has(newLive(before[0]), newLive(before[1]), newLive(before[2]), newLive(before[3]))})
	earlier := slices.Clone(before)
	earlier[1], earlier[3] = newJob("b", withCommands("train 1"), withInstances(9)), after[3]
	for i, c := range p.Changes {
		c.AttributeTo([]hclspec.Address{"var.epochs"}, earlier[i], newLive(before[i]))
	}
	if diff := cmp.Diff([]string{"var.epochs changed: job.a+1 job.b+2 job.c+1", "job.d"}, describe(p.Groups())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	p.Changes = p.Changes[:2]
	g := p.Groups()[0]
	if len(g.Shared) != 1 || g.Shared[0].Path != `task_role["worker"].commands[0]` || g.CauseKind != planner.CauseChanged {
		t.Errorf("shared fields %v, kind %s", g.Shared, g.CauseKind)
	}
}
