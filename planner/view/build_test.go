// SPDX-License-Identifier: MPL-2.0

package view_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/render"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// trainJob returns a job with every part that a plan shows.
func trainJob() *resolve.Job {
	return &resolve.Job{
		Address: "job.train", Name: "train", Framework: "0a1b2c", User: "alice", Workspace: "team", Cluster: "gpu",
		JobSettings: hclspec.JobSettings{VirtualCluster: "default", GangAllocation: true}, MaxWaitSeconds: 600, StopGraceSeconds: 30, JobLifecycle: hclspec.JobLifecycle{Rerun: "never"},
		Secrets: []*resolve.Secret{{Name: "registry"}, {Name: "token", Version: "3"}},
		Items: []resolve.UsedItem{
			{Address: "prerequisite.script.unpack", Name: "unpack", Type: "script", Marketplace: "team"},
		},
		TaskRoles: []*resolve.TaskRole{{
			Name: "worker", FrameworkName: "worker", Instances: 2, MinFailed: 1, Limits: hclspec.Limits{GPU: 1, CPU: 3, MemoryMB: 4096}, StopGraceSeconds: 30,
			Image: resolve.Image{Address: "prerequisite.dockerimage.torch", URI: "example.org/torch:1", Username: "alice", Password: "<% $secrets.registry %>"},
			Steps: []*resolve.Step{
				{
					Address: "prerequisite.script.unpack", Name: "unpack", Type: "script", Plugin: "cmd", FailurePolicy: "fail",
					RequiredBy: []string{"prerequisite.data.mnist"}, Source: "marketplace team",
					Callbacks: []*resolve.Callback{{Event: "taskStarts", Commands: []string{"apt-get update", "apt-get install -y unzip"}}},
				},
				{
					Address: "prerequisite.data.mnist", Name: "mnist", Type: "data", Plugin: "cmd", FailurePolicy: "fail",
					Fetch: []*resolve.Fetch{{URL: "https://example.org/mnist.zip", To: "/data/mnist"}},
					Callbacks: []*resolve.Callback{
						{Event: "taskStarts", Commands: []string{"mkdir -p /data"}},
						{Event: "taskExits", Commands: []string{"rm -r /data"}, FailurePolicy: "ignore"},
					},
				},
				{Address: "plugin.ssh", Name: "ssh", Plugin: "ssh", FailurePolicy: "fail"},
			},
			Mounts:   []*resolve.Mount{{Storage: "nfs", Path: "/mnt/nfs", ReadOnly: true, By: []string{"prerequisite.data.mnist"}}},
			Commands: []string{"set -x", "python train.py --data /data/mnist", "for i in 1 2 3; do\n  echo $i\ndone", "date"},
		}},
	}
}

// changedJob changes the job from trainJob. Each kind of difference in a plan
// occurs once.
func changedJob() *resolve.Job {
	job := trainJob()
	role := job.TaskRoles[0]
	role.GPU, role.Instances = 2, 4
	role.Commands = []string{"set -x", "python train.py --data /data/mnist --epochs 3", "for i in 1 2 3; do\n  echo $i $i\ndone", "date", "exit 0"}
	role.Steps = role.Steps[:2]
	role.Mounts[0].ReadOnly = false
	role.Environment = map[string]string{"MODE": "fast"}
	job.Description = "Trains\nthe model."
	job.TaskRoles = append(job.TaskRoles, &resolve.TaskRole{
		Name: "reduce", FrameworkName: "reduce", Instances: 1, Limits: hclspec.Limits{CPU: 1, MemoryMB: 512},
		Image: resolve.Image{URI: "busybox"}, Commands: []string{"cat /mnt/nfs/*"},
	})
	return job
}

// sharing returns one job without for_each, and 12 instances of a job with
// for_each. The instances share a prerequisite that runs the given command.
// If the command is "new", two instances have an additional command.
func sharing(command string) []*resolve.Job {
	var jobs []*resolve.Job
	for i := range 12 {
		job := trainJob()
		job.Address = hclspec.Address(fmt.Sprintf("job.exp[%q]", strconv.Itoa(i)))
		job.Name, job.Framework, job.Secrets = fmt.Sprintf("exp-%d", i), fmt.Sprintf("%032x", i), nil
		job.TaskRoles[0].Commands = []string{fmt.Sprintf("python train.py --seed %d", i)}
		if i%8 == 3 && command == "new" {
			job.TaskRoles[0].Commands = append(job.TaskRoles[0].Commands, "date")
		}
		job.TaskRoles[0].Steps[0].Callbacks[0].Commands = []string{"apt-get update", command}
		jobs = append(jobs, job)
	}
	other := trainJob()
	other.TaskRoles[0].Steps, other.Secrets = nil, nil
	return append(jobs, other)
}

