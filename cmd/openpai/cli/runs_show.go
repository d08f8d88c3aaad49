// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/output"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
)

func newRunsShowCmd(s *Streams) *cobra.Command {
	f := &jobFlags{streams: s}
	cmd := &cobra.Command{
		Use:   "show RUN [PATH]",
		Short: "Show the record of a run",
		Long: dedent(`
			Print the user, time and repository commit of the run, its outcome and its task
			attempts. The command also prints images and data with digests, marketplace
			items, variables, parameters, names and versions of secrets, and the location
			of the logs.

			Exit codes: 0 success, 1 error.

			    openpai runs show 3
			    openpai runs show job.train@3 --json`),
		Args: arguments(1, 2),
		RunE: f.withRuns(1, func(ctx context.Context, h *runHistory, runs []operation.RecordedRun) error {
			h.operation.AddMetrics(ctx, runs...)
			if s.json != nil {
				s.json.show(document.NewRun(runs[0]))
				return nil
			}
			output.Run(s.out, s.color, runs[0], time.Now())
			return nil
		}),
	}
	f.registerRun(cmd)
	s.registerJSON(cmd, "the record, including the resolved job")
	return cmd
}

func newRunsLogsCmd(s *Streams) *cobra.Command {
	f := &jobFlags{streams: s}
	cmd := &cobra.Command{
		Use:   "logs RUN [PATH]",
		Short: "Print the logs of a run",
		Long: dedent(`
			Print the logs of all tasks and attempts of a run, even after the job ran
			again or was destroyed. Like "openpai logs", the command shows the output of
			a failed prerequisite. The local cluster keeps complete logs, up to 2 GiB
			per workspace. On Kubernetes, the record of a run contains only the last
			lines of its logs, up to 32 KiB.

			Exit codes: 0 success, 1 error or no log available.

			    openpai runs logs 3
			    openpai runs logs job.train@3 >train-3.log`),
		Args: arguments(1, 2),
		RunE: f.withRuns(1, func(ctx context.Context, _ *runHistory, runs []operation.RecordedRun) error {
			return printRunLogs(ctx, s, runs[0])
		}),
	}
	f.registerRun(cmd)
	s.registerEvents(cmd)
	return cmd
}

// printRunLogs prints the logs of the job if it still exists, otherwise the
// kept logs.
func printRunLogs(ctx context.Context, s *Streams, r operation.RecordedRun) error {
	job := operation.Job{Address: r.Address}
	printer := newLogPrinter(s, []operation.Job{job})
	if r.Live == nil {
		n, err := r.RunLogs(ctx, printer.opener(job))
		if err == nil && n == 0 {
			err = fmt.Errorf("no log of %s is available", r.Reference())
		}
		return err
	}
	shown, err := r.Live.CopyLogs(ctx, operation.AllLogs("all"), printer)
	if err == nil && shown == 0 {
		err = fmt.Errorf("no task of %s has a log yet", r.Reference())
	}
	return err
}
