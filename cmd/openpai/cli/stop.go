package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

type stopOptions struct {
	streams   *Streams
	workspace workspaceFlags
	jobs      []string
}

func newStopCmd(s *Streams) *cobra.Command {
	o := &stopOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "stop [PATH]",
		Short: "End jobs and keep what is known of them",
		Long: text(`
			Asks every running job of the workspace, or those named with --job, to end,
			and waits for it. Callbacks for taskExits run; a task that does not end within
			its grace period is ended by force. Status and logs stay; "openpai destroy"
			removes them.

			Exit codes: 0 stopped, or finished before; 1 error; 130 interrupted (the jobs
			still end).`),
		Args: onePath,
		RunE: o.workspace.runAt(o.run),
	}
	o.workspace.register(cmd)
	cmd.Flags().StringArrayVar(&o.jobs, "job", nil, "stop only the job with that `ADDRESS` or label; may be repeated")
	return cmd
}

func (o *stopOptions) run(ctx context.Context) error {
	jobs, err := o.workspace.chosen(ctx, o.streams, o.jobs)
	if err != nil {
		return err
	}
	var stopping []runningJob
	for _, j := range jobs {
		if j.state.Finished() {
			fmt.Fprintf(o.streams.out, "%s was finished before: %s.\n", j.address, j.state)
			continue
		}
		if err := j.cluster.Stop(ctx, j.framework); err != nil {
			return fmt.Errorf("stop %s: %w", j.address, err)
		}
		fmt.Fprintf(o.streams.out, "%s: stopping\n", j.address)
		stopping = append(stopping, j)
	}
	for _, j := range stopping {
		st, err := await(ctx, j, cluster.Finished)
		if err != nil {
			return err
		}
		fmt.Fprintf(o.streams.out, "%s: %s\n", j.address, st.State)
	}
	return nil
}