func liveJobs(jobs []*resolve.Job) []*planner.LiveJob {
	var all []*planner.LiveJob
	for _, job := range jobs {
		all = append(all, liveJob(job))
	}
	return all
}

func liveJob(job *resolve.Job) *planner.LiveJob {
	hash, fields := planner.Hashes(job)
	return &planner.LiveJob{
		Address: job.Address, Workspace: "team", User: "alice", Framework: job.Framework, State: planner.StateRunning,
		Present: true, RunningTasks: 2, Hash: hash, Fields: fields, Applied: job,
		SecretVersions: map[string]string{"registry": "hmac:00", "token": "v:2"},
	}
}

// manifest returns a manifest whose objects have a fixed size.
func manifest(*resolve.Job, render.Target) (*render.Manifest, hcl.Diagnostics) {
	fw := &framework.Framework{Kind: framework.Kind, Metadata: framework.ObjectMeta{Name: "0a1b2c", Annotations: map[string]string{"": ""}}}
	run := &framework.ConfigMap{Kind: "ConfigMap", Metadata: framework.ObjectMeta{Name: "0a1b2c-run"}, Data: map[string]string{"": ""}}
	fw.Metadata.Annotations[""] = padding(fw, 3214)
	run.Data[""] = padding(run, 812)
	return &render.Manifest{Framework: fw, ConfigMaps: []*framework.ConfigMap{run}}, nil
}

// padding returns a string that extends the JSON of an object to the given number
// of bytes.
func padding(object any, size int) string {
	text, err := json.Marshal(object)
	if err != nil {
		panic(err)
	}
	return strings.Repeat("x", size-len(text))
}

// plans returns the plans whose views are in testdata.
func plans() map[string]*planner.Plan {
	finished := trainJob()
	finished.Address, finished.Name, finished.Framework, finished.Secrets = "job.done", "done", "ff00", nil
	done := liveJob(finished)
	done.State, done.RunningTasks = planner.StateSucceeded, 0
	outdated := trainJob()
	outdated.Address, outdated.Name, outdated.Framework, outdated.Secrets = "job.done", "done", "ff00", nil
	outdated.TaskRoles[0].Commands = []string{"date"}
	old := liveJob(trainJob())
	old.Address, old.Framework, old.Applied = "job.old", "dddd", nil
	hashesOnly := liveJob(trainJob())
	hashesOnly.Applied = nil
	gpu := map[string]render.Target{"gpu": {}}
	live := func(jobs ...*planner.LiveJob) map[string]*planner.Snapshot {
		return map[string]*planner.Snapshot{"gpu": {Jobs: jobs}}
	}
	secret := func(string, *resolve.Secret) (string, bool) { return "hunter2 is secret", true }
	options := map[string]planner.Options{
		"create":    {Jobs: []*resolve.Job{trainJob()}, Live: live(), RenderTargets: gpu, Renderer: manifest, SecretValue: secret},
		"replace":   {Jobs: []*resolve.Job{changedJob()}, Live: live(liveJob(trainJob())), RenderTargets: gpu, Renderer: manifest},
		"hashes":    {Jobs: []*resolve.Job{changedJob()}, Live: live(hashesOnly)},
		"unchanged": {Jobs: []*resolve.Job{finished}, Live: live(done)},
		"outdated":  {Jobs: []*resolve.Job{outdated}, Live: live(done, old)},
		"nothing":   {Live: live()},
		"offline":   {Jobs: []*resolve.Job{finished}, Offline: true},
		"causes":    {Jobs: sharing("new"), Live: live(liveJobs(sharing("old"))...), RenderTargets: gpu, Renderer: manifest},
		"instances": {Jobs: sharing("old"), Live: live(), RenderTargets: gpu, Renderer: manifest},
		"targets":   {Jobs: []*resolve.Job{finished, trainJob()}, Live: live(done), Targets: []hclspec.Address{"job.done"}},
	}
	all := map[string]*planner.Plan{}
	for name, o := range options {
		o.Workspace = "team"
		all[name] = planner.New(o)
	}
	return all
}
