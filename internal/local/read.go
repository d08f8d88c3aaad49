package local

import (
	"context"
	"errors"
	"slices"
	"sort"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// Read implements planner.Live. It never writes, and leaves a supervisor that
// was killed as it is.
func (c *Cluster) Read(_ context.Context, workspace string, frameworks []string) (*planner.Snapshot, error) {
	names, err := c.names()
	if err != nil {
		return nil, err
	}
	snapshot := &planner.Snapshot{}
	for _, name := range names {
		job, err := c.readJob(name)
		if err != nil {
			return nil, err
		}
		if job != nil && (job.Workspace == workspace || slices.Contains(frameworks, name)) {
			snapshot.Jobs = append(snapshot.Jobs, job)
		}
	}
	sort.SliceStable(snapshot.Jobs, func(i, j int) bool { return snapshot.Jobs[i].Address < snapshot.Jobs[j].Address })
	snapshot.SecretKey, err = c.layout.secretKey(workspace)
	return snapshot, err
}

// Find implements cluster.Finder.
func (c *Cluster) Find(_ context.Context, framework string) (*planner.LiveJob, error) {
	if !frameworkName.MatchString(framework) {
		return nil, nil
	}
	return c.readJob(framework)
}

// names returns every Framework that exists or has a record, sorted.
func (c *Cluster) names() ([]string, error) {
	names, err := c.layout.recordNames()
	if err != nil {
		return nil, err
	}
	objects, err := c.layout.objects()
	if err != nil {
		return nil, err
	}
	for _, o := range objects {
		names = append(names, o.name)
	}
	sort.Strings(names)
	return slices.Compact(names), nil
}

// readJob returns nil for a job that was deleted meanwhile.
func (c *Cluster) readJob(name string) (*planner.LiveJob, error) {
	r, err := c.layout.loadRecord(name)
	if err != nil {
		return nil, err
	}
	fw, _, err := c.layout.object(name).load()
	gone := errors.Is(err, cluster.ErrNotFound)
	if err != nil && !gone {
		return nil, err
	}
	if gone && r == nil {
		return nil, nil
	}
	job := &planner.LiveJob{Framework: name}
	if r != nil {
		job.Address, job.Workspace, job.User, job.State = r.Address, r.Workspace, r.User, r.State
		job.Hash, job.Fields, job.Applied, job.SecretVersions = r.Hash, r.Fields, r.Applied, r.SecretVersions
		job.ExitCode, job.Declaration = r.ExitCode, r.Declaration
	}
	if !gone {
		c.readFramework(job, fw, r == nil)
	}
	return job, nil
}

func (c *Cluster) readFramework(job *planner.LiveJob, fw *framework.Framework, noRecord bool) {
	if noRecord {
		job.Address = hclspec.Address(fw.Metadata.Annotations[contract.KeyAddress])
		job.Workspace = fw.Metadata.Annotations[contract.KeyWorkspace]
		job.User = fw.Metadata.Labels[contract.LabelUser]
	}
	job.Present, job.UID = true, fw.Metadata.UID
	// Half created and half deleted are alike: the next apply goes on.
	job.Unstarted = fw.Spec.ExecutionType == framework.ExecutionCreate || fw.Metadata.DeletionTimestamp != nil
	job.State, job.ExitCode = frameworkState(fw), nil
	if fw.Status == nil {
		return
	}
	if job.State.Finished() {
		job.ExitCode = c.layout.exitCode(fw)
	}
	for _, role := range fw.Status.AttemptStatus.TaskRoleStatuses {
		for _, t := range role.TaskStatuses {
			if t.State == framework.StateAttemptRunning {
				job.RunningTasks++
			}
		}
	}
}

// frameworkState is the state of a job in OpenPAI's words.
func frameworkState(fw *framework.Framework) planner.JobState {
	if fw.Status == nil {
		return planner.StateWaiting
	}
	return cluster.JobState(fw.Status.State, fw.Status.AttemptStatus.CompletionStatus)
}
