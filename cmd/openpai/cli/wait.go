package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/output"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
)

type waitOptions struct {
	streams   *Streams
	workspace workspaceFlags
	jobs      []string
	until     string
	timeout   time.Duration
}

func newWaitCmd(s *Streams) *cobra.Command {
	o := &waitOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "wait [PATH]",
		Short: "Wait until jobs run, or are finished",
		Long: dedent(`
			Waits for every job of the workspace, or for those named with --job.

			Exit codes: 0 all succeeded (with --for running: all run, or succeeded
			already), 1 a job failed or was stopped, or an error, 124 the time is over,
			125 nothing works on a job until another command continues it, 130
			interrupted.`),
		Args: onePath,
		RunE: o.workspace.runAt(o.run),
	}
	o.workspace.register(cmd)
	cmd.Flags().StringArrayVar(&o.jobs, "job", nil, "wait only for the job with that `ADDRESS` or label; may be repeated")
	cmd.Flags().StringVar(&o.until, "for", "completed", "`STATE` to wait for: running or completed")
	cmd.Flags().DurationVar(&o.timeout, "timeout", 0, "give up after this time, such as 30s or 2h; 0 waits for ever")
	return cmd
}

func (o *waitOptions) run(ctx context.Context) error {
	reached, ok := map[string]cluster.Condition{"completed": cluster.Finished, "running": cluster.Running}[o.until]
	if !ok {
		return fmt.Errorf("--for takes running or completed, not %q", o.until)
	}
	if o.timeout < 0 {
		return fmt.Errorf("--timeout takes a time from 0, not %s", o.timeout)
	}
	jobs, err := o.workspace.chosen(ctx, o.streams, o.jobs)
	if err != nil {
		return err
	}
	if o.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.timeout)
		defer cancel()
	}
	code := exitOK
	for _, j := range jobs {
		st, err := j.Wait(ctx, reached, output.TroublePrinter(o.streams.err, j))
		if errors.Is(err, context.DeadlineExceeded) {
			return &exitError{exitTimeout, fmt.Errorf("%s is not %s after %s", j.Address, o.until, o.timeout)}
		}
		if err != nil && !errors.Is(err, cluster.ErrEnded) {
			return stalledAsTool(err)
		}
		fmt.Fprintf(o.streams.out, "%s: %s\n", j.Address, st.State)
		if st.State.Finished() && st.State != planner.StateSucceeded {
			code = exitFailed
		}
	}
	return exitWith(code)
}
