package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/output"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
	"github.com/openpai/terraform-provider-openpai/planner"
)

type statusOptions struct {
	streams   *Streams
	workspace workspaceFlags
	jobs      []string
	json      bool
}

func newStatusCmd(s *Streams) *cobra.Command {
	o := &statusOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "status [PATH]",
		Short: "Show what the jobs and their tasks do",
		Long: dedent(`
			Shows every job of the workspace with its tasks and their attempts. Of failed
			tasks it tells the exit code, what it means, and the last lines of output.
			Jobs that were declared and not applied are ABSENT; a job whose Framework
			somebody deleted while it ran is GONE.

			Exit codes: 0 the status could be read, whatever it is; 1 error.`),
		Args: onePath,
		RunE: o.workspace.runAt(o.run),
	}
	o.workspace.register(cmd)
	cmd.Flags().StringArrayVar(&o.jobs, "job", nil, "only the job with that `ADDRESS` or label; may be repeated")
	cmd.Flags().BoolVar(&o.json, "json", false, "print the status as JSON, with every attempt")
	return cmd
}

func (o *statusOptions) run(ctx context.Context) error {
	known, loaded, err := o.workspace.jobs(ctx, o.streams)
	if err != nil {
		return err
	}
	jobs, diags := choose(append(known, notApplied(loaded, known)...), o.jobs)
	if diags.HasErrors() {
		return &findings{diags: diags}
	}
	statuses := make([]*cluster.Status, 0, len(jobs))
	for _, j := range jobs {
		st, err := j.Status(ctx)
		if err != nil {
			return err
		}
		statuses = append(statuses, st)
	}
	if o.json {
		return output.JSON(o.streams.out, struct {
			Workspace string              `json:"workspace"`
			Jobs      []output.StatusJSON `json:"jobs"`
		}{loaded.Workspace.Name, output.StatusesJSON(statuses)})
	}
	if len(statuses) == 0 {
		fmt.Fprintf(o.streams.out, "The workspace %q has no jobs.\n", loaded.Workspace.Name)
		return nil
	}
	for n, st := range statuses {
		if n > 0 {
			fmt.Fprintln(o.streams.out)
		}
		output.Status(o.streams.out, o.streams.color, st)
	}
	return nil
}

// notApplied lists the declared jobs that no cluster knows.
func notApplied(loaded *workspace.Loaded, known []operation.Job) []operation.Job {
	var absent []operation.Job
	for _, job := range loaded.Workspace.Jobs {
		at := job.Address()
		if !slices.ContainsFunc(known, func(k operation.Job) bool { return k.Address == at }) {
			absent = append(absent, operation.Job{Address: at, State: planner.StateAbsent})
		}
	}
	return absent
}
