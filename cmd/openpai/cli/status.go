// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/output"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

type statusOptions struct {
	jobFlags
	states []string
	detail bool
	wide   bool
	fold   bool
	usage  bool
	watch  bool
}

func newStatusCmd(s *Streams) *cobra.Command {
	o := &statusOptions{jobFlags: jobFlags{streams: s}}
	cmd := &cobra.Command{
		Use:   "status [PATH] [ADDRESS...]",
		Short: "Show the status of jobs and their tasks",
		Long: dedent(`
			Show every job of the workspace with all tasks and attempts. For failed
			tasks, the command also shows the exit code with its meaning, and the last
			lines of output. For running tasks, the STAGE column shows the stage:
			scheduling, preparing, fetching, prerequisite, commands, ending or held. If
			there are more than ten jobs, the command shows one line per job, the
			totals, and the failed jobs grouped by cause. --wide adds columns to these
			lines. --fold combines the lines of instances of one for_each if at least
			three lines show the same values. --detail shows the tasks. Jobs that are
			declared but not applied are ABSENT; a job whose Framework was deleted while
			the job ran is GONE. If running jobs use GPUs or have a price, the command
			also shows the totals of their GPUs, CPUs and memory.

			--usage adds the current CPU usage (in cores) and memory usage of tasks. On
			the local cluster (Linux only), the command measures the processes of the
			tasks; on Kubernetes, it reads metrics.k8s.io. If the usage cannot be
			measured, the command prints "usage unknown" with the reason.

			--watch uses the whole terminal to show one line per job, and refreshes
			the status every 2 seconds. Up and down select a job, / filters by
			name, s filters by state, l opens the logs, and q quits. --watch
			requires a terminal.

			If a cluster does not respond, the command shows the jobs of the other clusters
			and then fails.

			Exit codes: 0 success, regardless of the status; 1 error.

			    openpai status --state failed --detail
			    openpai status --watch --job 'sweep-*' --wide`),
		Args: cobra.ArbitraryArgs,
		RunE: o.workspace.runAt(o.run),
	}
	o.register(cmd, "show only jobs with this `ADDRESS` or label; * and ? are wildcards; repeatable")
	cmd.Flags().StringArrayVar(&o.states, "state", nil, "show only jobs in this `STATE`, for example running or failed; repeatable")
	s.registerJSON(cmd, "the status, with all attempts,")
	cmd.Flags().BoolVar(&o.detail, "detail", false, "show tasks and attempts, regardless of the number of jobs")
	cmd.Flags().BoolVar(&o.wide, "wide", false, "show one line per job, with cluster, attempt, start, duration and outcome")
	cmd.Flags().BoolVar(&o.fold, "fold", false, "show instances of one for_each on one line if their values are identical, with the totals of their tasks and GPUs")
	cmd.Flags().BoolVar(&o.usage, "usage", false, "show the current CPU and memory usage of tasks, if the cluster measures it")
	cmd.Flags().BoolVarP(&o.watch, "watch", "w", false, "show one line per job until q is pressed, with keys to filter jobs and open logs")
	cmd.MarkFlagsMutuallyExclusive("json", "detail", "fold", "wide")
	cmd.MarkFlagsMutuallyExclusive("json", "detail", "fold", "watch")
	return cmd
}

func (o *statusOptions) run(ctx context.Context) error {
	source, err := o.workspace.source(o.streams)
	if err != nil {
		return err
	}
	if o.watch {
		return o.watchJobs(ctx, source)
	}
	r, err := o.read(ctx, source)
	if err != nil {
		return err
	}
	slices.SortStableFunc(r.statuses, func(a, b *cluster.Status) int { return hclspec.CompareNatural(a.Address, b.Address) })
	o.show(ctx, r.known, r.jobs, r.statuses, r.failed)
	return r.failed
}

// jobsRead is the result of reading the clusters once.
type jobsRead struct {
	known    *known
	jobs     []operation.Job
	statuses []*cluster.Status // of the chosen jobs
	failed   error             // errors from clusters that could not be read
}

func (o *statusOptions) read(ctx context.Context, source *jobSource) (*jobsRead, error) {
	states, err := jobStates(o.states)
	if err != nil {
		return nil, err
	}
	k, err := source.read(ctx, o.jobs, (*operation.Operation).Jobs)
	if err != nil {
		return nil, err
	}
	jobs, err := k.choose(append(k.jobs, k.notApplied()...), o.jobs)
	if err != nil {
		return nil, err
	}
	statuses, failed := operation.Statuses(ctx, jobs)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if len(states) > 0 {
		statuses = slices.DeleteFunc(statuses, func(st *cluster.Status) bool { return !slices.Contains(states, st.State) })
	}
	if o.usage {
		if err := operation.AddUsage(ctx, jobs, statuses); err != nil {
			return nil, err
		}
	}
	return &jobsRead{known: k, jobs: jobs, statuses: statuses, failed: errors.Join(k.unread, failed)}, nil
}

