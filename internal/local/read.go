// SPDX-License-Identifier: MPL-2.0

package local

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
	"github.com/openpai/terraform-provider-openpai/runtime/fetch"
)

var _ cluster.DownloadHolder = (*Cluster)(nil)

// Read implements planner.Live. It does not write, start or signal anything: a
// missing supervisor is drift, which the next apply corrects.
func (c *Cluster) Read(_ context.Context, workspace string, frameworks []string) (*planner.Snapshot, error) {
	names, err := c.layout.Names()
	if err != nil {
		return nil, err
	}
	if len(names) > 0 {
		if err := c.layout.Check(); err != nil {
			return nil, err
		}
	}
	snapshot := &planner.Snapshot{}
	for _, name := range names {
		job, err := c.readJob(name)
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
			snapshot.Jobs = append(snapshot.Jobs, job)
		}
	}
	slices.SortStableFunc(snapshot.Jobs, func(a, b *planner.LiveJob) int { return cmp.Compare(a.Address, b.Address) })
	var unreadable *store.UnreadableError
	if snapshot.SecretKey, err = c.layout.SecretKey(workspace); errors.As(err, &unreadable) {
		snapshot.UnreadableKey, err = unreadable.File, nil
	}
	return snapshot, err
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

// readJob returns nil for a job that was deleted in the meantime. If a file
// cannot be read, it returns the content of the others.
func (c *Cluster) readJob(name string) (*planner.LiveJob, error) {
	r, recordErr := c.layout.LoadRecord(name)
	fw, _, err := c.layout.Object(name).Load()
	var unreadable *store.UnreadableError
	if errors.As(err, &unreadable) {
		fw, _ = c.layout.Object(name).LoadSpec() // the unreadable file may be the status
	} else if err != nil && !errors.Is(err, cluster.ErrNotFound) {
		return nil, err
	}
	if unreadable == nil && recordErr != nil && !errors.As(recordErr, &unreadable) {
		return nil, recordErr
	}
	if unreadable == nil && fw == nil && r == nil {
		return nil, nil
	}
	job := &planner.LiveJob{Framework: name}
	if r != nil {
		job.Address, job.Workspace, job.User, job.State = r.Address, r.Workspace, r.User, r.State
		job.Hash, job.Fields, job.Applied, job.SecretVersions = r.Hash, r.Fields, r.Applied, r.SecretVersions
		job.ExitCode, job.Declaration, job.Creating = r.ExitCode, r.Declaration, r.Creating
		job.DeclaredBy, job.Run, job.RepeatOf = r.Declarer(r.Declaration), r.Run, r.RepeatOf
	}
	if fw != nil {
		c.readFramework(job, fw, r == nil)
	}
	if unreadable != nil {
		job.Present, job.State = true, planner.StateUnreadable
		job.Unreadable = &planner.Unreadable{File: unreadable.File, Unknown: r == nil && fw == nil}
		if job.Unreadable.Unknown {
			job.Address = hclspec.NewAddress("job", name)
		}
		return job, nil
	}
	if fw == nil {
		return job, nil
	}
	stalled, err := c.stalledUnless(c.layout.Object(name), c.lockedByOther)
	if err == nil && stalled != "" && !job.Unstarted {
		job.Drift = append(job.Drift, planner.SupervisorGone)
	}
	return job, err
}

func (c *Cluster) readFramework(job *planner.LiveJob, fw *framework.Framework, noRecord bool) {
	if noRecord {
		job.Address = hclspec.Address(fw.Metadata.Annotations[contract.KeyAddress])
		job.Workspace = fw.Metadata.Annotations[contract.KeyWorkspace]
		job.User = fw.Metadata.Labels[contract.LabelUser]
	}
	job.Present, job.UID = true, fw.Metadata.UID
	job.Unstarted = cluster.Unstarted(fw)
	job.State, job.ExitCode = cluster.FrameworkState(fw), nil
	if fw.Status == nil {
		return
	}
	if job.State.Finished() {
		job.ExitCode = c.layout.ExitCode(fw)
	}
	for _, role := range fw.Status.AttemptStatus.TaskRoleStatuses {
		for _, t := range role.TaskStatuses {
			if t.State == framework.StateAttemptRunning {
				job.RunningTasks++
			}
		}
	}
}

// Downloaded implements cluster.DownloadHolder: tasks share a cache.
func (c *Cluster) Downloaded(f *resolve.Fetch) (size int64, ok bool) {
	return fetch.Cached(c.layout.FetchCache(), f.URL, f.SHA256)
}
