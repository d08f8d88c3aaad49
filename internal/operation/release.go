// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"errors"
	"fmt"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// Release releases the held tasks of a job that match the filter. It calls done for
// each released task and returns the number of released tasks. It sends a request
// to every selected running task, because stages may be a few seconds old.
func Release(ctx context.Context, j Job, f LogFilter, done func(role string, index int)) (released int, err error) {
	r, ok := j.Cluster.(cluster.Releaser)
	if !ok || j.State.Finished() {
		return 0, nil
	}
	st, err := j.Status(ctx)
	if err != nil {
		return 0, err
	}
	for _, role := range st.TaskRoles {
		for i := range role.Tasks {
			task := &role.Tasks[i]
			a := task.Latest()
			if a == nil || a.State != string(planner.StateRunning) || a.Exit != nil || !f.AcceptsTask(role.Name, task.Index) {
				continue
			}
			err := r.Release(ctx, j.Framework, role.Name, task.Index)
			if errors.Is(err, stage.ErrNotHeld) || errors.Is(err, cluster.ErrNotFound) {
				continue
			}
			if err != nil {
				return released, fmt.Errorf("release %s, task %s[%d]: %w", j.Address, role.Name, task.Index, err)
			}
			released++
			done(role.Name, task.Index)
		}
	}
	return released, nil
}
