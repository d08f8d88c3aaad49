// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/output"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

type waitOptions struct {
	jobFlags
	until   string
	timeout time.Duration
}

func newWaitCmd(s *Streams) *cobra.Command {
	o := &waitOptions{jobFlags: jobFlags{streams: s}}
	cmd := &cobra.Command{
		Use:   "wait [PATH] [ADDRESS...]",
		Short: "Wait until jobs are running or have finished",
		Long: dedent(`
			Wait for every job of the workspace, or for the jobs selected with --job, then
			print the reasons for failures and, for several jobs, the totals. If a cluster
			does not respond, the command waits for the jobs of the other clusters and then
			fails. The command prints to standard error why tasks wait. On a terminal, a
			live view shows one line per task or, with more than 8 tasks, one line per
			role. The view is not higher than the terminal. Without a terminal, the command
			prints the reason at the start, after every change, after 1, 5 and 15 minutes,
			and then every 30 minutes.

			Exit codes: 0 all succeeded (with --for running: all run or have succeeded); 1
			error, or a job failed or was stopped; 124 timeout; 125 a job makes no progress
			until another command resumes it; 130 interrupted.

			    openpai wait job.train
			    openpai wait --for running --timeout 10m`),
		Args: cobra.ArbitraryArgs,
		RunE: o.workspace.runAt(o.run),
	}
	o.register(cmd, "wait only for the job with this `ADDRESS` or label; repeatable")
	cmd.Flags().StringVar(&o.until, "for", "completed", "`STATE` to wait for: running or completed")
	cmd.Flags().DurationVar(&o.timeout, "timeout", 0, "time out after this `DURATION`, such as 30s or 2h; 0 waits forever")
	s.registerEvents(cmd)
	return cmd
}

func (o *waitOptions) run(ctx context.Context) error {
	reached, ok := map[string]cluster.Condition{"completed": cluster.Finished, "running": cluster.Running}[o.until]
	if !ok {
		return fmt.Errorf("invalid --for %q: use running or completed", o.until)
	}
	if o.timeout < 0 {
		return fmt.Errorf("invalid --timeout %s: must be 0 or more", o.timeout)
	}
	jobs, unread, err := o.workspace.readable(ctx, o.streams, o.jobs)
	if err != nil {
		return err
	}
	if o.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.timeout)
		defer cancel()
	}
	return o.waitFor(ctx, jobs, unread, reached)
}

// waitFor waits until the jobs meet the condition, and then prints a summary.
// unread is the error for clusters that could not be read.
func (o *waitOptions) waitFor(ctx context.Context, jobs []operation.Job, unread error, reached cluster.Condition) error {
	statuses, failed := o.wait(ctx, jobs, reached)
	if failed != nil && ctx.Err() != nil {
		return failed
	}
	o.summarize(jobs, statuses)
	if failed = errors.Join(failed, unread); failed != nil {
		return stalledAsTool(failed)
	}
	return exitWith(waitCode(statuses))
}

// wait prints the state of each job as soon as the job meets the condition. After an
// error from a cluster, it skips the other jobs of that cluster.
func (o *waitOptions) wait(ctx context.Context, jobs []operation.Job, reached cluster.Condition) ([]*cluster.Status, error) {
	var statuses []*cluster.Status
	var errs []error
	failed := map[string]bool{}
	w := newWatch(o.streams, o.workspace.shownChoice(), jobs, 1, printErr(o.streams))
	w.showCommands()
	defer w.close()
	report := o.reportOnce()
	defer lookAt(ctx, w, jobs, func() {
		for _, j := range jobs {
			if st := w.last(j); st != nil {
				if meets(reached, st) {
					report(j, st)
				}
			}
		}
	})()
	for i, j := range jobs {
		if failed[j.On] {
			continue
		}
		problem := output.ProblemPrinter(o.streams.err, j)
		st, err := j.Wait(ctx, reached, func(st *cluster.Status) {
			problem(st)
			w.changed(j, st)
		})
		w.forget(j)
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			return nil, o.timedOut(j, slices.DeleteFunc(slices.Clone(jobs[i+1:]), func(next operation.Job) bool {
				st := w.last(next)
				return st == nil || meets(reached, st)
			}))
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil && !errors.Is(err, cluster.ErrEnded):
			failed[j.On] = !errors.Is(err, cluster.ErrStalled)
			errs = append(errs, err)
		default:
			report(j, st)
			statuses = append(statuses, st)
		}
	}
	return statuses, errors.Join(errs...)
}

func meets(reached cluster.Condition, st *cluster.Status) bool {
	ok, err := reached(st)
	return ok && err == nil
}

// timedOut returns the error for a job that does not meet the condition in time. The
// error also lists the jobs in others, which do not meet the condition either.
func (o *waitOptions) timedOut(job operation.Job, others []operation.Job) error {
	addresses := []hclspec.Address{job.Address}
	for _, other := range others {
		addresses = append(addresses, other.Address)
	}
	is := quantity.Plural(len(addresses), "is", "are")
	return &exitError{exitTimeout, fmt.Errorf("%s %s not %s after %s", view.Jobs(addresses), is, o.until, o.timeout)}
}

// lookAt reads all jobs for the watch until stop is called, because
// waitOptions.wait reads one job at a time. lookAt calls next before each
// round except the first.
func lookAt(ctx context.Context, w *watch, jobs []operation.Job, next func()) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var looking sync.WaitGroup
	looking.Go(func() { w.look(ctx, jobs, next) })
	return func() {
		cancel()
		looking.Wait()
	}
}

// reportOnce returns a function that prints the state of a job on the first call for
// that job. The function may be called concurrently.
func (o *waitOptions) reportOnce() func(operation.Job, *cluster.Status) {
	var mu sync.Mutex
	reported := map[hclspec.Address]bool{}
	return func(j operation.Job, st *cluster.Status) {
		mu.Lock()
		defer mu.Unlock()
		if !reported[j.Address] {
			reported[j.Address] = true
			o.reached(j, st)
		}
	}
}

func (o *waitOptions) reached(j operation.Job, st *cluster.Status) {
	switch {
	case o.streams.json == nil:
		fmt.Fprintf(o.streams.out, "%s: %s\n", j.Address, st.State)
	case st.State.Finished():
		o.streams.json.events.finished(j.On, st)
	default:
		o.streams.json.events.changed(j, st)
	}
}

// summarize prints the reasons for failures. For several jobs, it also prints
// the totals.
func (o *waitOptions) summarize(jobs []operation.Job, statuses []*cluster.Status) {
	if o.streams.json != nil {
		return
	}
	failed := slices.DeleteFunc(slices.Clone(statuses), func(st *cluster.Status) bool { return st.State != planner.StateFailed })
	output.Outcomes(o.streams.out, o.streams.color, failed)
	if len(statuses) > 1 {
		fmt.Fprintf(o.streams.out, "\n%s\n", output.Totals(summaries(jobs, statuses)))
	}
}

func waitCode(statuses []*cluster.Status) int {
	for _, st := range statuses {
		if st.State.Finished() && st.State != planner.StateSucceeded {
			return exitFailed
		}
	}
	return exitOK
}
