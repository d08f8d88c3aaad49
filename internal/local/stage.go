// SPDX-License-Identifier: MPL-2.0

package local

import (
	"path/filepath"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

// stageOf returns the stage of an attempt that has not ended, or nil if the stage
// is unknown. Before the runtime records a stage, stageOf derives the stage from
// the state.
func stageOf(dir store.TaskDir, state framework.State) *stage.Record {
	switch state {
	case framework.StateAttemptCreationPending, framework.StateAttemptCreationRequested:
		return &stage.Record{Version: stage.Version, Stage: stage.Scheduling}
	case framework.StateAttemptPreparing, framework.StateAttemptRunning:
		if r := stage.Read(dir.Root()); r != nil {
			return r
		}
		if state == framework.StateAttemptPreparing {
			return &stage.Record{Version: stage.Version, Stage: stage.Preparing}
		}
	}
	return nil
}

// addReady adds the number of ready tasks to the stage of each preparing
// task.
func addReady(st *cluster.Status) {
	cluster.AddReady(st, func(_ string, t *cluster.Task) bool {
		a := t.Latest()
		return a != nil && a.Exit == nil && store.Exists(store.TaskDir(filepath.Dir(a.LogDir)).Ready())
	})
}