// maxDetailed is the maximum number of jobs whose tasks status prints without
// --detail.
const maxDetailed = 10

func (o *statusOptions) show(ctx context.Context, k *known, jobs []operation.Job, statuses []*cluster.Status, failed error) {
	switch name := k.loaded.Workspace.Name; {
	case o.streams.json != nil:
		o.streams.json.show(document.NewStatus(name, jobStatuses(jobs, statuses), inUse(k, jobs, statuses)))
	case len(statuses) == 0 && failed != nil:
	case len(statuses) == 0 && len(jobs) > 0:
		fmt.Fprintln(o.streams.out, "No job is in the selected state.")
	case len(statuses) == 0 && o.workspace.remote.workspace != "":
		fmt.Fprintln(o.streams.out, sentence(emptyRemote(ctx, k.operation, name, "jobs")))
	case len(statuses) == 0:
		fmt.Fprintf(o.streams.out, "The workspace %q has no jobs.\n", name)
		showOtherWorkspaces(o.streams, "status", k.loaded, k.operation)
	case o.fold:
		output.FoldedSummaries(o.streams.out, summaries(jobs, statuses), o.streams.width, time.Now())
		output.InUse(o.streams.out, inUse(k, jobs, statuses))
	case o.wide || !o.detail && len(statuses) > maxDetailed:
		output.Summaries(o.streams.out, summaries(jobs, statuses), o.wide, o.streams.width, time.Now())
		output.InUse(o.streams.out, inUse(k, jobs, statuses))
	default:
		if o.detail {
			output.Statuses(o.streams.out, o.streams.color, statuses)
		} else {
			output.SharedStatuses(o.streams.out, o.streams.color, statuses)
		}
		output.SharedCauses(o.streams.out, summaries(jobs, statuses))
		output.InUse(o.streams.out, inUse(k, jobs, statuses))
	}
}

func inUse(k *known, jobs []operation.Job, statuses []*cluster.Status) []planner.InUse {
	byFramework := map[string]operation.Job{}
	for _, j := range jobs {
		byFramework[j.Framework] = j
	}
	var running []planner.RunningJob
	for _, st := range statuses {
		if st.State == planner.StateRunning || st.State == planner.StateStopping {
			j := byFramework[st.Framework]
			running = append(running, planner.RunningJob{Cluster: j.On, Applied: j.Applied})
		}
	}
	return planner.AddUp(running, k.loaded.Workspace.Clusters)
}

// jobStatuses adds the name of the cluster to each status.
func jobStatuses(jobs []operation.Job, statuses []*cluster.Status) []document.JobStatus {
	all := make([]document.JobStatus, len(statuses))
	for i, s := range summaries(jobs, statuses) {
		all[i] = document.NewJobStatus(s.Status, s.On)
	}
	return all
}

// jobStates returns the job states with the given names, ignoring case.
func jobStates(input []string) ([]planner.JobState, error) {
	var all []planner.JobState
	var names []string
	for _, s := range planner.JobStates() {
		names = append(names, strings.ToLower(string(s)))
	}
	for _, g := range input {
		if !slices.Contains(names, strings.ToLower(g)) {
			return nil, fmt.Errorf("invalid --state %[2]q: use %[1]s.%[3]s", strings.Join(names, ", "), g, hclspec.Suggest(strings.ToLower(g), names))
		}
		all = append(all, planner.JobState(strings.ToUpper(g)))
	}
	return all, nil
}

// notApplied returns the declared jobs that are on no cluster. It omits jobs whose
// cluster could not be read.
func (k *known) notApplied() []operation.Job {
	var absent []operation.Job
	for _, job := range k.loaded.Workspace.Jobs {
		at := job.Address()
		if operation.Unread(k.unread, operation.ClusterOf(job)) || slices.ContainsFunc(k.jobs, func(j operation.Job) bool { return j.Address == at }) {
			continue
		}
		absent = append(absent, operation.Job{Address: at, State: planner.StateAbsent})
	}
	return absent
}

// summaries returns one summary for each status, in the same order.
func summaries(jobs []operation.Job, statuses []*cluster.Status) []output.Summary {
	byFramework := map[string]operation.Job{}
	for _, j := range jobs {
		byFramework[j.Framework] = j
	}
	var all []output.Summary
	for _, st := range statuses {
		j := byFramework[st.Framework]
		all = append(all, output.Summary{Status: st, On: j.On, GPUs: gpusOf(j.Applied)})
	}
	return all
}

func gpusOf(job *resolve.Job) int {
	if job == nil {
		return output.UnknownGPUs
	}
	n := 0
	for _, role := range job.TaskRoles {
		n += role.GPU * role.Instances
	}
	return n
}
