package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
)

func newGCCmd(s *Streams) *cobra.Command {
	f := &jobFlags{streams: s}
	o := operation.CollectOptions{}
	cmd := &cobra.Command{
		Use:   "gc [PATH]",
		Short: "Remove records and logs of old runs",
		Long: dedent(`
			Removes what is kept of old runs beyond the limits, the oldest first. Without
			flags the limits are those that apply uses: on the local cluster 20 runs for
			each job and 2 GiB of logs, on Kubernetes 32 MiB of records. The latest run of
			a job keeps its record and logs.

			Exit codes: 0 success, 1 error.

			    openpai gc --dry-run
			    openpai gc experiments --keep 5 --max-logs-mb 100`),
		Args: arguments(0, 1),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return f.workspace.runAt(func(ctx context.Context) error { return collect(ctx, f, o) })(cmd, args)
	}
	f.registerRun(cmd)
	cmd.Flags().IntVar(&o.Runs, "keep", 0, "`NUMBER` of runs to keep of each job; 0 keeps the default")
	cmd.Flags().Int64Var(&o.LogMB, "max-logs-mb", 0, "`SIZE` of all kept logs in MiB; 0 keeps the default")
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "print what would be removed, and remove nothing")
	s.registerResults(cmd)
	return cmd
}

// collect removes old runs and prints each.
func collect(ctx context.Context, f *jobFlags, o operation.CollectOptions) error {
	if o.Runs < 0 || o.LogMB < 0 {
		return fmt.Errorf("--keep and --max-logs-mb take a number from 0")
	}
	h, err := f.open(ctx)
	if err != nil {
		return err
	}
	removed, err := h.operation.Collect(ctx, o)
	if err != nil {
		return err
	}
	verb := "removed"
	if o.DryRun {
		verb = "would be removed"
	}
	for _, r := range h.runs {
		switch {
		case removed.Runs[r.Key()]:
			f.streams.done(document.Result{Subject: r.Reference(), Result: verb}, fmt.Sprintf("%s: %s", r.Reference(), verb))
		case removed.Logs[r.Key()]:
			f.streams.done(document.Result{Subject: r.Reference(), Result: "logs " + verb}, fmt.Sprintf("%s: logs %s", r.Reference(), verb))
		}
	}
	f.streams.note("%s and the logs of %d others %s: %s.", quantity.Count(len(removed.Runs), "run"), len(removed.Logs), verb, quantity.Bytes(removed.Bytes))
	return nil
}
