// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

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
		Short: "Show what changed on the clusters since apply",
		Long: dedent(`
			Compare every job of the workspace with the applied state. The command reports
			deleted objects and any Framework fields that another program changed. On the
			local cluster, it also reports killed supervisors and changed fields of the
			objects in .openpai. Changes to workspace files are not drift. "openpai plan"
			shows these changes and the drift that apply reverts. The command does not
			write anything, so it can run on a schedule.

			If a cluster does not respond or the files of a job cannot be read, the command
			shows the other jobs and then fails.

			Exit codes: 0 no drift, 1 error (with or without drift), 4 drift, 130
			interrupted.

			    openpai drift
			    openpai drift --workspace vision --kubeconfig prod.kubeconfig --json`),
		Args: cobra.ArbitraryArgs,
		RunE: o.workspace.runAt(func(ctx context.Context) error { return o.drift(ctx) }),
	}
	o.register(cmd, "only jobs with this `ADDRESS` or label; * and ? are wildcards; repeatable")
	s.registerJSON(cmd, "the jobs with their drift")
	return cmd
}

func (o *jobFlags) drift(ctx context.Context) error {
	source, err := o.workspace.source(o.streams)
	if err != nil {
		return err
	}
	k, err := source.read(ctx, o.jobs, (*operation.Operation).JobsWithDrift)
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
	err = errors.Join(k.unread, operation.NotCompared(jobs))
	switch {
	case err != nil:
		return err
	case len(drifted) > 0:
		return exitWith(exitDrift)
	}
	return nil
}

func showDrift(s *Streams, k *known, jobs, drifted []operation.Job) {
	compared := slices.DeleteFunc(slices.Clone(jobs), func(j operation.Job) bool { return j.Unreadable != "" })
	for _, j := range drifted {
		fmt.Fprintf(s.out, "%s  %s\n", j.Address, output.Paint(s.color, output.Yellow, string(document.DriftState(j))))
		for _, d := range j.Drift {
			fmt.Fprintf(s.out, "  %s\n", view.DriftText(d))
		}
		fmt.Fprintln(s.out)
	}
	switch {
	case len(compared) == 0 && (k.unread != nil || len(jobs) > 0):
	case len(compared) == 0:
		fmt.Fprintf(s.out, "No drift. The workspace %q has no jobs.\n", k.loaded.Workspace.Name)
	case len(drifted) == 0:
		fmt.Fprintf(s.out, "No drift in %s.\n", quantity.Count(len(compared), "job"))
	default:
		fmt.Fprintf(s.out, "%d of %s changed outside openpai. \"openpai plan\" shows what apply reverts.\n", len(drifted), quantity.Count(len(compared), "job"))
	}
}
