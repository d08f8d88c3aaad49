// SPDX-License-Identifier: MPL-2.0

package planner_test

import (
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// jobOption changes a test job.
type jobOption func(*resolve.Job)

// newJob returns a small job of user alice in workspace ws.
func newJob(label string, options ...jobOption) *resolve.Job {
	job := &resolve.Job{
		Address: hclspec.NewAddress("job", label), Name: label,
		Framework: contract.FrameworkName("alice", label),
		User:      "alice", Workspace: "ws", Cluster: "local",
		JobSettings: hclspec.JobSettings{VirtualCluster: "default", GangAllocation: true},
		TaskRoles: []*resolve.TaskRole{{
			Name: "worker", FrameworkName: "worker", Instances: 2, MinFailed: 1,
			Image: resolve.Image{URI: "ubuntu"}, Limits: hclspec.Limits{CPU: 1, MemoryMB: 1024},
			Commands: []string{"echo one", "echo two", "echo three"}, StopGraceSeconds: 30,
		}},
		MaxWaitSeconds: 600, StopGraceSeconds: 30, JobLifecycle: hclspec.JobLifecycle{Rerun: "never"},
	}
	for _, o := range options {
		o(job)
	}
	return job
}

func withRole(change func(*resolve.TaskRole)) jobOption {
	return func(j *resolve.Job) { change(j.TaskRoles[0]) }
}

func withCommands(commands ...string) jobOption {
	return withRole(func(r *resolve.TaskRole) { r.Commands = commands })
}

func withInstances(n int) jobOption {
	return withRole(func(r *resolve.TaskRole) { r.Instances = n })
}

func withSecret(name, version string) jobOption {
	return func(j *resolve.Job) {
		j.Secrets = append(j.Secrets, &resolve.Secret{Name: name, Version: version})
	}
}

// liveOption changes a live test job.
type liveOption func(*planner.LiveJob)

// newLive returns the running job that apply creates.
func newLive(job *resolve.Job, options ...liveOption) *planner.LiveJob {
	hash, fields := planner.Hashes(job)
	live := &planner.LiveJob{
		Address: job.Address, Workspace: job.Workspace, User: job.User, Framework: job.Framework,
		State: planner.StateRunning, Present: true, RunningTasks: 2,
		Hash: hash, Fields: fields, Applied: job,
	}
	for _, o := range options {
		o(live)
	}
	return live
}

func declaredBy(d planner.Declarer) liveOption {
	return func(l *planner.LiveJob) { l.DeclaredBy = d }
}

func inState(s planner.JobState) liveOption {
	return func(l *planner.LiveJob) {
		l.State = s
		if s != planner.StateRunning {
			l.RunningTasks = 0
		}
	}
}

func exited(code int) liveOption {
	return func(l *planner.LiveJob) { l.State, l.ExitCode, l.RunningTasks = planner.StateFailed, &code, 0 }
}

func repeats(run, repeated int) liveOption {
	return func(l *planner.LiveJob) { l.Run, l.RepeatOf = run, repeated }
}

func recordOnly(l *planner.LiveJob) { l.Present, l.RunningTasks = false, 0 }

func withoutValues(l *planner.LiveJob) { l.Applied = nil }

func applying(versions map[string]string) liveOption {
	return func(l *planner.LiveJob) { l.SecretVersions = versions }
}

// has returns snapshots with one cluster, "local", that contains the jobs.
func has(jobs ...*planner.LiveJob) map[string]*planner.Snapshot {
	return map[string]*planner.Snapshot{"local": {Jobs: jobs, SecretKey: []byte("key")}}
}

func renamed(name string) jobOption {
	return func(j *resolve.Job) { j.Name, j.Framework = name, contract.FrameworkName("alice", name) }
}

// value returns one value for all secrets.
func value(text string) func(string, *resolve.Secret) (string, bool) {
	return func(string, *resolve.Secret) (string, bool) { return text, true }
}
