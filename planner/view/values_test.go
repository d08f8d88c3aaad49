// SPDX-License-Identifier: MPL-2.0

package view_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// TestValuesOfInstancesShareALine checks the lines for instances that differ in the
// same fields.
func TestValuesOfInstancesShareALine(t *testing.T) {
	t.Parallel()
	line := func(i int, changed bool) []string {
		return []string{fmt.Sprintf("train --seed %d --amp %t", i, changed)}
	}
	tests := map[string]struct {
		instances int
		commands  func(i int, changed bool) []string
		want      string
	}{
		"one line": {3, line, `
    job.exp[0-2]:
      ~ task_role["worker"].commands  # replaces the job
          ~ ["0"]: "train --seed 0 --amp false" -> "train --seed 0 --amp true"
          ~ ["1"]: "train --seed 1 --amp false" -> "train --seed 1 --amp true"
          ~ ["2"]: "train --seed 2 --amp false" -> "train --seed 2 --amp true"
`},
		"several lines": {3, func(i int, changed bool) []string {
			return []string{fmt.Sprintf("a %d %t", i, changed), fmt.Sprintf("b %d %t", i, changed)}
		}, `
    job.exp[0-2]:
      ~ task_role["worker"].commands  # replaces the job
            ["0"]:
          -   a 0 false
          +   a 0 true
          -   b 0 false
          +   b 0 true
`},
		"equal values of some": {5, func(i int, changed bool) []string { return line(i/3, changed) }, `
    job.exp[0-4]:
      ~ task_role["worker"].commands  # replaces the job
          ~ [0-2]: "train --seed 0 --amp false" -> "train --seed 0 --amp true"
          ~ ["3"]: "train --seed 1 --amp false" -> "train --seed 1 --amp true"
          ~ ["4"]: "train --seed 1 --amp false" -> "train --seed 1 --amp true"
`},
		"quotes and characters that reverse the text direction": {3, func(i int, changed bool) []string {
			return []string{fmt.Sprintf("echo \"\u202e%d\" %t", i, changed)}
		}, `
          ~ ["2"]: "echo \"\u202e2\" false" -> "echo \"\u202e2\" true"
`},
		"too long": {4, func(i int, changed bool) []string {
			return []string{fmt.Sprintf("%d %t %s", i, changed, strings.Repeat("x", 3000))}
		}, `
    The values of 2 more instances are not shown: job.exp[2, 3].
`},
		"too many": {14, line, `
          ~ ["11"]: "train --seed 11 --amp false" -> "train --seed 11 --amp true"

    The values of 2 more instances are not shown: job.exp[12, 13].
`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shown := text(t, changedCommands(tt.instances, tt.commands), view.TextOptions{})
			if !strings.Contains(shown, tt.want) {
				t.Errorf("no\n%s\nin:\n%s", tt.want, shown)
			}
		})
	}
}

// TestMarkdownShowsValuesOfInstancesAsADiff checks that each line for a value begins
// with a diff symbol.
func TestMarkdownShowsValuesOfInstancesAsADiff(t *testing.T) {
	t.Parallel()
	shown := markdown(t, changedCommands(14, func(i int, changed bool) []string { return []string{fmt.Sprint(i, changed)} }), view.MarkdownOptions{})
	_, block, _ := strings.Cut(shown, "```diff\n")
	block, _, _ = strings.Cut(block, "```")
	lines := strings.Split(block, "\n")
	want := []string{
		"  job.exp[0-13]:", `~ task_role["worker"].commands  # replaces the job`, `~   ["0"]: "0 false" -> "0 true"`,
		"  The values of 2 more instances are not shown: job.exp[12, 13].", "",
	}
	if len(lines) < 5 {
		t.Fatalf("no difference in:\n%s", shown)
	}
	if diff := cmp.Diff(want, append(lines[:3:3], lines[len(lines)-2:]...)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// changedCommands returns a plan that replaces n instances.
func changedCommands(n int, commands func(i int, changed bool) []string) *planner.Plan {
	o := planner.Options{Workspace: "team", Live: map[string]*planner.Snapshot{"gpu": {}}}
	instance := func(i int, changed bool) *resolve.Job {
		job := trainJob()
		job.Address, job.Name = hclspec.Address(fmt.Sprintf("job.exp[\"%d\"]", i)), fmt.Sprintf("exp-%d", i)
		job.Framework, job.Secrets = fmt.Sprintf("%032x", i), nil
		job.TaskRoles[0].Commands = commands(i, changed)
		return job
	}
	for i := range n {
		o.Live["gpu"].Jobs = append(o.Live["gpu"].Jobs, liveJob(instance(i, false)))
		o.Jobs = append(o.Jobs, instance(i, true))
	}
	return planner.New(o)
}
