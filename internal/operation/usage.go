// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"errors"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

// errNotMeasured is the reason for unknown usage on clusters without
// UsageSource.
var errNotMeasured = errors.New("the cluster does not measure resource usage")

// AddUsage adds the resource usage of running tasks to statuses. If the usage of
// a job is unknown, its status contains the reason. AddUsage fails only if the
// context ends.
func AddUsage(ctx context.Context, jobs []Job, statuses []*cluster.Status) error {
	on := map[string]cluster.Cluster{}
	for _, j := range jobs {
		on[j.Framework] = j.Cluster
	}
	var order []cluster.Cluster
	running := map[cluster.Cluster][]*cluster.Status{}
	for _, st := range statuses {
		c := on[st.Framework]
		if c == nil || len(st.Measurable()) == 0 {
			continue
		}
		if running[c] == nil {
			order = append(order, c)
		}
		running[c] = append(running[c], st)
	}
	for _, c := range order {
		err := errNotMeasured
		if source, ok := c.(cluster.UsageSource); ok {
			err = source.AddUsage(ctx, running[c])
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for _, st := range running[c] {
			if err != nil {
				st.UsageUnknown = err.Error()
			}
		}
	}
	return nil
}
