package provider

import (
	"testing"
)

// job returns the configuration of a job with one task role, changed by the
// given attributes.
func job(commands []string, more ...tree) tree {
	role := tree{"image": "ubuntu:22.04", "commands": commands, "resources": tree{"gpu": 0, "cpu": 1, "memory_mb": 64}}
	c := tree{"name": "mnist", "task_roles": tree{"worker": role}}
	for _, m := range more {
		for k, v := range m {
			c[k] = v
		}
	}
	return c
}

func TestAJobIsCreatedReadPlannedAndDestroyed(t *testing.T) {
	tf := start(t, t.TempDir())
	i := tf.resource("openpai_job")
	config := job([]string{"echo hello"}, tree{"wait_for": "completed"})

	if action, text := i.apply(config); action != "create" || unexpected(text) != "" {
		t.Fatalf("%s\n%s", action, text)
	}
	if got := i.text("state"); got != "SUCCEEDED" {
		t.Errorf("state is %q", got)
	}
	if text := i.refresh(); text != "" {
		t.Fatal(text)
	}
	if p := i.plan(config); p.action(i.state) != "none" {
		t.Errorf("second plan: %s %v\n%s\n%s", p.action(i.state), p.replace, p.findings, diff(i.state, p.state))
	}
	if action, text := i.apply(nil); action != "destroy" || text != "" {
		t.Errorf("%s\n%s", action, text)
	}
}
