package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

type planOptions struct {
	streams   *Streams
	workspace workspaceFlags
	flags     planFlags
	json      bool
	markdown  bool
	limit     int // of characters of Markdown
	detailed  bool
	upstream  bool
	failOn    string
}

func newPlanCmd(s *Streams) *cobra.Command {
	o := &planOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "plan [PATH] [ADDRESS...]",
		Short: "Show what apply would do",
		Long: dedent(`
			Resolves every job, compares it with what runs, and shows the prerequisites
			of each task role in the order they start, what would change, why, and what
			happens to running work. It changes nothing, on disk or on a cluster.

			Exit codes: 0 success, 1 error. With --detailed-exitcode: 0 nothing to do,
			1 error, 2 there are changes. With --fail-on failed: 4 a job failed and the
			plan does not run it again, also when there are changes.

			    openpai plan
			    openpai plan job.train --detailed-exitcode
			    openpai plan --markdown >plan.md`),
		Args: cobra.ArbitraryArgs,
		RunE: o.workspace.runAt(o.run),
	}
	o.workspace.register(cmd)
	o.workspace.acceptAddresses(&o.flags.jobs)
	o.workspace.registerStorages(cmd)
	o.workspace.registerDetail(cmd)
	o.flags.register(cmd)
	cmd.Flags().BoolVar(&o.json, "json", false, "print the plan as JSON")
	cmd.Flags().BoolVar(&o.markdown, "markdown", false, "print the plan as Markdown, for a comment on a pull request")
	cmd.Flags().IntVar(&o.limit, "markdown-limit", view.MarkdownLimit, "`CHARACTERS` that --markdown prints at most; details are omitted first, deletions and ended work never. 0 is no limit")
	cmd.MarkFlagsMutuallyExclusive("json", "markdown")
	cmd.MarkFlagsMutuallyExclusive("json", "detail")
	cmd.Flags().BoolVar(&o.detailed, "detailed-exitcode", false, "exit with 2 when there are changes")
	cmd.Flags().StringVar(&o.failOn, "fail-on", "", "exit with 4 when a job is in that `STATE`: failed")
	cmd.Flags().BoolVar(&o.flags.offline, "offline", false, "look at no cluster; what runs is then unknown")
	cmd.Flags().BoolVar(&o.upstream, "upstream", false, "also ask the marketplaces, and tell which locked items have changed there")
	cmd.MarkFlagsMutuallyExclusive("offline", "upstream")
	cmd.MarkFlagsMutuallyExclusive("offline", "fail-on")
	return cmd
}

func (o *planOptions) run(ctx context.Context) error {
	if o.failOn != "" && o.failOn != "failed" {
		return fmt.Errorf("--fail-on takes failed, not %q", o.failOn)
	}
	if err := o.checkLimit(); err != nil {
		return err
	}
	p, err := o.workspace.open()
	if err != nil {
		return err
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
	if o.failOn != "" && slices.ContainsFunc(plan.Changes, remainsFailed) {
		return exitWith(exitJobsFailed)
	}
	if o.detailed && !plan.Empty() {
		return exitWith(exitChanges)
	}
	return nil
}

// checkLimit refuses a limit that would do nothing.
func (o *planOptions) checkLimit() error {
	switch {
	case o.limit < 0:
		return fmt.Errorf("--markdown-limit must be 0 or more, not %d", o.limit)
	case o.limit != view.MarkdownLimit && !o.markdown:
		return errors.New("--markdown-limit needs --markdown")
	}
	return nil
}

// remainsFailed reports whether a job failed and the plan leaves it so.
func remainsFailed(c *planner.Change) bool {
	return c.Action == planner.NoOp && c.State == planner.StateFailed
}

func (o *planOptions) show(p *project, plan *planner.Plan) error {
	switch {
	case o.markdown:
		return view.Markdown(o.streams.out, plan, view.MarkdownOptions{Limit: o.limit, Detail: o.workspace.detail})
	case !o.json && plan.Diagnostics.HasErrors(): // they follow as the error of the command
		return view.Text(o.streams.out, plan, o.streams.planText(o.workspace.detail))
	case !o.json:
		return showPlan(o.streams, p, plan)
	}
	out, err := view.JSON(plan)
	if err != nil {
		return err
	}
	_, err = o.streams.out.Write(out)
	return err
}
