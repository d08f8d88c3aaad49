// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/output"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
)

type stopOptions struct {
	jobFlags
}

func newStopCmd(s *Streams) *cobra.Command {
	o := &stopOptions{jobFlags: jobFlags{streams: s}}
	cmd := &cobra.Command{
		Use:   "stop [PATH] [ADDRESS...]",
		Short: "Stop jobs, keeping their status and logs",
		Long: dedent(`
			Stop every running job of the workspace, or the jobs selected with --job,
			and wait until they have ended. Callbacks for taskExits still run. A task
			that does not end within its grace period receives SIGKILL. The command
			keeps the status and the logs; "openpai destroy" removes them.

			Exit codes: 0 stopped, or already finished; 1 error; 130 interrupted (the jobs
			still end).

			    openpai stop job.train
			    openpai stop --job 'sweep-*'`),
		Args: cobra.ArbitraryArgs,
		RunE: o.workspace.runAt(o.run),
	}
	o.register(cmd, "stop only the job with this `ADDRESS` or label; repeatable")
	s.registerEvents(cmd)
	return cmd
}

func (o *stopOptions) run(ctx context.Context) error {
	return o.each(ctx, func(jobs []operation.Job) error {
		p := &stopProgress{
			streams: o.streams, problem: map[hclspec.Address]func(*cluster.Status){},
			status: func(j operation.Job) (*cluster.Status, error) { return j.Status(ctx) },
		}
		return errors.Join(operation.Stop(ctx, jobs, p), p.err)
	})
}

// stopProgress prints the progress of jobs that are being stopped.
type stopProgress struct {
	streams *Streams
	problem map[hclspec.Address]func(*cluster.Status)
	// status reads the status of a job that had already finished.
	status func(operation.Job) (*cluster.Status, error)
	err    error // from status
}

// Stopping implements operation.StopReporter.
func (p *stopProgress) Stopping(j operation.Job) {
	if p.streams.json == nil {
		fmt.Fprintf(p.streams.out, "%s: stopping\n", j.Address)
	}
	p.problem[j.Address] = output.ProblemPrinter(p.streams.err, j)
}

// Changed implements operation.StopReporter.
func (p *stopProgress) Changed(j operation.Job, s *cluster.Status) {
	p.problem[j.Address](s)
	if p.streams.json != nil {
		p.streams.json.events.changed(j, s)
	}
}

// Stopped implements operation.StopReporter.
func (p *stopProgress) Stopped(j operation.Job, before bool, last *cluster.Status) {
	switch {
	case p.streams.json != nil && before:
		p.finishedBefore(j)
		return
	case p.streams.json != nil:
		p.streams.json.events.finished(j.On, last)
		return
	case before:
		fmt.Fprintf(p.streams.out, "%s had already finished: %s.\n", j.Address, last.State)
		return
	}
	fmt.Fprintf(p.streams.out, "%s: %s\n", j.Address, last.State)
}

// finishedBefore prints the event for a job that finished before the stop.
func (p *stopProgress) finishedBefore(j operation.Job) {
	st, err := p.status(j)
	if err != nil {
		p.err = errors.Join(p.err, err)
		return
	}
	p.streams.json.events.finished(j.On, st)
}
