// SPDX-License-Identifier: MPL-2.0

package local

import (
	"errors"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// loaded is the content of a job's files. At least one of record, Framework
// and unreadable is not nil.
type loaded struct {
	name       string
	record     *cluster.Record
	framework  *framework.Framework
	notes      []string // of its supervisors
	unreadable *store.UnreadableError
}

// load reads each file of a job once. It returns nil if the job does not exist. An
// unreadable file does not affect the other files.
func (c *Cluster) load(name string) (*loaded, error) {
	r, recordErr := c.layout.LoadRecord(name)
	fw, notes, err := c.layout.Object(name).Load()
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
	return &loaded{name, r, fw, notes, unreadable}, nil
}

// liveJob converts a loaded job to a live job without drift.
func (c *Cluster) liveJob(l *loaded) *planner.LiveJob {
	job := &planner.LiveJob{Framework: l.name}
	if r := l.record; r != nil {
		job.Address, job.Workspace, job.User, job.State = r.Address, r.Workspace, r.User, r.State
		job.Hash, job.Fields, job.Applied, job.SecretVersions = r.Hash, r.Fields, r.Applied, r.SecretVersions
		job.ExitCode, job.Declaration, job.Creating = r.ExitCode, r.Declaration, r.Creating
		job.DeclaredBy, job.Run, job.RepeatOf = r.Declarer(r.Declaration), r.Run, r.RepeatOf
	}
	if l.framework != nil {
		c.readFramework(job, l.framework, l.record == nil)
	}
	if l.unreadable != nil {
		job.Present, job.State = true, planner.StateUnreadable
		job.Unreadable = &planner.Unreadable{File: l.unreadable.File, Unknown: l.record == nil && l.framework == nil}
		if job.Unreadable.Unknown {
			job.Address = hclspec.NewAddress("job", l.name)
		}
	}
	return job
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
