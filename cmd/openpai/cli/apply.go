// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
)

type applyOptions struct {
	streams     *Streams
	workspace   workspaceFlags
	flags       planFlags
	autoApprove bool
	wait        bool
}

func newApplyCmd(s *Streams) *cobra.Command {
	o := &applyOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "apply [PATH|FILE] [ADDRESS...]",
		Short: "Apply the plan: submit, change and delete jobs",
		Long: dedent(`
			Show the plan, ask for confirmation and apply it. Jobs continue to run after
			the command ends; follow them with "openpai status", "logs -f" or "wait". If
			an apply is killed, the next apply completes it.

			With a FILE that "openpai plan --out" saved, the command applies exactly
			that plan without asking for confirmation. It rejects a plan that was
			already applied, is out of date, was modified, or comes from another version
			or workspace. The file can have any name. To resume a saved plan after its
			apply was killed, apply the same file again.

			With --wait, the command waits like "openpai wait" until every job in the plan
			has finished, even if there is nothing to apply.

			Exit codes: 0 applied or nothing to do; 1 error, not confirmed or, with --wait,
			a job failed or was stopped; 3 a policy denies the plan; 130 interrupted.

			    openpai apply
			    openpai apply job.train --auto-approve --wait
			    openpai apply --auto-approve --json >events.jsonl`),
		Args: cobra.ArbitraryArgs,
		RunE: o.runWith,
	}
	o.workspace.register(cmd)
	o.workspace.acceptAddresses(&o.flags.jobs)
	o.workspace.registerStorages(cmd)
	o.workspace.registerPolicies(cmd)
	o.workspace.registerDetail(cmd)
	o.flags.register(cmd)
	o.workspace.registerSubmission(cmd, &o.flags)
	cmd.Flags().BoolVar(&o.autoApprove, "auto-approve", false, "do not ask for confirmation")
	cmd.Flags().BoolVar(&o.wait, "wait", false, "wait until the jobs have finished")
	s.registerEvents(cmd)
	cmd.MarkFlagsMutuallyExclusive("json", "detail")
	return cmd
}

// runWith applies a saved plan if an argument is a plan file.
func (o *applyOptions) runWith(cmd *cobra.Command, args []string) error {
	file := savedPlan(args)
	if file == "" {
		return o.workspace.runAt(o.run)(cmd, args)
	}
	o.workspace.invoked(cmd)
	if err := checkAlone(cmd, args, file); err != nil {
		return err
	}
	ctx, stop := interruptible(cmd)
	defer stop()
	return o.applySaved(ctx, file)
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
		return o.waitForAll(ctx, plan)
	}
	if !o.autoApprove {
		if err := confirm(ctx, o.streams, "Apply these changes?", "--auto-approve to apply it"); err != nil {
			return err
		}
	}
	if err := p.apply(ctx, o.streams, plan, operation.ApplyOptions{Reviewed: !o.autoApprove}); err != nil {
		return err
	}
	return o.applied(ctx, plan)
}

// applied reports success and, with --wait, waits for the jobs.
func (o *applyOptions) applied(ctx context.Context, plan *operation.Plan) error {
	switch {
	case o.streams.json != nil:
		return o.waitForAll(ctx, plan)
	case o.wait:
		fmt.Fprintln(o.streams.out, "\nApplied.")
		return o.waitForAll(ctx, plan)
	}
	fmt.Fprintf(o.streams.out, "\nApplied. Follow the jobs with \"openpai logs -f%s\".\n", o.workspace.shownPath())
	return nil
}

// waitForAll implements --wait: it waits for the jobs that the plan does not
// delete.
func (o *applyOptions) waitForAll(ctx context.Context, plan *operation.Plan) error {
	if !o.wait {
		return nil
	}
	var jobs []operation.Job
	for _, c := range plan.Changes {
		if c.Action != planner.Delete && c.Reason.Code != planner.ReasonElsewhere {
			j := plan.Job(c)
			if c.Action != planner.NoOp {
				j.State = planner.StateWaiting // the state after apply
			}
			jobs = append(jobs, j)
		}
	}
	w := waitOptions{jobFlags: jobFlags{streams: o.streams, workspace: o.workspace}, until: "completed"}
	return w.waitFor(ctx, jobs, nil, cluster.Finished)
}

// progress prints one line for each step that apply completes.
type progress struct{ streams *Streams }

var doneWords = map[cluster.Step]string{
	cluster.StepDelete: "deleted",
	cluster.StepCreate: "submitted",
	cluster.StepUpdate: "updated",
}

var stepActions = map[cluster.Step]planner.Action{
	cluster.StepDelete: planner.Delete,
	cluster.StepCreate: planner.Create,
	cluster.StepUpdate: planner.Update,
}

// Begin implements cluster.Progress. It announces only deletions, because the
// other steps are short.
func (p *progress) Begin(c *planner.Change, step cluster.Step) {
	if step == cluster.StepDelete && p.streams.json == nil {
		fmt.Fprintf(p.streams.out, "%s: deleting\n", c.Address)
	}
}

// End implements cluster.Progress. The caller of apply reports errors.
func (p *progress) End(c *planner.Change, step cluster.Step, err error) {
	switch {
	case err != nil:
	case p.streams.json != nil:
		p.streams.json.events.submitted(c.Address, stepActions[step])
	default:
		fmt.Fprintf(p.streams.out, "%s: %s\n", c.Address, doneWords[step])
	}
}
