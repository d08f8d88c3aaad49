// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/shellquote"
	"github.com/openpai/terraform-provider-openpai/planner"
)

type planOptions struct {
	streams   *Streams
	workspace workspaceFlags
	flags     planFlags
	form      planForm
	out       string
	expires   time.Duration
	detailed  bool
	upstream  bool
	failOn    string
}

func newPlanCmd(s *Streams) *cobra.Command {
	o := &planOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "plan [PATH] [ADDRESS...]",
		Short: "Show the changes that apply would make",
		Long: dedent(`
			Resolve every job and compare it with the running job. The plan shows the
			prerequisites of each task role in start order, all changes with their reasons,
			and the effect on running tasks. The command does not change anything on a
			cluster. It writes only the files given with --out and --html.

			"openpai apply FILE" applies a plan saved with --out. A saved plan can be
			applied only once, and only if the files, jobs and secrets are unchanged.

			Exit codes: 130 interrupted, 1 error, 3 a policy denies the plan, 4 a job failed
			and the plan does not run it again (--fail-on failed), 2 there are changes
			(--detailed-exitcode), 0 success. The command returns the first code that
			applies.

			    openpai plan
			    openpai plan job.train --detailed-exitcode
			    openpai plan --markdown >plan.md
			    openpai plan --html plan.html`),
		Args: cobra.ArbitraryArgs,
		RunE: o.workspace.runAt(o.run),
	}
	o.workspace.register(cmd)
	o.workspace.acceptAddresses(&o.flags.jobs)
	o.workspace.registerStorages(cmd)
	o.workspace.registerPolicies(cmd)
	o.workspace.registerDetail(cmd)
	o.flags.register(cmd)
	o.workspace.registerSubmission(cmd, &o.flags)
	o.form.registerForms(s, cmd)
	cmd.Flags().StringVar(&o.out, "out", "", "save the plan in `FILE`, for \"openpai show FILE\" and \"openpai apply FILE\"")
	cmd.Flags().DurationVar(&o.expires, "expires", defaultLifetime, "`DURATION` during which a plan saved with --out can be applied")
	cmd.Flags().BoolVar(&o.detailed, "detailed-exitcode", false, "exit with code 2 if there are changes")
	cmd.Flags().StringVar(&o.failOn, "fail-on", "", "exit with code 4 if a job is in this `STATE`: failed")
	cmd.Flags().BoolVar(&o.flags.offline, "offline", false, "do not contact any cluster; the live state is then unknown")
	cmd.Flags().BoolVar(&o.upstream, "upstream", false, "also report locked items and modules that have changed at their sources")
	cmd.MarkFlagsMutuallyExclusive("offline", "upstream")
	cmd.MarkFlagsMutuallyExclusive("offline", "fail-on")
	cmd.MarkFlagsMutuallyExclusive("offline", "out")
	return cmd
}

func (o *planOptions) check() error {
	switch {
	case o.failOn != "" && o.failOn != "failed":
		return fmt.Errorf("invalid --fail-on %q: use failed", o.failOn)
	case o.expires <= 0:
		return fmt.Errorf("invalid --expires %s: must be greater than 0", o.expires)
	case o.expires != defaultLifetime && o.out == "":
		return errors.New("--expires requires --out")
	}
	return o.form.check()
}

func (o *planOptions) run(ctx context.Context) error {
	if err := o.check(); err != nil {
		return err
	}
	p, err := o.workspace.open()
	if err != nil {
		return errors.Join(o.showErrors(p, err), err)
	}
	if o.upstream {
		p.warnings = append(p.warnings, p.loaded.Upstream(ctx, itemSources(p.loaded))...)
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	plan, err := p.plan(ctx, o.flags)
	if plan == nil {
		return err
	}
	if failed := o.show(p, plan.Plan); failed != nil || err != nil {
		return errors.Join(failed, err)
	}
	if err := o.save(ctx, p, plan); err != nil {
		return err
	}
	if o.failOn != "" && slices.ContainsFunc(plan.Changes, remainsFailed) {
		return exitWith(exitJobsFailed)
	}
	if o.detailed && !plan.Empty() {
		return exitWith(exitChanges)
	}
	return nil
}

// remainsFailed reports whether a job failed and the plan does not change it.
func remainsFailed(c *planner.Change) bool {
	return c.Action == planner.NoOp && c.State == planner.StateFailed
}

func (o *planOptions) show(p *project, plan *planner.Plan) error {
	o.form.detail, o.form.path = o.workspace.detail, o.workspace.shownPath()
	if o.streams.json == nil && !o.form.markdown && !plan.Diagnostics.HasErrors() { // the command's error already includes these errors
		p.show(o.streams, plan.Diagnostics)
	}
	return o.form.write(o.streams, plan)
}

// showErrors prints the diagnostics in err as Markdown, for a pull request
// comment without a plan. For other output formats, it does nothing.
func (o *planOptions) showErrors(p *project, err error) error {
	var invalid *diagnosticsError
	if !o.form.markdown || !errors.As(err, &invalid) {
		return nil
	}
	return o.form.writeTo(o.streams, &planner.Plan{Workspace: p.workspace(), Diagnostics: invalid.diags})
}

// save writes the plan to the file in --out.
func (o *planOptions) save(ctx context.Context, p *project, plan *operation.Plan) error {
	if o.out == "" {
		return nil
	}
	if err := o.workspace.savePlan(ctx, o.streams, p, plan, o.flags, o.out, o.expires); err != nil {
		return err
	}
	if o.streams.json == nil && !o.form.markdown {
		fmt.Fprintf(o.streams.out, "\nSaved in %s. Apply exactly this plan with \"openpai apply %s\".\n", o.out, shellquote.Word(o.out))
	}
	return nil
}
