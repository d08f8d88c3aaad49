// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/output"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
)

type logsOptions struct {
	streams    *Streams
	workspace  workspaceFlags
	jobs       []string
	filter     operation.LogFilter
	attempt    attemptNumber
	jobAttempt attemptNumber
	stream     string
	grep       string
	since      since
	follow     bool
}

func newLogsCmd(s *Streams) *cobra.Command {
	o := &logsOptions{streams: s, since: since{now: time.Now}}
	cmd := &cobra.Command{
		Use:   "logs [PATH] [ADDRESS...] [TASK]",
		Short: "Show the logs of tasks",
		Long: dedent(`
			Show the logs of the latest attempt of every task. With several tasks, each
			line starts with the role and index. With -f, the command also follows all
			later attempts until the jobs finish, then prints the final state of each
			job to stderr. Attempts are numbered from 1, as in "openpai status".

			The log of a task is the output of its commands. If a task failed before its
			commands started, the command also prints the output of the failed
			prerequisite; these lines start with the prerequisite's name. On a terminal,
			an incomplete line, such as a progress bar, is updated in place (on
			Kubernetes every 2 to 10 seconds). Otherwise, only the final content of the
			line is printed.

			--timestamps prints the time of each line in UTC, and --since omits lines
			written before the given time. Lines from a termination message have no
			time: they show "-", and --since uses the end time of their attempt instead.

			On Kubernetes, a note shows the source of each log: the Pod, the cluster's
			log storage, or the last lines in the termination message.

			Exit codes: 0 success, 1 error, 125 with -f when a job makes no progress until
			another command resumes it, 130 interrupted.

			    openpai logs --role worker --index 3 --tail 100
			    openpai logs -f --grep 'loss|error'
			    openpai logs --since 10m --timestamps worker:0`),
		Args: cobra.ArbitraryArgs,
		RunE: o.workspace.runAt(o.run),
	}
	o.workspace.register(cmd)
	o.workspace.registerRemote(cmd)
	o.workspace.acceptAddresses(&o.jobs)
	o.workspace.acceptTask(&o.filter.Role, &o.filter.Index)
	flags := cmd.Flags()
	flags.StringArrayVar(&o.jobs, "job", nil, "only the job with this `ADDRESS` or label; repeatable")
	flags.StringVar(&o.filter.Role, "role", "", "only tasks of the task role `ROLE`")
	registerIndex(flags, &o.filter.Index, "only the task with this `INDEX` in its role")
	flags.Var(&o.attempt, "attempt", "`NUMBER` of the task's attempt; the latest by default")
	flags.Var(&o.jobAttempt, "job-attempt", "`NUMBER` of the job's attempt; the latest by default")
	flags.StringVar(&o.stream, "stream", string(cluster.StreamAll), "`LOG` to show: all, stdout, stderr or runtime")
	flags.IntVar(&o.filter.TailLines, "tail", 0, "only the last `LINES` of each log; 0 shows all")
	flags.Var(&o.since, "since", "only lines since this `TIME`: a duration such as 10m, or an RFC 3339 time")
	flags.BoolVar(&o.filter.Stamp, "timestamps", false, "print the time before each line")
	flags.StringVar(&o.filter.Kept, "log-storage", "", "local `DIRECTORY` where the log storage of the cluster is mounted")
	flags.StringVar(&o.grep, "grep", "", "only lines that match this Go `REGEXP`; --tail counts lines before filtering")
	flags.BoolVarP(&o.follow, "follow", "f", false, "follow the logs until the jobs have finished")
	o.streams.registerEvents(cmd)
	return cmd
}

var streamNames = []string{string(cluster.StreamAll), string(cluster.StreamStdout), string(cluster.StreamStderr), string(cluster.StreamRuntime)}

func (o *logsOptions) run(ctx context.Context) error {
	switch {
	case !slices.Contains(streamNames, o.stream):
		return fmt.Errorf("invalid --stream %q: use all, stdout, stderr or runtime.%s", o.stream, hclspec.Suggest(o.stream, streamNames))
	case o.filter.TailLines < 0:
		return fmt.Errorf("invalid --tail %d: must be 0 or more", o.filter.TailLines)
	case o.filter.Index < -1:
		return fmt.Errorf("invalid --index %d: must be 0 or more", o.filter.Index)
	}
	o.filter.Streams = []cluster.Stream{cluster.Stream(o.stream)}
	o.filter.Since = o.since.Time
	o.filter.Attempt, o.filter.JobAttempt = o.attempt.id(), o.jobAttempt.id()
	match, err := o.pattern()
	if err != nil {
		return err
	}
	jobs, unread, err := o.workspace.readable(ctx, o.streams, o.jobs)
	if err != nil {
		return err
	}
	return errors.Join(o.show(ctx, jobs, match), unread)
}

