// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

type destroyOptions struct {
	streams     *Streams
	workspace   workspaceFlags
	flags       planFlags
	autoApprove bool
	forget      bool
}

func newDestroyCmd(s *Streams) *cobra.Command {
	o := &destroyOptions{streams: s, flags: planFlags{destroy: true}}
	cmd := &cobra.Command{
		Use:   "destroy [PATH] [ADDRESS...]",
		Short: "Stop jobs and remove them",
		Long: dedent(`
			Show the jobs to delete, ask for confirmation, stop the jobs and remove them
			with their secrets. After deleting the last job, the command also removes
			the programs and downloads that the local cluster stores in .openpai. It
			does not remove storages or their data. If a job to delete sets
			prevent_destroy, the command fails.

			By default, the command keeps the records and logs of the runs that "openpai
			runs" lists. --forget also removes the records, the logs and the list of
			applied plans; run numbers then restart at 1. For jobs that Terraform declares,
			--forget keeps the records and logs.

			Exit codes: 0 destroyed or nothing to do, 1 error or not confirmed, 3 a policy
			denies the plan, 130 interrupted.

			    openpai destroy
			    openpai destroy job.train --auto-approve --forget`),
		Args: cobra.ArbitraryArgs,
		RunE: o.workspace.runAt(o.run),
	}
	o.workspace.register(cmd)
	o.workspace.acceptAddresses(&o.flags.jobs)
	o.flags.registerTarget(cmd)
	o.workspace.registerPolicies(cmd)
	o.workspace.registerDetail(cmd)
	cmd.Flags().BoolVar(&o.autoApprove, "auto-approve", false, "do not ask for confirmation")
	cmd.Flags().BoolVar(&o.forget, "forget", false, "also remove the jobs' history: run records and logs")
	s.registerEvents(cmd)
	cmd.MarkFlagsMutuallyExclusive("json", "detail")
	return cmd
}

func (o *destroyOptions) run(ctx context.Context) error {
	p, err := o.workspace.open()
	if err != nil {
		return err
	}
	plan, err := p.plan(ctx, o.flags)
	if err != nil {
		return err
	}
	recorded, _ := p.operation.RunCount(ctx, plan) // used only for the last output line
	if plan.Empty() {
		what := "the workspace %q has no jobs"
		switch {
		case len(plan.Elsewhere) > 0:
			what = "Terraform declares the jobs of the workspace %q"
		case len(plan.Targets) > 0:
			what = "the workspace %q has none of the selected jobs"
		}
		if o.streams.json != nil {
			o.streams.json.plan(plan.Plan)
		} else {
			fmt.Fprintf(o.streams.out, "Nothing to destroy: "+what+".\n", p.workspace())
		}
		if err := p.operation.CleanUp(ctx, plan); err != nil {
			return err
		}
		return o.history(ctx, p, plan, recorded)
	}
	if err := showPlan(o.streams, p, plan.Plan); err != nil {
		return err
	}
	if !o.autoApprove {
		if err := confirm(ctx, o.streams, "Destroy these jobs?", "--auto-approve to destroy them"); err != nil {
			return err
		}
	}
	if err := p.apply(ctx, o.streams, plan, operation.ApplyOptions{CleanUp: true, Forget: o.forget, Reviewed: !o.autoApprove}); err != nil {
		return err
	}
	return o.history(ctx, p, plan, recorded)
}

// history prints how many runs it removed (with --forget) or kept. "before" is the
// number of runs when the command started.
func (o *destroyOptions) history(ctx context.Context, p *project, plan *operation.Plan, before int) error {
	if o.forget {
		kept, err := p.operation.Forget(ctx, plan, addresses(append(slices.Clone(o.flags.jobs), o.flags.targets...)))
		if err != nil {
			return err
		}
		if len(kept) > 0 && o.streams.json == nil {
			fmt.Fprintf(o.streams.out, "The history of %s is kept, because Terraform declares %s.\n", view.Jobs(kept), quantity.Plural(len(kept), "it", "them"))
		}
	}
	n, err := p.operation.RunCount(ctx, plan)
	switch {
	case err != nil || o.streams.json != nil:
		return err
	case o.forget && before > n:
		fmt.Fprintf(o.streams.out, "The history is removed (%s).\n", quantity.Count(before-n, "run"))
	case !o.forget && n > 0:
		fmt.Fprintf(o.streams.out, "The history is kept (%s); \"openpai destroy%s --forget\" removes it.\n", quantity.Count(n, "run"), o.workspace.shownPath())
	}
	return nil
}
