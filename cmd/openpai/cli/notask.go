// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
)

// checkTask is like [noTask], but reads the statuses of the jobs.
func checkTask(ctx context.Context, jobs []operation.Job, f operation.LogFilter) error {
	var statuses []*cluster.Status
	for _, j := range jobs {
		st, err := j.Status(ctx)
		if err != nil {
			return err
		}
		statuses = append(statuses, st)
	}
	return noTask(statuses, f)
}

// noTask returns an error if a filter for a role or an index selects no task. The
// error lists the existing tasks.
func noTask(statuses []*cluster.Status, f operation.LogFilter) error {
	if f.Role == "" && f.Index < 0 {
		return nil
	}
	var roles, existing []string
	for _, st := range statuses {
		var tasks []string
		for _, role := range st.TaskRoles {
			for _, t := range role.Tasks {
				if f.AcceptsTask(role.Name, t.Index) {
					return nil
				}
			}
			roles = append(roles, role.Name)
			tasks = append(tasks, tasksOf(role)...)
		}
		if len(tasks) == 0 {
			tasks = []string{"no tasks yet"}
		}
		existing = append(existing, st.Address+" has "+quantity.List(tasks, "task role"))
	}
	suggestion := ""
	if !slices.Contains(roles, f.Role) {
		suggestion = hclspec.Suggest(f.Role, roles)
	}
	return fmt.Errorf("%s does not exist: %s.%s", taskName(f), quantity.List(existing, "job"), suggestion)
}

// taskName describes the tasks that a filter selects, for an error message.
func taskName(f operation.LogFilter) string {
	switch {
	case f.Role == "":
		return fmt.Sprintf("a task with the index %d", f.Index)
	case f.Index < 0:
		return fmt.Sprintf("task role %q", f.Role)
	}
	return fmt.Sprintf("task %s[%d]", f.Role, f.Index)
}

// tasksOf lists the tasks of a role for an error message. Three or more tasks
// become a range, because task indexes have no gaps.
func tasksOf(role cluster.TaskRole) []string {
	var all []string
	for _, t := range role.Tasks {
		all = append(all, fmt.Sprintf("%s[%d]", role.Name, t.Index))
	}
	if n := len(all); n > 2 {
		return []string{all[0] + " to " + all[n-1]}
	}
	return all
}
