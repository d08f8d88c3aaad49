package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/internal/operation"
)

type applyOptions struct {
	streams     *Streams
	workspace   workspaceFlags
	flags       planFlags
	autoApprove bool
}

func newApplyCmd(s *Streams) *cobra.Command {
	o := &applyOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "apply [PATH] [ADDRESS...]",
		Short: "Carry out the plan: submit, change and delete jobs",
		Long: dedent(`
			Shows the plan, asks for confirmation and carries it out. Jobs go on running
			when the command has ended; "openpai status", "logs -f" and "wait" follow
			them. An apply that was killed is finished by the next one.

			Exit codes: 0 applied or nothing to do, 1 error or not confirmed,
			130 interrupted.`),
		Args: cobra.ArbitraryArgs,
		RunE: o.workspace.runAt(o.run),
	}
	o.workspace.register(cmd)
	o.workspace.acceptAddresses(&o.flags.jobs)
	o.workspace.registerStorages(cmd)
	o.flags.register(cmd)
	cmd.Flags().BoolVar(&o.autoApprove, "auto-approve", false, "do not ask for confirmation")
	return cmd
}

func (o *applyOptions) run(ctx context.Context) error {
	p, err := o.workspace.open()
	if err != nil {
		return err
	}
	plan, err := p.plan(ctx, o.flags)
	if err != nil {
		return err
	}
	if err := showPlan(o.streams, p, plan.Plan); err != nil {
		return err
	}
	if plan.Empty() {
		return nil
	}
	if !o.autoApprove {
		if err := confirm(ctx, o.streams, "Apply these changes?", "--auto-approve to apply it"); err != nil {
			return err
		}
	}
	if err := p.apply(ctx, o.streams, plan, operation.ApplyOptions{}); err != nil {
		return err
	}
	fmt.Fprintf(o.streams.out, "\nApplied. Follow with \"openpai logs -f%s\".\n", o.workspace.shownPath())
	return nil
}
