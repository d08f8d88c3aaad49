// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// reader returns the cached state on the first call, and the live state on later
// calls. Plan uses the cached state. Apply holds the lock and checks the plan
// against the live state.
func (c *connection) reader(job *resolve.Job, seen *planner.Snapshot) operation.Live {
	next := onlyJob(seen, job)
	return func(ctx context.Context) (map[string]*planner.Snapshot, error) {
		now := next
		if now == nil {
			live, err := c.reread(ctx, job.Framework)
			if err != nil {
				return nil, err
			}
			now = operation.Replace(onlyJob(seen, job), job.Framework, live)
		}
		next = nil
		return map[string]*planner.Snapshot{c.clusterName(): now}, nil
	}
}

func (c *connection) job(job *resolve.Job) (operation.Job, error) {
	opened, err := c.Cluster()
	return operation.Job{Address: job.Address, Framework: job.Framework, Cluster: opened}, err
}
