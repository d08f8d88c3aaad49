package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/internal/operation"
)

type destroyOptions struct {
	streams     *Streams
	workspace   workspaceFlags
	flags       planFlags
	autoApprove bool
}

func newDestroyCmd(s *Streams) *cobra.Command {
	o := &destroyOptions{streams: s, flags: planFlags{destroy: true}}
	cmd := &cobra.Command{
		Use:   "destroy [PATH] [ADDRESS...]",
		Short: "End jobs and remove everything that is known of them",
		Long: dedent(`
			Shows what would be deleted, asks for confirmation, ends the jobs and removes
			them with their logs and records; with the last one goes what the local
			cluster keeps in .openpai. Storages and what is in them are kept. A job with
			prevent_destroy is refused.

			Exit codes: 0 destroyed or nothing to do, 1 error or not confirmed, 3 a policy
			denies it, 130 interrupted.

			    openpai destroy
			    openpai destroy job.train --auto-approve`),
		Args: cobra.ArbitraryArgs,
		RunE: o.workspace.runAt(o.run),
	}
	o.workspace.register(cmd)
	o.workspace.acceptAddresses(&o.flags.jobs)
	o.flags.registerTarget(cmd)
	o.workspace.registerPolicies(cmd)
	o.workspace.registerDetail(cmd)
	cmd.Flags().BoolVar(&o.autoApprove, "auto-approve", false, "do not ask for confirmation")
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
	if plan.Empty() {
		what := "no job of the workspace %q is there"
		if len(plan.Elsewhere) > 0 {
			what = "Terraform declares the jobs of the workspace %q"
		}
		fmt.Fprintf(o.streams.out, "Nothing to destroy: "+what+".\n", p.workspace())
		return p.operation.CleanUp(ctx)
	}
	if err := showPlan(o.streams, p, plan.Plan); err != nil {
		return err
	}
	if !o.autoApprove {
		if err := confirm(ctx, o.streams, "Destroy these jobs?", "--auto-approve to destroy them"); err != nil {
			return err
		}
	}
	return p.apply(ctx, o.streams, plan, operation.ApplyOptions{CleanUp: true})
}
