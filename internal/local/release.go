// SPDX-License-Identifier: MPL-2.0

package local

import (
	"context"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/local/process"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/internal/local/task"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

// Release implements cluster.Releaser.
func (c *Cluster) Release(ctx context.Context, framework, role string, index int) error {
	dir, err := c.runningTask(framework, role, index)
	if err != nil {
		return err
	}
	return stage.RequestRelease(ctx, dir.Root())
}

// runningTask returns the directory of a task's current attempt. role is the
// task role's declared name or its name in the Framework.
func (c *Cluster) runningTask(framework, role string, index int) (store.TaskDir, error) {
	o, err := c.object(framework)
	if err != nil {
		return "", err
	}
	fw, _, err := o.Load()
	if err != nil {
		return "", err
	}
	if fw.Status != nil {
		attempt := fw.Status.AttemptStatus
		for _, r := range attempt.TaskRoleStatuses {
			for _, t := range r.TaskStatuses {
				dir := c.layout.TaskAttempt(framework, attempt.ID, store.TaskKey{Role: r.Name, Index: t.Index}, t.AttemptStatus.ID)
				if int(t.Index) == index && isRole(dir, r.Name, role) && isAlive(dir) {
					return dir, nil
				}
			}
		}
	}
	return "", cluster.NotFound("task %s[%d] is not running", role, index)
}

// isRole reports whether role is the name of a task's role, either the
// declared name or the name in the Framework.
func isRole(dir store.TaskDir, name, role string) bool {
	var l task.Launch
	return name == role || store.ReadJSON(dir.Launch(), &l) == nil && task.RoleOf(&l).Written == role
}

func isAlive(dir store.TaskDir) bool {
	var p process.ID
	return store.ReadJSON(dir.Process(), &p) == nil && p.Alive() && !store.Exists(dir.Exit())
}
