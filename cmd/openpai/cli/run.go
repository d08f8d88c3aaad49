// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/output"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/lockfile"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
	"github.com/openpai/terraform-provider-openpai/planner"
)

type runOptions struct {
	streams     *Streams
	workspace   workspaceFlags
	flags       planFlags
	autoApprove bool
	runtimeLog  bool
}

func newRunCmd(s *Streams) *cobra.Command {
	o := &runOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "run [PATH] [ADDRESS...]",
		Short: "Plan, apply, follow the logs and return the job's exit code",
		Long: dedent(`
			Apply the plan like "openpai apply", then copy the logs of all tasks to
			standard output until every job has finished. All other output goes to standard
			error: the plan, the prompt, the steps of apply, and the final state of each
			job. A live view shows the stage of each task. If standard error is not a
			terminal, the command prints a line for each reason why a task waits, as
			"openpai wait" does. The command asks for confirmation only before it deletes a
			job or ends running tasks.

			PATH can be marketplace://job/NAME, which refers to a whole job in a
			marketplace. For such a PATH, the command first locks the job in the current
			directory. If PATH is a protocol YAML file, the command locks the items of the
			job in the lock file next to PATH.

			A job that has finished does not run again automatically; --rerun runs it again.

			Ctrl-C stops the jobs, waits for their end callbacks and exits with 130. If
			jobs have not ended one minute after the grace period, the command lists
			them and exits. A second Ctrl-C exits immediately; the jobs continue to stop.

			Exit codes: the exit code of the job; with several jobs, 0 if all succeeded,
			else 1. 125 when openpai itself fails, a policy denies the plan, or the
			declaration of a finished job has changed. 130 interrupted.

			    openpai run examples/quickstart
			    openpai run job.yaml --var epochs=3`),
		Args:        cobra.ArbitraryArgs,
		Annotations: map[string]string{annotationFailure: "tool"},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.workspace.invoked(cmd)
			if err := o.workspace.take(args); err != nil {
				return err
			}
			i, stop := watchInterrupts(cmd.Context())
			defer stop()
			return o.run(i)
		},
	}
	o.workspace.register(cmd)
	o.workspace.acceptAddresses(&o.flags.jobs)
	o.workspace.registerStorages(cmd)
	o.workspace.registerPolicies(cmd)
	o.workspace.registerDetail(cmd)
	o.flags.register(cmd)
	o.workspace.registerSubmission(cmd, &o.flags)
	cmd.Flags().BoolVar(&o.autoApprove, "auto-approve", false, "do not ask before deleting jobs or ending running tasks")
	s.registerEvents(cmd)
	cmd.MarkFlagsMutuallyExclusive("json", "detail")
	cmd.Flags().BoolVar(&o.runtimeLog, "runtime-log", false, "also show the runtime log: prerequisites, callbacks and their output")
	return cmd
}

func (o *runOptions) run(i *interrupts) error {
	if err := o.lock(i.first); err != nil {
		return err
	}
	p, err := o.workspace.open()
	if err != nil {
		return err
	}
	plan, err := p.plan(i.first, o.flags)
	if err != nil {
		return err
	}
	return o.carryOut(i, p, plan)
}

func (o *runOptions) carryOut(i *interrupts, p *project, plan *operation.Plan) error {
	if err := o.apply(i, p, plan); err != nil {
		return err
	}
	outcomes, err := o.follow(i, plan)
	if err != nil {
		return err
	}
	if i.first.Err() != nil {
		return exitWith(exitInterrupted)
	}
	return exitWith(exitCode(outcomes))
}

// lock adds the references of a single job to the lock file. For a directory
// of HCL files, the user must run "openpai init" instead.
func (o *runOptions) lock(ctx context.Context) error {
	if !marketplace.IsReference(o.workspace.path) {
		if !workspace.IsJobFile(o.workspace.path) {
			return nil
		}
		if _, diags := o.workspace.load(); diags.HasErrors() {
			return nil // open reports these errors later, together with the errors of the resolver
		}
	}
	changes, err := o.workspace.initialize(ctx, o.streams, workspace.InitOptions{})
	if err != nil {
		return err
	}
	for _, c := range changes {
		if c.Action == "added" {
			fmt.Fprintf(o.streams.err, "Note: locked %s%s in %s.\n", output.Clean(c.Address), lockRemark(c), lockfile.Name)
		}
	}
	return nil
}

// apply continues after an interrupt: the jobs still start, and the command then
// stops them.
func (o *runOptions) apply(i *interrupts, p *project, plan *operation.Plan) error {
	s := o.streams.aside()
	if plan.Empty() && s.json != nil {
		s.json.plan(plan.Plan)
		return nil
	}
	if plan.Empty() {
		p.show(s, plan.Diagnostics)
		if len(plan.Changes) == 0 {
			fmt.Fprintln(s.out, "No job is declared or running.")
		}
		return nil
	}
	if err := showPlan(s, p, plan.Plan); err != nil {
		return err
	}
	if losesWork(plan.Plan) && !o.autoApprove {
		if err := confirm(i.first, s, "Apply these changes? They end running tasks or delete jobs.", "--auto-approve to continue"); err != nil {
			return err
		}
	}
	if err := i.first.Err(); err != nil {
		return err
	}
	if s.json == nil {
		fmt.Fprintln(s.out)
	}
	return p.apply(i.second, s, plan, operation.ApplyOptions{})
}

