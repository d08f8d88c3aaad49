package kubernetes

import (
	"context"
	"fmt"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

// The words for jobs of which nothing will become by itself.
const (
	halfSubmitted = "it was not submitted completely; \"openpai apply\" goes on with it, \"openpai destroy\" removes it"
	halfDeleted   = "it is being deleted; \"openpai destroy\" finishes that, \"openpai apply\" submits it anew"
	vanished      = "its Framework is gone before an outcome was seen; \"openpai apply\" submits it anew, \"openpai destroy\" removes what is left"
)

// half says what is missing of a Framework that was submitted or deleted in
// part; empty for a whole one. FrameworkController deletes finished ones by
// itself.
func half(fw *framework.Framework) string {
	switch {
	case state(fw).Finished():
		return ""
	case fw.Metadata.DeletionTimestamp != nil:
		return halfDeleted
	case fw.Spec.ExecutionType == framework.ExecutionCreate:
		return halfSubmitted
	}
	return ""
}

// standstill is an incomplete job as it was seen, and for how long nothing of
// it and of the workspace's Lease changed.
type standstill struct {
	text, versions string
	since          time.Time
}

// stalled returns the text once it is certain that no command works on an
// incomplete job: the workspace has no Lease, or neither the Lease nor the
// Framework changed for as long as a Lease lasts. Clocks of other machines are
// not asked.
func (c *Cluster) stalled(ctx context.Context, name, text, version string) (string, error) {
	if text == "" {
		c.forgetStandstill(name)
		return "", nil
	}
	var held lease
	err := c.get(ctx, leases, leaseName(c.options.Workspace), &held)
	if isNotFound(err) {
		return text, nil
	}
	if err := allowed(err); err != nil {
		return "", err
	}
	now := standstill{text: text, versions: version + " " + held.Metadata.ResourceVersion, since: c.options.Now()}
	if c.seenSince(name, now) < c.options.LeaseDuration {
		return "", nil
	}
	return text, nil
}

// seenSince tells for how long an incomplete job is as it is now.
func (c *Cluster) seenSince(name string, now standstill) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	before, known := c.still[name]
	if !known || before.text != now.text || before.versions != now.versions {
		c.still[name] = now
		return 0
	}
	return now.since.Sub(before.since)
}

func (c *Cluster) forgetStandstill(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.still, name)
}

// incomplete adds to a status what is missing of the job. A job that a command
// just completed looked incomplete before the Lease was looked at, so the
// Framework is read once more.
func (c *Cluster) incomplete(ctx context.Context, st *cluster.Status, fw *framework.Framework) error {
	text, err := c.stalled(ctx, fw.Metadata.Name, half(fw), fw.Metadata.ResourceVersion)
	if err != nil || text == "" {
		return err
	}
	now, err := c.framework(ctx, fw.Metadata.Name)
	switch {
	case isNotFound(err):
		return nil // the next look says so
	case err != nil:
		return err
	}
	st.Stalled = half(now)
	return nil
}

// gone is the status of a job whose Framework is not there: what was recorded
// of it, unless the record went with it.
func (c *Cluster) gone(ctx context.Context, name string) (*cluster.Status, error) {
	c.forget(name)
	r, err := c.knownRecord(ctx, name)
	if err != nil {
		return nil, err
	}
	if r == nil {
		return nil, fmt.Errorf("%s %s: %w", framework.Kind, name, cluster.ErrNotFound)
	}
	st := c.recordedStatus(r)
	if st.State.Finished() {
		return st, nil
	}
	st.Stalled, err = c.stalled(ctx, name, vanished, r.meta.ResourceVersion)
	return st, err
}
