// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// TestThePlanMarksTheAttributeThatReplacesTheJob changes job attributes that
// task roles inherit.
func TestThePlanMarksTheAttributeThatReplacesTheJob(t *testing.T) {
	t.Parallel()
	script := func(command string) []any {
		callback := tree{"event": "taskStarts", "commands": []any{command}}
		return []any{tree{"type": "script", "name": "setup", "callbacks": []any{callback}}}
	}
	deployment := func(command string) tree {
		return tree{"prod": tree{"task_roles": tree{"worker": tree{"pre_commands": []string{command}}}}}
	}
	const hash = `AttributeName("content_hash")` // also marked if the changed attribute accepts any type, because Terraform does not show the mark of such an attribute
	for name, c := range map[string]struct {
		before, after tree
		want          string
	}{
		"environment": {
			before: tree{"environment": tree{"MODE": "a", "KEPT": "1"}},
			after:  tree{"environment": tree{"MODE": "b", "KEPT": "1"}},
			want:   `AttributeName("environment")`,
		},
		"parameters": {
			before: tree{"parameters": tree{"rate": hclspec.Number("1")}, "environment": tree{"RATE": "<% $parameters.rate %>"}},
			after:  tree{"parameters": tree{"rate": hclspec.Number("2")}, "environment": tree{"RATE": "<% $parameters.rate %>"}},
			want:   `AttributeName("parameters") ` + hash,
		},
		"max_run_time": {
			before: tree{"max_run_time": "1h"},
			after:  tree{"max_run_time": "2h"},
			want:   `AttributeName("max_run_time")`,
		},
		"prerequisites": {
			before: worker(job([]string{"sleep 1000"}, tree{"prerequisites": script("true")}), tree{"prerequisites": []any{tree{"use": "setup"}}}),
			after:  tree{"prerequisites": script("false")},
			want:   `AttributeName("prerequisites") ` + hash,
		},
		"deployments": {
			before: tree{"default_deployment": "prod", "deployments": deployment("true")},
			after:  tree{"default_deployment": "prod", "deployments": deployment("false")},
			want:   `AttributeName("deployments")`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i, config := running(t, t.TempDir(), c.before)
			for name, value := range c.after {
				config[name] = value
			}
			if p := i.plan(config); strings.Join(p.replace, " ") != c.want {
				t.Errorf("the plan marks %v, want %s\n%s", p.replace, c.want, p.diagnostics)
			}
		})
	}
}
