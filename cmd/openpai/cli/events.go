// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/output"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
)

type eventsOptions struct {
	jobFlags
}

func newEventsCmd(s *Streams) *cobra.Command {
	o := &eventsOptions{jobFlags: jobFlags{streams: s}}
	cmd := &cobra.Command{
		Use:   "events [PATH] [ADDRESS...]",
		Short: "Show the Kubernetes events of jobs",
		Long: dedent(`
			Show the Kubernetes events for the workspace's jobs and their Pods, such as
			events about scheduling, image pulls and volumes. By default, Kubernetes keeps
			events for an hour. Jobs on the local cluster have no events.

			Exit codes: 0 success, 1 error.

			    openpai events job.train
			    openpai events --workspace vision --namespace alice`),
		Args: cobra.ArbitraryArgs,
		RunE: o.workspace.runAt(o.run),
	}
	o.register(cmd, "only the job with this `ADDRESS` or label; repeatable")
	s.registerJSON(cmd, "the events")
	return cmd
}

func (o *eventsOptions) run(ctx context.Context) error {
	return o.each(ctx, func(jobs []operation.Job) error { return o.show(ctx, jobs) })
}

func (o *eventsOptions) show(ctx context.Context, jobs []operation.Job) error {
	var all []document.ClusterEvent
	for _, j := range jobs {
		source, ok := j.Cluster.(cluster.EventSource)
		if !ok {
			continue
		}
		found, err := source.Events(ctx, j.Framework)
		if err != nil {
			return fmt.Errorf("read the events of %s: %w", j.Address, err)
		}
		for _, e := range found {
			all = append(all, document.ClusterEvent{
				Job: string(j.Address), Last: e.Last.UTC(), Count: e.Count, Type: e.Type, Object: e.Object, Reason: e.Reason, Message: e.Message,
			})
		}
	}
	if o.streams.json != nil {
		o.streams.json.show(document.NewClusterEvents(all))
		return nil
	}
	return o.table(all)
}

func (o *eventsOptions) table(all []document.ClusterEvent) error {
	if len(all) == 0 {
		fmt.Fprintln(o.streams.out, "No events found.")
		return nil
	}
	w := tabwriter.NewWriter(o.streams.out, 0, 0, 2, ' ', 0)
	for _, e := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", e.Last.Format(time.RFC3339), output.Clean(e.Job), output.Clean(e.Object), output.Clean(e.Reason), output.Clean(e.Message))
	}
	return w.Flush()
}
