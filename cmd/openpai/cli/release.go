// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
)

type releaseOptions struct {
	jobFlags
	filter operation.LogFilter
}

func newReleaseCmd(s *Streams) *cobra.Command {
	o := &releaseOptions{jobFlags: jobFlags{streams: s}}
	cmd := &cobra.Command{
		Use:   "release [PATH] [ADDRESS...] [TASK]",
		Short: "Release tasks that callbacks hold for debugging",
		Long: dedent(`
			Release held tasks by ending their callbacks. A taskFails or taskExits callback
			that runs longer than 10 seconds holds its task; "openpai status" shows HELD.
			This command sends SIGTERM to the callback of every held task and, 5 seconds
			later, SIGKILL. It returns when the callbacks have exited. The remaining
			callbacks of the task still run, and the outcome of the task does not change.

			Exit codes: 0 at least one task was released, 1 error or no task is held, 130
			interrupted.

			    openpai release
			    openpai release job.train worker:3`),
		Args: cobra.ArbitraryArgs,
		RunE: o.workspace.runAt(o.run),
	}
	o.register(cmd, "only the job with this `ADDRESS` or label; repeatable")
	o.workspace.acceptTask(&o.filter.Role, &o.filter.Index)
	cmd.Flags().StringVar(&o.filter.Role, "role", "", "only tasks of the task role `ROLE`")
	registerIndex(cmd.Flags(), &o.filter.Index, "only the task with this `INDEX` in its role")
	s.registerResults(cmd)
	return cmd
}

func (o *releaseOptions) run(ctx context.Context) error {
	return o.each(ctx, func(jobs []operation.Job) error { return o.release(ctx, jobs) })
}

func (o *releaseOptions) release(ctx context.Context, jobs []operation.Job) error {
	released := 0
	for _, j := range jobs {
		n, err := operation.Release(ctx, j, o.filter, func(role string, index int) {
			task := fmt.Sprintf("%s[%d]", role, index)
			o.streams.done(document.Result{Subject: string(j.Address), Result: "released", Detail: task}, fmt.Sprintf("%s: released %s", j.Address, task))
		})
		if err != nil {
			return err
		}
		released += n
	}
	if released > 0 {
		return nil
	}
	if err := checkTask(ctx, jobs, o.filter); err != nil {
		return err
	}
	return errors.New(`no task is held; "openpai status" shows held tasks as HELD`)
}
