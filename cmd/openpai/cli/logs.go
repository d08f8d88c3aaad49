package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

type logsOptions struct {
	streams   *Streams
	workspace workspaceFlags
	jobs      []string
	filter    logFilter
	stream    string
	follow    bool
}

func newLogsCmd(s *Streams) *cobra.Command {
	o := &logsOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "logs [PATH]",
		Short: "Show the logs of tasks",
		Long: text(`
			Shows the logs of the latest attempt of every task, each line with the role
			and index when there are several. With -f it goes on until the jobs are
			finished, through all further attempts. Attempts count from 1, as "openpai
			status" shows them.

			On Kubernetes a note says where the log of each task comes from: its Pod, the
			log storage of the cluster, or the last lines in its termination message.

			Exit codes: 0 success, 1 error, 130 interrupted.`),
		Args: onePath,
		RunE: o.workspace.runAt(o.run),
	}
	o.workspace.register(cmd)
	flags := cmd.Flags()
	flags.StringArrayVar(&o.jobs, "job", nil, "only the job with that `ADDRESS` or label; may be repeated")
	flags.StringVar(&o.filter.role, "role", "", "only tasks of this task `ROLE`")
	flags.IntVar(&o.filter.index, "index", -1, "only the task with this `INDEX` in its role")
	flags.Var(&o.filter.attempt, "attempt", "`NUMBER` of the task's attempt; the latest by default")
	flags.Var(&o.filter.jobAttempt, "job-attempt", "`NUMBER` of the job's attempt; the latest by default")
	flags.StringVar(&o.stream, "stream", string(cluster.StreamAll), "`LOG` to show: all, stdout, stderr or runtime")
	flags.IntVar(&o.filter.tail, "tail", 0, "only the last `LINES` of each log; 0 shows all")
	flags.StringVar(&o.filter.kept, "log-storage", "", "`DIRECTORY` of this machine where the log storage of the cluster is mounted")
	flags.BoolVarP(&o.follow, "follow", "f", false, "go on until the jobs are finished")
	return cmd
}

var streamNames = []string{string(cluster.StreamAll), string(cluster.StreamStdout), string(cluster.StreamStderr), string(cluster.StreamRuntime)}

func (o *logsOptions) run(ctx context.Context) error {
	switch {
	case !slices.Contains(streamNames, o.stream):
		return fmt.Errorf("--stream takes all, stdout, stderr or runtime, not %q.%s", o.stream, hclspec.Suggest(o.stream, streamNames))
	case o.filter.tail < 0:
		return fmt.Errorf("--tail takes a number of lines, not %d", o.filter.tail)
	case o.filter.index < -1:
		return fmt.Errorf("--index takes a number from 0, not %d", o.filter.index)
	}
	o.filter.streams = []cluster.Stream{cluster.Stream(o.stream)}
	o.filter.note = func(a taskAttempt, text string) {
		fmt.Fprintf(o.streams.err, "Note: %s[%d]: %s.\n", a.role, a.index, text)
	}
	jobs, err := o.workspace.chosen(ctx, o.streams, o.jobs)
	if err != nil {
		return err
	}
	var tasks []task
	for _, j := range jobs {
		st, err := j.cluster.Status(ctx, j.framework)
		if err != nil {
			return fmt.Errorf("read the status of %s: %w", j.address, err)
		}
		tasks = append(tasks, o.tasks(j, st)...)
	}
	if len(tasks) == 0 {
		return fmt.Errorf("no task fits; \"openpai status%s\" shows them all", o.workspace.shownPath())
	}
	if o.follow {
		return o.followJobs(ctx, jobs)
	}
	return o.copyOnce(ctx, tasks, &lineSink{out: o.streams.out, named: len(jobs) > 1})
}

// task is one task of a job that was asked for.
type task struct {
	job  runningJob
	role string
	cluster.Task
}

func (o *logsOptions) tasks(j runningJob, st *cluster.Status) []task {
	var fits []task
	for _, role := range st.TaskRoles {
		for _, t := range role.Tasks {
			if (o.filter.role == "" || o.filter.role == role.Name) && (o.filter.index < 0 || o.filter.index == t.Index) {
				fits = append(fits, task{j, role.Name, t})
			}
		}
	}
	return fits
}

// copyOnce shows what is there now, one task after the other.
func (o *logsOptions) copyOnce(ctx context.Context, tasks []task, sink *lineSink) error {
	shown := 0
	for _, t := range tasks {
		w := sink.prefixed("")
		if len(tasks) > 1 {
			w = sink.forTasks(o.streams, t.job)(taskAttempt{role: t.role, index: t.Index})
		}
		err := t.job.cluster.Logs(ctx, cluster.LogRequest{
			Framework: t.job.framework, Role: t.role, Index: t.Index,
			JobAttempt: o.filter.jobAttempt.id(), Attempt: o.filter.attempt.id(),
			Stream: cluster.Stream(o.stream), TailLines: o.filter.tail, Kept: o.filter.kept,
			Note: o.filter.noteOf(taskAttempt{role: t.role, index: t.Index}),
		}, w)
		err = errors.Join(err, w.Close())
		if errors.Is(err, cluster.ErrNotFound) {
			continue // it has not started yet, or has no such attempt
		}
		if err != nil {
			return fmt.Errorf("read the log of %s, task %s[%d]: %w", t.job.address, t.role, t.Index, err)
		}
		shown++
	}
	if shown == 0 {
		return o.nothingShown()
	}
	return nil
}

// nothingShown says why there is no log at all. That no task has begun is no
// mistake.
func (o *logsOptions) nothingShown() error {
	if o.filter.attempt > 0 || o.filter.jobAttempt > 0 {
		return fmt.Errorf("no task has had this attempt; \"openpai status%s\" shows them all", o.workspace.shownPath())
	}
	fmt.Fprintln(o.streams.err, "No task has begun yet.")
	return nil
}

// followJobs copies until the jobs are finished.
func (o *logsOptions) followJobs(ctx context.Context, jobs []runningJob) error {
	statuses, err := followAll(ctx, o.streams, jobs, o.filter)
	if err != nil {
		return err
	}
	for _, st := range statuses {
		for range o.filter.begun(st) {
			return nil
		}
	}
	return o.nothingShown()
}