func losesWork(p *planner.Plan) bool {
	for _, c := range p.Changes {
		if !c.Impact.None() || c.Action == planner.Delete {
			return true
		}
	}
	return false
}

// outcome is the result of one job in a run.
type outcome struct {
	address hclspec.Address
	// code is the exit code that "openpai run" returns for the job.
	code int
}

// follow prints the logs until all jobs of the plan have finished.
func (o *runOptions) follow(i *interrupts, plan *operation.Plan) ([]outcome, error) {
	var outcomes []outcome
	var jobs []operation.Job
	for _, c := range plan.Changes {
		switch {
		case c.Action == planner.Delete:
		case c.Action == planner.NoOp && c.State.Finished():
			outcomes = append(outcomes, o.unchanged(c, plan))
		default:
			jobs = append(jobs, plan.Job(c))
		}
	}
	ctx, release := o.stopOnInterrupt(i, jobs)
	printer := newLogPrinter(o.streams, jobs)
	printer.where = o.workspace.shownChoice()
	statuses, err := printer.follow(ctx, jobs, o.filter())
	gaveUp := context.Cause(ctx) // must precede the call to release, which sets a different cause
	refused := release()
	switch {
	case i.second.Err() != nil && refused != nil:
		return nil, &exitError{code: exitInterrupted, err: fmt.Errorf("interrupted, but cannot stop some jobs: %w", refused)}
	case i.second.Err() != nil:
		return nil, &exitError{code: exitInterrupted, err: fmt.Errorf("interrupted; the jobs continue to stop. Check them with \"openpai status%s\", and remove them with \"openpai destroy%s\"", o.workspace.shownPath(), o.workspace.shownPath())}
	case gaveUp != nil:
		return nil, &exitError{code: exitInterrupted, err: gaveUp}
	}
	for _, st := range statuses {
		if o.streams.json != nil {
			o.streams.json.events.finished(onOf(jobs, st), st)
		}
		outcomes = append(outcomes, outcome{hclspec.Address(st.Address), jobCode(st.State, st.UserCode, st.ExitCode)})
	}
	if o.streams.json == nil {
		output.Outcomes(o.streams.err, o.streams.errColor, statuses)
		if len(statuses) > 1 {
			fmt.Fprintf(o.streams.err, "\n%s\n", output.Totals(summaries(jobs, statuses)))
		}
	}
	return outcomes, err
}

// onOf returns the name of the job's cluster, or "" if jobs does not contain
// the job.
func onOf(jobs []operation.Job, st *cluster.Status) string {
	for _, j := range jobs {
		if j.Framework == st.Framework {
			return j.On
		}
	}
	return ""
}

func (o *runOptions) filter() operation.LogFilter {
	if o.runtimeLog {
		return operation.AllLogs(cluster.StreamAll, cluster.StreamRuntime)
	}
	return operation.AllLogs(cluster.StreamAll)
}

// unchanged prints a finished job that the plan does not change.
func (o *runOptions) unchanged(c *planner.Change, plan *operation.Plan) outcome {
	live := liveJob(plan.Live[c.Cluster], c.Framework)
	code := jobCode(c.State, live.ExitCode, nil)
	if o.streams.json != nil {
		o.streams.json.events.finishedBefore(c.Address, c.State, code)
	}
	switch {
	case c.Outdated && o.streams.json != nil:
		o.streams.warn(fmt.Sprintf("%s: not run. The job %s, but its declaration has changed since then. Run it again with --rerun.", c.Address, outcomeWords(c.State, code)))
		code = exitTool
	case c.Outdated:
		fmt.Fprintf(o.streams.err, "%s: not run. The job %s, but its declaration has changed since then. Run it again with --rerun.\n", c.Address, outcomeWords(c.State, code))
		code = exitTool
	case o.streams.json != nil:
	default:
		fmt.Fprintf(o.streams.err, "%s: nothing to do, already %s.%s\n", c.Address, outcomeWords(c.State, code), rerunHint(c.State))
	}
	return outcome{c.Address, code}
}

func rerunHint(s planner.JobState) string {
	if s == planner.StateSucceeded {
		return ""
	}
	return " Run it again with --rerun."
}

func outcomeWords(s planner.JobState, code int) string {
	switch s {
	case planner.StateSucceeded:
		return "succeeded"
	case planner.StateStopped:
		return "stopped"
	}
	return fmt.Sprintf("failed with exit code %d", code)
}

func liveJob(s *planner.Snapshot, framework string) *planner.LiveJob {
	for _, j := range s.Jobs {
		if j.Framework == framework {
			return j
		}
	}
	return &planner.LiveJob{}
}

// jobCode returns the exit code of "openpai run" for a finished job. user is
// the exit code of the user's commands; it takes precedence over spec. 0 means
// that the job succeeded.
func jobCode(state planner.JobState, user, spec *int) int {
	if state == planner.StateSucceeded {
		return exitOK
	}
	for _, code := range []*int{user, spec} {
		if code != nil && *code > 0 && *code < 256 {
			return *code
		}
	}
	return exitFailed
}

// exitCode returns the code of the only job. For several jobs, it returns 0 or 1.
func exitCode(outcomes []outcome) int {
	if len(outcomes) == 1 {
		return outcomes[0].code
	}
	for _, o := range outcomes {
		if o.code != exitOK {
			return exitFailed
		}
	}
	return exitOK
}
