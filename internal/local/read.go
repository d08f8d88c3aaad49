// SPDX-License-Identifier: MPL-2.0

package local

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/internal/locator"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
	"github.com/openpai/terraform-provider-openpai/runtime/fetch"
)

var (
	_ cluster.DownloadHolder = (*Cluster)(nil)
	_ cluster.JobLister      = (*Cluster)(nil)
)

// Read implements planner.Live. It does not write files, start processes or send
// signals. It reports a missing supervisor as drift, which the next apply
// corrects.
func (c *Cluster) Read(_ context.Context, workspace string, frameworks []string) (*planner.Snapshot, error) {
	jobs, err := c.readJobs(workspace, frameworks, c.readJob)
	if err != nil {
		return nil, err
	}
	snapshot := &planner.Snapshot{Jobs: jobs}
	var unreadable *store.UnreadableError
	if snapshot.SecretKey, err = c.layout.SecretKey(workspace); errors.As(err, &unreadable) {
		snapshot.UnreadableKey, err = unreadable.File, nil
	}
	return snapshot, err
}

// Jobs implements cluster.JobLister. Unlike Read, it does not read the files that
// drift detection compares.
func (c *Cluster) Jobs(_ context.Context, workspace string) ([]*planner.LiveJob, error) {
	return c.readJobs(workspace, nil, func(name string) (*planner.LiveJob, error) {
		l, err := c.load(name)
		if err != nil || l == nil {
			return nil, err
		}
		return c.liveJob(l), nil
	})
}

// readJobs returns the jobs of a workspace and of the given Frameworks, sorted by
// address. read returns nil for a job that was deleted in the meantime.
func (c *Cluster) readJobs(workspace string, frameworks []string, read func(name string) (*planner.LiveJob, error)) ([]*planner.LiveJob, error) {
	names, err := c.layout.Names()
	if err != nil {
		return nil, err
	}
	if len(names) > 0 {
		if err := c.layout.Check(); err != nil {
			return nil, err
		}
	}
	var all []*planner.LiveJob
	for _, name := range names {
		job, err := read(name)
		if err != nil {
			return nil, err
		}
		if job == nil {
			continue
		}
		if job.Unreadable != nil && job.Unreadable.Unknown {
			job.Workspace = workspace // nothing indicates another workspace
		}
		if job.Workspace == workspace || slices.Contains(frameworks, name) {
			all = append(all, job)
		}
	}
	slices.SortStableFunc(all, func(a, b *planner.LiveJob) int { return cmp.Compare(a.Address, b.Address) })
	return all, nil
}

// TerraformWorkspaces implements cluster.WorkspaceLister.
func (c *Cluster) TerraformWorkspaces() []string {
	names, _ := c.layout.Names()
	var all []string
	for _, name := range names {
		r, err := c.layout.LoadRecord(name)
		if err == nil && r != nil && r.Declarer(r.Declaration) == planner.DeclaredByTerraform {
			all = append(all, r.Workspace)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Find implements cluster.Finder.
func (c *Cluster) Find(_ context.Context, framework string) (*planner.LiveJob, error) {
	if !store.FrameworkName.MatchString(framework) {
		return nil, nil
	}
	if _, err := c.object(framework); err != nil {
		return nil, err
	}
	return c.readJob(framework)
}

// readJob reads a job from its files. It returns nil if the job was deleted in the
// meantime. If one file cannot be read, readJob uses the other files.
func (c *Cluster) readJob(name string) (*planner.LiveJob, error) {
	l, err := c.load(name)
	if err != nil || l == nil {
		return nil, err
	}
	job := c.liveJob(l)
	if l.unreadable != nil || l.framework == nil {
		return job, nil
	}
	return job, c.readDrift(job, l.framework)
}

// readDrift adds the drift of a job: a missing supervisor and, if the job can still
// start tasks, changed files.
func (c *Cluster) readDrift(job *planner.LiveJob, fw *framework.Framework) error {
	o := c.layout.Object(job.Framework)
	stalled, err := c.stalledUnless(o, fw, c.lockedByOther)
	if err != nil || job.Unstarted {
		return err
	}
	if stalled != "" {
		job.Drift = append(job.Drift, planner.SupervisorGone)
	}
	if job.State.Finished() {
		return nil
	}
	changed, err := o.Drift()
	job.Drift = append(job.Drift, changed...)
	return err
}

// Downloaded implements cluster.DownloadHolder, because tasks share a download
// cache. It also returns the size of a file that tasks copy from this machine.
func (c *Cluster) Downloaded(f *resolve.Fetch) (size int64, ok bool) {
	if size, ok = fetch.Cached(c.layout.FetchCache(), f.URL, f.SHA256); size > 0 {
		return size, ok
	}
	at, err := locator.ParseIn(c.dir, f.URL)
	if err != nil || at.Kind != locator.File {
		return 0, ok
	}
	if info, err := os.Stat(at.Path); err == nil && info.Mode().IsRegular() {
		return info.Size(), false
	}
	return 0, false
}
