// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"strings"
	"testing"
)

// A state identifies its job by UID, not by name.
func TestAJobThatWasCreatedAgainOutsideIsNotDestroyed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	i, config := running(t, dir)
	remove(t, dir)
	other := start(t, dir).resource("openpai_job")
	other.mustApply(config, "create")

	i = i.afresh(dir)
	if text := i.applyPlanned(i.planFrom(nil, i.state, i.private)); !strings.Contains(text, "deleted and created again outside Terraform") || i.state.IsNull() {
		t.Errorf("%s", text)
	}
	other = other.afresh(dir)
	if text := other.refresh(); text != "" || other.text("state") != "RUNNING" {
		t.Errorf("the other job is %s\n%s", other.text("state"), text)
	}
	if text := i.refresh(); text != "" {
		t.Fatal(text)
	}
	if text := i.applyPlanned(i.planFrom(nil, i.state, i.private)); strings.Contains(text, "error: ") || !i.state.IsNull() {
		t.Errorf("after it was read: %s", text)
	}
}

func TestAJobThatRunsIsNotReplacedByACreation(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	i, config := running(t, dir, tree{"gang_allocation": false})
	for name, other := range map[string]tree{
		"another command, which would replace the job":        worker(clone(config), tree{"commands": []string{"sleep 1001"}}),
		"another number of tasks, which would change the job": worker(clone(config), tree{"instances": 2}),
	} {
		created := start(t, dir).resource("openpai_job")
		if _, text := created.apply(other); !strings.Contains(text, "error: ") || !strings.Contains(text, "address of this resource: import {") || !created.state.IsNull() {
			t.Errorf("%s: %s", name, text)
		}
	}
	i = i.afresh(dir)
	before := decodeJobPrivate(i.private).UID
	if text := i.refresh(); text != "" || decodeJobPrivate(i.private).UID != before {
		t.Errorf("it was still replaced: %s", text)
	}
	if p := i.plan(config); p.action(i.state) != "none" {
		t.Errorf("%s\n%s", p.action(i.state), diff(i.state, p.state))
	}
}

func TestJobsOfOthersAreNeitherReadNorImported(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	i := start(t, dir).resource("openpai_job")
	i.mustApply(job([]string{"true"}, tree{"wait_for": "completed"}), "create")
	tests := map[string]struct{ block, id, want string }{
		"another workspace": {"workspace", "alice~mnist", `belongs to the workspace "terraform", but this configuration is for the workspace "bob"`},
		"another user":      {"user", "alice~mnist", `exists for the user "alice", but this configuration is for the user "bob"`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			block := tree{"directory": dir, "user": "alice"}
			block[tt.block] = "bob"
			other := startWith(t, tree{"local": block}).resource("openpai_job")
			if text := other.importID(tt.id); !strings.Contains(text, tt.want) || !other.state.IsNull() {
				t.Errorf("import: %s", text)
			}
			other.state, other.private = i.state, i.private
			if text := other.refresh(); !strings.Contains(text, tt.want) || other.state.IsNull() {
				t.Errorf("read: %s", text)
			}
		})
	}
}

// A plan includes changes outside Terraform that no attribute of the state
// shows.
func TestAChangeThatTheStateDoesNotShowIsPutBack(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	i, config := running(t, dir)
	other := i.afresh(dir)
	if action, text := other.apply(changed(config, "job_retry_count", 3)); action != "update" {
		t.Fatalf("%s\n%s", action, text)
	}
	i = i.afresh(dir)
	if text := i.refresh(); text != "" {
		t.Fatal(text)
	}
	if action, text := i.apply(config); action != "update" || strings.Contains(text, "error: ") {
		t.Errorf("%s\n%s", action, text)
	}
	if p := i.plan(config); p.action(i.state) != "none" {
		t.Errorf("%s\n%s", p.action(i.state), diff(i.state, p.state))
	}
}