// show prints the lines that match, or all lines if match is nil.
func (o *logsOptions) show(ctx context.Context, jobs []operation.Job, match *regexp.Regexp) error {
	var tasks []task
	var statuses []*cluster.Status
	for _, j := range jobs {
		st, err := j.Status(ctx)
		if err != nil {
			return err
		}
		tasks, statuses = append(tasks, o.tasks(j, st)...), append(statuses, st)
	}
	if err := noTask(statuses, o.filter); err != nil && !(o.follow && slices.ContainsFunc(statuses, withoutTasks)) {
		return err
	}
	printer := newLogPrinter(o.streams, jobs)
	printer.where = o.workspace.shownChoice()
	printer.sources, printer.sink.Match, printer.sink.Stamped = true, match, o.filter.Stamp
	if o.follow {
		return o.followJobs(ctx, jobs, printer)
	}
	printer.bare, printer.latest = len(tasks) == 1, true
	return o.copyOnce(ctx, tasks, printer)
}

// withoutTasks reports whether an unfinished job has no tasks yet.
func withoutTasks(st *cluster.Status) bool {
	return !st.State.Finished() && !slices.ContainsFunc(st.TaskRoles, func(r cluster.TaskRole) bool { return len(r.Tasks) > 0 })
}

func (o *logsOptions) pattern() (*regexp.Regexp, error) {
	if o.grep == "" {
		return nil, nil
	}
	match, err := regexp.Compile(o.grep)
	if err != nil {
		return nil, fmt.Errorf("invalid value %q for --grep: %w", o.grep, err)
	}
	return match, nil
}

// task is a task that the flags select from a job.
type task struct {
	job  operation.Job
	role string
	cluster.Task
}

func (o *logsOptions) tasks(j operation.Job, st *cluster.Status) []task {
	var fits []task
	for _, role := range st.TaskRoles {
		for _, t := range role.Tasks {
			if o.filter.AcceptsTask(role.Name, t.Index) {
				fits = append(fits, task{j, role.Name, t})
			}
		}
	}
	return fits
}

// copyOnce prints the current logs task by task.
func (o *logsOptions) copyOnce(ctx context.Context, tasks []task, printer *logPrinter) error {
	shown := 0
	for _, t := range tasks {
		a := cluster.AttemptID{Role: t.role, Index: t.Index, JobAttempt: o.filter.JobAttempt, Attempt: o.filter.Attempt}
		printer.attempt = o.latest(t)
		err := t.job.CopyLog(ctx, a, cluster.Stream(o.stream), false, o.filter, printer)
		if errors.Is(err, cluster.ErrNotFound) {
			continue // the task has not started, or has no such attempt
		}
		if err != nil {
			return err
		}
		shown++
		if err := o.copyCause(ctx, t, printer); err != nil {
			return err
		}
	}
	if shown == 0 {
		return o.nothingShown()
	}
	return nil
}

// copyCause prints why a task failed before its commands started, from the runtime
// log. It prints nothing if --stream selects a single log.
func (o *logsOptions) copyCause(ctx context.Context, t task, printer *logPrinter) error {
	latest := o.latest(t)
	if o.stream != string(cluster.StreamAll) || latest == nil {
		return nil
	}
	a := cluster.AttemptID{Role: t.role, Index: t.Index, JobAttempt: o.filter.JobAttempt, Attempt: o.filter.Attempt}
	return t.job.CopyCause(ctx, a, latest.Exit, o.filter, printer)
}

// latest returns the latest started attempt that matches the flags, else the
// latest matching attempt, else nil.
func (o *logsOptions) latest(t task) *cluster.TaskAttempt {
	var latest *cluster.TaskAttempt
	for i, a := range t.Attempts {
		fits := (o.filter.JobAttempt < 0 || a.JobAttempt == o.filter.JobAttempt) && (o.filter.Attempt < 0 || a.Attempt == o.filter.Attempt)
		if fits && (a.Started != nil || latest == nil || latest.Started == nil) {
			latest = &t.Attempts[i]
		}
	}
	return latest
}

// nothingShown returns an error if the flags select an attempt that no task
// has. Otherwise, it prints a note that no task has started.
func (o *logsOptions) nothingShown() error {
	if o.attempt > 0 || o.jobAttempt > 0 {
		return fmt.Errorf("no task has this attempt; \"openpai status%s\" shows all attempts", o.workspace.shownPath())
	}
	fmt.Fprintln(o.streams.err, "No task has started yet.")
	return nil
}

func (o *logsOptions) followJobs(ctx context.Context, jobs []operation.Job, printer *logPrinter) error {
	statuses, err := printer.follow(ctx, jobs, o.filter)
	if err != nil {
		return stalledAsTool(err)
	}
	started, everything := false, o.filter
	everything.Since = time.Time{}
	for _, st := range statuses {
		for range everything.Started(st) {
			started = true
			break
		}
		n := slices.IndexFunc(jobs, func(j operation.Job) bool { return j.Framework == st.Framework })
		if err := o.conclude(ctx, jobs[n], st, printer); err != nil {
			return err
		}
	}
	if !started {
		return o.nothingShown()
	}
	return nil
}

// conclude prints why tasks failed before their commands started, and then
// the final state of the job.
func (o *logsOptions) conclude(ctx context.Context, j operation.Job, st *cluster.Status, printer *logPrinter) error {
	for _, t := range o.tasks(j, st) {
		if err := o.copyCause(ctx, t, printer); err != nil {
			return err
		}
	}
	if o.streams.json != nil {
		o.streams.json.events.finished(j.On, st)
		return nil
	}
	output.Outcome(o.streams.err, false, st)
	return nil
}
