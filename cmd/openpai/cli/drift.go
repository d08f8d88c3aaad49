package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/output"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

func newDriftCmd(s *Streams) *cobra.Command {
	o := &jobFlags{streams: s}
	cmd := &cobra.Command{
		Use:   "drift [PATH] [ADDRESS...]",
		Short: "Show what somebody changed on the clusters since apply",
		Long: dedent(`
			Compares every job of the workspace with what was applied: fields of its
			Framework that another program changed, objects that somebody deleted, and on
			the local cluster a supervisor that was killed. Changed files of the workspace
			are no drift; "openpai plan" shows them, and what apply puts back. Nothing is
			written, so it can run on a schedule.

			A cluster that does not answer is an error after the jobs of the others were
			shown.

			Exit codes: 0 no drift, 1 error, 4 drift, 130 interrupted. An error comes before
			drift.

			    openpai drift
			    openpai drift --workspace vision --kubeconfig prod.kubeconfig --json`),
		Args: cobra.ArbitraryArgs,
		RunE: o.workspace.runAt(func(ctx context.Context) error { return o.drift(ctx) }),
	}
	o.register(cmd, "only the job with that `ADDRESS` or label, or those that a pattern with * and ? matches; may be repeated")
	s.registerJSON(cmd, "the jobs with what changed")
	return cmd
}

// drift prints the jobs that differ from their applied configuration.
func (o *jobFlags) drift(ctx context.Context) error {
	k, err := o.workspace.known(ctx, o.streams, o.jobs)
	if err != nil {
		return err
	}
	jobs, err := k.choose(k.jobs, o.jobs)
	if err != nil {
		return err
	}
	drifted := operation.Drifted(jobs)
	if o.streams.json != nil {
		o.streams.json.show(document.NewDrift(k.loaded.Workspace.Name, jobs))
	} else {
		showDrift(o.streams, k, jobs, drifted)
	}
	switch {
	case k.unread != nil:
		return k.unread
	case len(drifted) > 0:
		return exitWith(exitDrift)
	}
	return nil
}

func showDrift(s *Streams, k *known, jobs, drifted []operation.Job) {
	for _, j := range drifted {
		fmt.Fprintf(s.out, "%s  %s\n", j.Address, output.Paint(s.color, output.Yellow, string(j.State)))
		for _, d := range j.Drift {
			fmt.Fprintf(s.out, "  %s\n", view.DriftText(d))
		}
		fmt.Fprintln(s.out)
	}
	switch {
	case len(jobs) == 0 && k.unread != nil:
	case len(jobs) == 0:
		fmt.Fprintf(s.out, "No drift. The workspace %q has no jobs.\n", k.loaded.Workspace.Name)
	case len(drifted) == 0:
		fmt.Fprintf(s.out, "No drift in %s.\n", quantity.Count(len(jobs), "job"))
	default:
		fmt.Fprintf(s.out, "%d of %s changed outside of openpai. \"openpai plan\" shows what apply puts back.\n", len(drifted), quantity.Count(len(jobs), "job"))
	}
}
