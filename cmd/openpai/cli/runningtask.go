// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// runningTask chooses one task of a running job, for exec, forward and similar
// commands.
type runningTask struct {
	job   []string
	role  string
	index int
}

// register adds the flags of the task and the workspace. In the usage of
// --role, roleNeeded is the condition after "required if".
func (t *runningTask) register(cmd *cobra.Command, w *workspaceFlags, roleNeeded string) {
	w.register(cmd)
	w.registerRemote(cmd)
	w.acceptAddresses(&t.job)
	w.acceptTask(&t.role, &t.index)
	flags := cmd.Flags()
	flags.StringArrayVar(&t.job, "job", nil, "select the job with this `ADDRESS` or label; required if several jobs are running")
	flags.StringVar(&t.role, "role", "", "select a task of the task role `ROLE`; required if "+roleNeeded)
	registerIndex(flags, &t.index, "select the task with this `INDEX` in its role")
}

// runningJob returns the chosen or the only running job.
func (t *runningTask) runningJob(ctx context.Context, w *workspaceFlags, s *Streams) (*operation.Job, error) {
	jobs, unread, err := w.readable(ctx, s, t.job)
	if err = cmp.Or(err, unread); err != nil {
		return nil, err
	}
	return onlyRunning(jobs)
}

// onlyRunning returns the only unfinished job.
func onlyRunning(jobs []operation.Job) (*operation.Job, error) {
	var running []*operation.Job
	var names []string
	for i, j := range jobs {
		if !j.State.Finished() {
			running = append(running, &jobs[i])
			names = append(names, string(j.Address))
		}
	}
	switch {
	case len(running) == 1:
		return running[0], nil
	case len(running) == 0 && len(jobs) == 1:
		return nil, fmt.Errorf("%s is not running (%s); this command requires a running task", jobs[0].Address, jobs[0].State)
	case len(running) == 0:
		return nil, errors.New("no job is running; this command requires a running task")
	}
	return nil, fmt.Errorf("several jobs are running: %s. Choose one with --job", quantity.List(names, "job"))
}

// complete chooses a missing role and index. It prefers a held task to a running
// task. If the role has several tasks, complete prints the chosen task to w. It reads
// the status only if a value is missing.
func (t *runningTask) complete(ctx context.Context, job *operation.Job, w io.Writer) error {
	if t.role != "" && t.index >= 0 {
		return nil
	}
	st, err := job.StatusWithStages(ctx)
	if err != nil {
		return err
	}
	if t.role == "" {
		if t.role, err = onlyRole(job, st); err != nil {
			return err
		}
	}
	if t.index >= 0 {
		return nil
	}
	t.index = 0
	for _, role := range st.TaskRoles {
		if role.Name != t.role || len(role.Tasks) < 2 {
			continue
		}
		which := ""
		if t.index, which = reachable(role); which != "" {
			fmt.Fprintf(w, "Note: using %s[%d], %s.\n", t.role, t.index, which)
		}
	}
	return nil
}

// reachable returns the first held task of a role, else the first running task.
// which describes the task. It is "" if no task is held or running.
func reachable(role cluster.TaskRole) (index int, which string) {
	if count, first, _ := heldTasks(role); count > 0 {
		return first, "the first held task"
	}
	for i := range role.Tasks {
		if planner.JobState(role.Tasks[i].State) == planner.StateRunning {
			return role.Tasks[i].Index, "the first running task"
		}
	}
	return 0, ""
}

func onlyRole(job *operation.Job, st *cluster.Status) (string, error) {
	var names []string
	for _, r := range st.TaskRoles {
		names = append(names, r.Name)
	}
	if len(names) != 1 {
		return "", fmt.Errorf("%s has the task roles %s; choose one with --role", job.Address, quantity.List(names, "task role"))
	}
	return names[0], nil
}

// explain adds the address of the job to an error from its cluster. If the job has no
// such task, the error lists the existing tasks.
func (t *runningTask) explain(ctx context.Context, job *operation.Job, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, cluster.ErrNotFound) {
		if st, errStatus := job.Status(ctx); errStatus == nil {
			if missing := noTask([]*cluster.Status{st}, operation.LogFilter{Role: t.role, Index: t.index}); missing != nil {
				return missing
			}
		}
	}
	return fmt.Errorf("%s: %w", job.Address, err)
}
