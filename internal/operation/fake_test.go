// SPDX-License-Identifier: MPL-2.0

package operation_test

import (
	"context"
	"sync"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// fake is an in-memory cluster that records writes.
type fake struct {
	cluster.Cluster
	jobs   []*planner.LiveJob
	unsafe hcl.Diagnostics
	guards int

	mu    sync.Mutex // jobs are written concurrently
	calls []string
	sent  []cluster.Submission
}

func (f *fake) Read(context.Context, string, []string) (*planner.Snapshot, error) {
	return &planner.Snapshot{Jobs: f.jobs}, nil
}

func (f *fake) Guard(context.Context, hclspec.SourceMap) (hcl.Diagnostics, error) {
	f.guards++
	return f.unsafe, nil
}

func (f *fake) SecretKey(context.Context, string) ([]byte, error) { return []byte("key"), nil }

func (f *fake) Create(_ context.Context, s cluster.Submission) error {
	f.record("create "+s.Job.Name, s)
	return nil
}

func (f *fake) Update(_ context.Context, s cluster.Submission) error {
	f.record("update "+s.Job.Name, s)
	return nil
}

func (f *fake) Delete(_ context.Context, framework string) error {
	f.record("delete " + framework)
	return nil
}

func (f *fake) record(call string, sent ...cluster.Submission) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls, f.sent = append(f.calls, call), append(f.sent, sent...)
}

// newOperation uses the options of the openpai CLI. The workspace "ws" has one
// cluster.
func newOperation(c cluster.Cluster, change func(*operation.Options)) *operation.Operation {
	o := operation.Options{
		Workspace: &hclspec.Workspace{Name: "ws"}, Named: true, Directory: "/nowhere",
		Secret: func(s *hclspec.Secret) (string, error) { return "value of " + s.Name, nil },
		Open:   func(*hclspec.Cluster) (cluster.Cluster, error) { return c, nil },
	}
	if change != nil {
		change(&o)
	}
	return operation.New(o)
}

func newJob(name, command string) *resolve.Job {
	return &resolve.Job{
		Address: hclspec.NewAddress("job", name), Name: name, Framework: "f-" + name, User: "alice", Workspace: "ws",
		Cluster: resolve.LocalCluster, JobLifecycle: hclspec.JobLifecycle{Rerun: "never"}, JobSettings: hclspec.JobSettings{GangAllocation: true},
		TaskRoles: []*resolve.TaskRole{{Name: "worker", FrameworkName: "worker", Instances: 1, Commands: []string{command}}},
	}
}

func live(job *resolve.Job, changes ...func(*planner.LiveJob)) *planner.LiveJob {
	hash, fields := planner.Hashes(job)
	l := &planner.LiveJob{
		Address: job.Address, Workspace: "ws", User: "alice", Framework: job.Framework, UID: "1", State: planner.StateRunning,
		Present: true, RunningTasks: 1, Hash: hash, Fields: fields, Applied: job,
	}
	for _, change := range changes {
		change(l)
	}
	return l
}

func waiting(j *planner.LiveJob) { j.State, j.RunningTasks = planner.StateWaiting, 0 }

func running(tasks int) func(*planner.LiveJob) {
	return func(j *planner.LiveJob) { j.RunningTasks = tasks }
}

func ended(j *planner.LiveJob) { j.State, j.RunningTasks = planner.StateSucceeded, 0 }

func stopped(j *planner.LiveJob) { j.State, j.RunningTasks = planner.StateStopped, 0 }
