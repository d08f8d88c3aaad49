// SPDX-License-Identifier: MPL-2.0

package planner_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// changeLines returns "path: before -> after (effect)", with "?" for an unknown
// value.
func changeLines(changes []planner.FieldChange) []string {
	side := func(v any, known bool) string {
		switch {
		case !known:
			return "?"
		case v == nil:
			return "absent"
		}
		return fmt.Sprint(v)
	}
	var all []string
	for _, c := range changes {
		all = append(all, fmt.Sprintf("%s: %s -> %s (%s)", c.Path, side(c.Before, c.BeforeKnown), side(c.After, c.AfterKnown), c.Effect))
	}
	return all
}

func TestChangedFieldsAreListedWithTheirValues(t *testing.T) {
	t.Parallel()
	step := func(name string) *resolve.Step {
		return &resolve.Step{Address: "prerequisite.script." + name, Name: name, Plugin: "cmd"}
	}
	steps := func(names ...string) jobOption {
		return withRole(func(r *resolve.TaskRole) {
			for _, n := range names {
				r.Steps = append(r.Steps, step(n))
			}
		})
	}
	roles := func(names ...string) jobOption {
		return func(j *resolve.Job) {
			for _, n := range names {
				j.TaskRoles = append(j.TaskRoles, &resolve.TaskRole{Name: n, Instances: 1})
			}
		}
	}
	tests := map[string]struct {
		before, after *resolve.Job
		hashesOnly    bool
		want          []string
	}{
		"a new first command is one change": {
			newJob("j", withCommands("a", "b")), newJob("j", withCommands("x", "a", "b")), false,
			[]string{`task_role["worker"].commands[0]: absent -> x (replace)`},
		},
		"hashes are enough to find the command": {
			newJob("j", withCommands("a", "b", "c")), newJob("j", withCommands("a", "c")), true,
			[]string{`task_role["worker"].commands[1]: ? -> absent (replace)`},
		},
		"a changed command is paired": {
			newJob("j", withCommands("a", "b", "c")), newJob("j", withCommands("a", "x", "c")), false,
			[]string{`task_role["worker"].commands[1]: b -> x (replace)`},
		},
		"only the new value of a field with a hash is known": {
			newJob("j"), newJob("j", withRole(func(r *resolve.TaskRole) { r.CPU = 8 })), true,
			[]string{`task_role["worker"].resources.cpu: ? -> 8 (replace)`},
		},
		"a number that was zero has the old value 0": {
			newJob("j"), newJob("j", withRole(func(r *resolve.TaskRole) { r.GPU = 1 })), true,
			[]string{`task_role["worker"].resources.gpu: 0 -> 1 (replace)`},
		},
		"a bool that becomes false has the new value false": {
			newJob("j"), newJob("j", func(j *resolve.Job) { j.GangAllocation = false }), false,
			[]string{"gang_allocation: true -> false (replace)"},
		},
		"an empty string counts as absent": {
			newJob("j"), newJob("j", func(j *resolve.Job) { j.Description = "new" }), false,
			[]string{"description: absent -> new (none)"},
		},
		"durations are shown as written": {
			newJob("j"), newJob("j", func(j *resolve.Job) { j.MaxWaitSeconds = 5400 }), false,
			[]string{"max_wait_time: 10m -> 1h30m (replace)"},
		},
		"maps are compared by key": {
			newJob("j", withRole(func(r *resolve.TaskRole) { r.Environment = map[string]string{"A": "1", "B": "2"} })),
			newJob("j", withRole(func(r *resolve.TaskRole) { r.Environment = map[string]string{"B": "3", "C": ""} })), false,
			[]string{
				`task_role["worker"].environment["B"]: 2 -> 3 (replace)`, `task_role["worker"].environment["C"]: absent ->  (replace)`,
				`task_role["worker"].environment["A"]: 1 -> absent (replace)`,
			},
		},
		"a new step does not change the paths of other steps": {
			newJob("j", steps("a", "c")), newJob("j", steps("a", "b", "c")), false,
			[]string{
				`task_role["worker"].prerequisites["prerequisite.script.b"].name: absent -> b (replace)`,
				`task_role["worker"].prerequisites["prerequisite.script.b"].plugin: absent -> cmd (replace)`,
			},
		},
		"a changed start order is reported": {
			newJob("j", steps("a", "b")), newJob("j", steps("b", "a")), false,
			[]string{`task_role["worker"].prerequisites: [prerequisite.script.a prerequisite.script.b] -> [prerequisite.script.b prerequisite.script.a] (replace)`},
		},
		"a changed start order is also detected from hashes": {
			newJob("j", steps("a", "b")), newJob("j", steps("b", "a")), true,
			[]string{`task_role["worker"].prerequisites: ? -> [prerequisite.script.b prerequisite.script.a] (replace)`},
		},
		"a changed order of task roles is reported": {
			newJob("j", roles("a", "b")), newJob("j", roles("b", "a")), true,
			[]string{"task_role_order: ? -> [worker b a] (replace)"},
		},
		"changes are in the order of the task roles, removed roles last": {
			newJob("j", roles("a", "gone")), newJob("j", withInstances(5), roles("a", "b"), func(j *resolve.Job) { j.JobRetryCount = 1; j.TaskRoles[1].Instances = 7 }), false,
			[]string{
				"job_retry_count: 0 -> 1 (in-place)", `task_role["worker"].instances: 2 -> 5 (replace)`,
				`task_role["a"].instances: 1 -> 7 (replace)`, `task_role["b"].instances: absent -> 1 (replace)`,
				`task_role["gone"].instances: 1 -> absent (replace)`,
			},
		},
		"a key with quotes and brackets is a key": {
			newJob("j"), newJob("j", func(j *resolve.Job) { j.Parameters = map[string]any{`a"][0`: "x"} }), false,
			[]string{`parameters["a\"][0"]: absent -> x (replace)`},
		},
		"a value that became a map": {
			newJob("j", func(j *resolve.Job) { j.Extras = map[string]any{"a": "x"} }),
			newJob("j", func(j *resolve.Job) { j.Extras = map[string]any{"a": map[string]any{"b": true}} }), false,
			[]string{`extras["a"]["b"]: absent -> true (replace)`, `extras["a"]: x -> absent (replace)`},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			live := newLive(tt.before)
			if tt.hashesOnly {
				withoutValues(live)
			}
			p := planner.New(planner.Options{Workspace: "ws", Jobs: []*resolve.Job{tt.after}, Live: has(live)})
			if diff := cmp.Diff(tt.want, changeLines(p.Changes[0].Fields)); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
		})
	}
}

// TestPlanAfterApplyIsEmpty checks that a plan is empty if the record of the
// applied job matches the declared job.
func TestPlanAfterApplyIsEmpty(t *testing.T) {
	t.Parallel()
	for _, live := range []*planner.LiveJob{newLive(wholeJob()), newLive(wholeJob(), withoutValues)} {
		p := planner.New(planner.Options{Workspace: "ws", Jobs: []*resolve.Job{wholeJob()}, Live: has(live)})
		if !p.Empty() || len(p.Changes[0].Fields) > 0 {
			t.Errorf("plan is not empty: %s %v", p.Changes[0].Reason, changeLines(p.Changes[0].Fields))
		}
	}
}
