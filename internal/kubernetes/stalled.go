// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// notStarted is the note for a job that is not permitted to start yet.
const notStarted = "The job cannot start yet; the apply that creates the job starts it in the last step."

// incompleteReason describes the missing part of an incomplete submission or
// deletion. It returns "" if nothing is missing, or if the Framework has
// finished: FrameworkController deletes finished Frameworks automatically.
func incompleteReason(fw *framework.Framework) cluster.Stalled {
	switch {
	case cluster.FrameworkState(fw).Finished():
		return ""
	case fw.Metadata.DeletionTimestamp != nil:
		return cluster.BeingDeleted
	case fw.Spec.ExecutionType == framework.ExecutionCreate:
		return cluster.PartlySubmitted
	}
	return ""
}

// stall is the observed state of an incomplete job and of its workspace's
// Lease. The field since is the time at which this state was first observed.
type stall struct {
	reason   cluster.Stalled
	versions string
	since    time.Time
}

// stalled returns "" while a command may still be processing the job. It returns
// the given reason if no Lease exists, or if Lease and Framework did not change for
// the lease duration. The result does not depend on the clocks of other machines.
func (c *Cluster) stalled(ctx context.Context, name string, reason cluster.Stalled, version string, source statusSource) (cluster.Stalled, error) {
	if reason == "" {
		c.forgetStall(name)
		return "", nil
	}
	held, err := source.heldLease(ctx)
	if err != nil {
		return "", err
	}
	if held == nil {
		return reason, nil
	}
	now := stall{reason: reason, versions: version + " " + held.Metadata.ResourceVersion, since: c.options.Now()}
	if c.stalledFor(name, now) < c.options.LeaseDuration {
		return "", nil
	}
	return reason, nil
}

// heldLease returns nil if the Lease does not exist, and an empty Lease if the
// user may not read it.
func (c *Cluster) heldLease(ctx context.Context) (*lease, error) {
	var held lease
	err := c.get(ctx, api.Leases, leaseName(c.options.Workspace), &held)
	if api.IsNotFound(err) {
		return nil, nil
	}
	return &held, ignoreForbidden(err)
}

// frameworkAgain implements statusSource.
func (c *Cluster) frameworkAgain(ctx context.Context, name string) (*framework.Framework, error) {
	return c.framework(ctx, name)
}

// stalledFor returns how long an incomplete job has been unchanged.
func (c *Cluster) stalledFor(name string, now stall) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	before, known := c.stalls[name]
	if !known || before.reason != now.reason || before.versions != now.versions {
		c.stalls[name] = now
		return 0
	}
	return now.since.Sub(before.since)
}

func (c *Cluster) forgetStall(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.stalls, name)
}

// addIncomplete sets the reason why an incomplete job makes no progress. It
// reads the Framework again, because a command may have completed the job
// before the Lease was read.
func (c *Cluster) addIncomplete(ctx context.Context, st *cluster.Status, fw *framework.Framework, source statusSource) error {
	reason, err := c.stalled(ctx, fw.Metadata.Name, incompleteReason(fw), fw.Metadata.ResourceVersion, source)
	if err != nil || reason == "" {
		return err
	}
	now, err := source.frameworkAgain(ctx, fw.Metadata.Name)
	switch {
	case api.IsNotFound(err):
		return nil // the next status reports the deletion
	case err != nil:
		return err
	}
	if st.Stalled = incompleteReason(now); st.Stalled != "" {
		st.Notes = slices.DeleteFunc(st.Notes, func(note string) bool { return note == notStarted })
	}
	return nil
}

// statusWithoutFramework returns the recorded status. It fails if the record does
// not exist.
func (c *Cluster) statusWithoutFramework(ctx context.Context, name string) (*cluster.Status, error) {
	return c.statusFromRecord(ctx, name, c)
}

func (c *Cluster) statusFromRecord(ctx context.Context, name string, source statusSource) (*cluster.Status, error) {
	c.forget(name)
	r, err := c.knownRecord(ctx, name)
	if err != nil {
		return nil, err
	}
	if r == nil {
		return nil, cluster.NotFound("Framework %s and its record do not exist", name)
	}
	st := c.recordedStatus(r)
	if st.State.Finished() {
		return st, nil
	}
	st.Stalled, err = c.stalled(ctx, name, cluster.FrameworkGone, r.meta.ResourceVersion, source)
	if st.Stalled != "" && r.State != "" {
		st.Notes = []string{fmt.Sprintf("The last known state of the job is %s.", r.State)}
		st.State = planner.StateGone
	}
	return st, err
}
