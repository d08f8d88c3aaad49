// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// Cache caches the state of one cluster, because Terraform reads hundreds of resources
// concurrently. The cached state may be a few seconds old; apply reads the job again.
type Cache struct {
	operation *Operation
	cluster   string
	workspace string
	now       func() time.Time

	refreshing sync.Mutex // held while the workspace is read, so that one read serves all callers

	mu     sync.Mutex // guards the cached state; never held during a request to the cluster
	seen   *planner.Snapshot
	until  time.Time
	absent map[string]time.Time // Frameworks that did not exist, with the time at which this information expires
	// written contains the jobs that were read again after a write. They are
	// newer than the result of a concurrent workspace read.
	written map[string]written

	names names
}

// Cache returns the cache of a cluster.
func (o *Operation) Cache(name string) *Cache {
	o.caching.Lock()
	defer o.caching.Unlock()
	if o.caches[name] == nil {
		o.caches[name] = &Cache{
			operation: o, cluster: name, workspace: o.options.Workspace.Name, now: time.Now,
			absent: map[string]time.Time{}, written: map[string]written{},
		}
	}
	return o.caches[name]
}

// snapshotAge is the minimum time for which a snapshot is cached, because each
// new snapshot requires reading all jobs in the workspace.
const snapshotAge = 5 * time.Second

// servesFor returns how long to cache the result of a read that took the given
// time. This limits reads to a tenth of the total time.
func servesFor(took time.Duration) time.Duration { return max(snapshotAge, 10*took) }

// Live returns a snapshot with at most two jobs. One is the job of the
// workspace with the given address. The other is the job of any workspace
// with the given Framework name. The snapshot also contains the workspace key
// for secret versions.
func (c *Cache) Live(ctx context.Context, address hclspec.Address, framework string) (*planner.Snapshot, error) {
	seen, err := c.refresh(ctx)
	if err != nil {
		return nil, err
	}
	found := &planner.Snapshot{SecretKey: seen.SecretKey, UnreadableKey: seen.UnreadableKey, Permissions: seen.Permissions}
	for _, job := range seen.Jobs {
		if job.Framework == framework || job.Workspace == c.workspace && job.Address == address {
			found.Jobs = append(found.Jobs, job)
		}
	}
	if len(found.Jobs) > 0 || c.wasAbsent(framework) {
		return found, nil
	}
	// A job of another workspace is not in the snapshot.
	foreign, err := c.holder(ctx, framework)
	if err == nil && foreign != nil {
		found.Jobs = append(found.Jobs, foreign)
	}
	if err == nil && foreign == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.absent[framework] = c.now().Add(snapshotAge)
	}
	return found, err
}

func (c *Cache) wasAbsent(framework string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now().Before(c.absent[framework])
}

// refresh reads the jobs of the workspace unless a recent snapshot is cached.
func (c *Cache) refresh(ctx context.Context) (*planner.Snapshot, error) {
	c.refreshing.Lock()
	defer c.refreshing.Unlock()
	if seen := c.fresh(); seen != nil {
		return seen, nil
	}
	opened, err := c.operation.Cluster(c.cluster)
	if err != nil {
		return nil, err
	}
	began := c.now()
	seen, err := opened.Read(ctx, c.workspace, nil)
	if err != nil {
		return nil, fmt.Errorf("read the jobs of workspace %s: %w", c.workspace, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for framework, w := range c.written {
		if w.at.Before(began) {
			delete(c.written, framework)
			continue
		}
		seen = Replace(seen, framework, w.job)
	}
	c.seen, c.until = seen, c.now().Add(servesFor(c.now().Sub(began)))
	return seen, nil
}

// Replace returns a copy of seen without the job of the given Framework. If job is
// not nil, the copy also contains job.
func Replace(seen *planner.Snapshot, framework string, job *planner.LiveJob) *planner.Snapshot {
	jobs := slices.DeleteFunc(slices.Clone(seen.Jobs), func(j *planner.LiveJob) bool { return j.Framework == framework })
	if job != nil {
		jobs = append(jobs, job)
	}
	return &planner.Snapshot{SecretKey: seen.SecretKey, UnreadableKey: seen.UnreadableKey, Permissions: seen.Permissions, Jobs: jobs}
}

// written is the result of reading a job after a write. The field job is nil if
// the read did not find the job.
type written struct {
	job *planner.LiveJob
	at  time.Time
}

func (c *Cache) fresh() *planner.Snapshot {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen != nil && c.now().Before(c.until) {
		return c.seen
	}
	return nil
}

// find reads one job from the cluster. It returns nil if the job does not exist.
func (c *Cache) find(ctx context.Context, framework string) (*planner.LiveJob, error) {
	opened, err := c.operation.Cluster(c.cluster)
	if err != nil {
		return nil, err
	}
	if f, ok := opened.(cluster.Finder); ok {
		job, err := f.Find(ctx, framework)
		if err != nil {
			return nil, fmt.Errorf("read the job %s: %w", framework, err)
		}
		return job, nil
	}
	s, err := opened.Read(ctx, c.workspace, []string{framework})
	if err != nil {
		return nil, fmt.Errorf("read the job %s: %w", framework, err)
	}
	for _, job := range s.Jobs {
		if job.Framework == framework {
			return job, nil
		}
	}
	return nil, nil
}

// Reread reads one job again after a write, caches the result and returns the
// job. Reread does not change the rest of the cached state.
func (c *Cache) Reread(ctx context.Context, framework string) (*planner.LiveJob, error) {
	job, err := c.find(ctx, framework)
	return c.wrote(framework, job, err)
}

// deleted updates the cache after a job is deleted. The caller must hold the lock
// of the cluster.
func (c *Cache) deleted(framework string) { _, _ = c.wrote(framework, nil, nil) }

// wrote updates the cached entry of a job after a write. job and err are the
// results of a read after the write.
func (c *Cache) wrote(framework string, job *planner.LiveJob, err error) (*planner.LiveJob, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.absent, framework)
	if err != nil {
		return nil, err
	}
	c.written[framework] = written{job, c.now()}
	if c.seen == nil {
		return job, nil
	}
	c.seen = Replace(c.seen, framework, job)
	if c.seen.SecretKey == nil && job != nil && len(job.SecretVersions) > 0 {
		c.until = time.Time{} // the write created it
	}
	return job, nil
}

// Jobs returns the jobs of the workspace, sorted by address.
func (c *Cache) Jobs(ctx context.Context) ([]*planner.LiveJob, error) {
	seen, err := c.refresh(ctx)
	if err != nil {
		return nil, err
	}
	var own []*planner.LiveJob
	for _, job := range seen.Jobs {
		if job.Workspace == c.workspace {
			own = append(own, job)
		}
	}
	slices.SortFunc(own, func(a, b *planner.LiveJob) int { return hclspec.CompareNatural(a.Address, b.Address) })
	return own, nil
}
