// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// errUnknown is the error for a cluster that cannot be accessed before apply.
var errUnknown = errors.New("the provider block has values that are known only after apply")

// connection is a configured provider: the settings, and the operation that all
// resources share.
type connection struct {
	*settings
	operation *operation.Operation
	// fingerprint is the result of [settings.fingerprint].
	fingerprint string
	names       *names
	warnings    warnings
}

// lockPatience is the maximum time to wait for other processes that change
// jobs. There can be several processes, because each provider block runs in its
// own process.
const lockPatience = time.Minute

// newConnection returns a connection without sending requests. If open or
// renderer is nil, newConnection uses the default implementation.
func newConnection(s *settings, open operation.Opener, renderer planner.Renderer) *connection {
	c := &connection{settings: s, fingerprint: s.fingerprint(), names: newNames()}
	if s.Unknown { // with unknown settings, the connection could use the wrong cluster
		open = func(*hclspec.Cluster) (cluster.Cluster, error) { return nil, errUnknown }
	}
	o := operation.Options{Workspace: s.workspaceOf(nil), Named: true, Declarer: planner.DeclaredByTerraform, WithoutObjects: true, Patience: lockPatience, Secret: c.readSecret, Open: open, Renderer: renderer, Policies: s.Policies,
		Origin: sync.OnceValue(s.origin),
	}
	if s.Cluster == nil {
		o.Directory = cmp.Or(s.Directory, ".")
	}
	c.operation = operation.New(o)
	return c
}

// Cluster returns the cluster, which it opens on the first call.
func (c *connection) Cluster() (cluster.Cluster, error) {
	if c.Unknown {
		return nil, errUnknown
	}
	return c.operation.Cluster(c.clusterName())
}

// warnUnknown warns once that states are not refreshed.
func (c *connection) warnUnknown(diags *diag.Diagnostics) {
	c.warnings.warn(diags, "States are not refreshed",
		"The provider block has values that are known only after apply. The provider plans jobs from the existing states without refreshing them.")
}

// cache returns the cluster state, which all resources of the connection
// share.
func (c *connection) cache() (*operation.Cache, error) {
	if c.Unknown {
		return nil, errUnknown
	}
	return c.operation.Cache(c.clusterName()), nil
}

// live returns the workspace's job with the address and any other job with
// the Framework name; see operation.Cache.
func (c *connection) live(ctx context.Context, address hclspec.Address, framework string) (*planner.Snapshot, error) {
	cache, err := c.cache()
	if err != nil {
		return nil, err
	}
	return cache.Live(ctx, address, framework)
}

// reread reads a job again after a write. It returns nil if the job does not
// exist.
func (c *connection) reread(ctx context.Context, framework string) (*planner.LiveJob, error) {
	cache, err := c.cache()
	if err != nil {
		return nil, err
	}
	return cache.Reread(ctx, framework)
}

// jobs returns the jobs of the workspace, sorted by address.
func (c *connection) jobs(ctx context.Context) ([]*planner.LiveJob, error) {
	cache, err := c.cache()
	if err != nil {
		return nil, err
	}
	return cache.Jobs(ctx)
}

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
