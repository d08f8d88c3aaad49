// SPDX-License-Identifier: MPL-2.0

package local

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

func TestTheStageOfAnAttemptDependsOnItsState(t *testing.T) {
	t.Parallel()
	recorded := &stage.Record{Version: stage.Version, Stage: stage.Fetching, Step: "prerequisite.data.a"}
	for name, c := range map[string]struct {
		state  framework.State
		record *stage.Record
		want   stage.Name
	}{
		"its process has not been started yet":         {framework.StateAttemptCreationRequested, nil, stage.Scheduling},
		"its runtime has not recorded a stage yet":     {framework.StateAttemptPreparing, nil, stage.Preparing},
		"its runtime recorded a stage":                 {framework.StateAttemptRunning, recorded, stage.Fetching},
		"its process runs without a recorded stage":    {framework.StateAttemptRunning, nil, ""},
		"it has ended, despite a remaining stage file": {framework.StateAttemptCompleted, recorded, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := store.TaskDir(t.TempDir())
			if err := os.MkdirAll(dir.Root(), 0o755); err != nil {
				t.Fatal(err)
			}
			if c.record != nil {
				if err := stage.Write(dir.Root(), *c.record); err != nil {
					t.Fatal(err)
				}
			}
			got := stageOf(dir, c.state)
			if c.want == "" && got != nil || c.want != "" && (got == nil || got.Stage != c.want) {
				t.Errorf("%+v, want %q", got, c.want)
			}
		})
	}
}

func TestTasksThatPrepareKnowHowManyAreReady(t *testing.T) {
	t.Parallel()
	attempt := func(ready bool, s *stage.Record) []cluster.TaskAttempt {
		dir := store.TaskDir(t.TempDir())
		if ready {
			if err := os.WriteFile(dir.Ready(), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return []cluster.TaskAttempt{{LogDir: dir.Logs(), Stage: s}}
	}
	waits := &stage.Record{Stage: stage.Preparing}
	over := attempt(true, nil)
	over[0].Exit = &exitspec.Record{}
	addReady(&cluster.Status{TaskRoles: []cluster.TaskRole{
		{Name: "a", Tasks: []cluster.Task{{Attempts: attempt(true, waits)}, {Index: 1, Attempts: attempt(false, nil)}}},
		{Name: "b", Tasks: []cluster.Task{{Attempts: over}, {Index: 1}}},
	}})
	if diff := cmp.Diff(&stage.Record{Stage: stage.Preparing, Ready: 1, Tasks: 4}, waits); diff != "" {
		t.Error(diff)
	}
	alone := &stage.Record{Stage: stage.Preparing}
	addReady(&cluster.Status{TaskRoles: []cluster.TaskRole{{Tasks: []cluster.Task{{Attempts: attempt(true, alone)}}}}})
	if alone.Tasks != 0 {
		t.Errorf("a single task waits for other tasks: %+v", alone)
	}
}
