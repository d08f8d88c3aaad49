// SPDX-License-Identifier: MPL-2.0

//go:build acc

package kubernetes

import (
	"fmt"
	"sync"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/render"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// sampleJob returns a gang-scheduled job with a secret and a registry login.
func sampleJob(workspace, name string) *resolve.Job {
	j := plainJob(workspace, name)
	j.GangAllocation = true
	j.TaskRoles[0].Instances, j.TaskRoles[0].Secrets = 2, []string{"token"}
	j.TaskRoles[0].Image = resolve.Image{URI: "registry.example.org/torch:1", Username: "ci", Password: "<% $secrets.hub %>", RegistryURI: "registry.example.org"}
	j.TaskRoles = append(j.TaskRoles, &resolve.TaskRole{
		Name: "PS_1", FrameworkName: "ps1", Instances: 1, MinFailed: 1, MinSucceeded: -1,
		Image: resolve.Image{URI: "debian:12"}, Limits: hclspec.Limits{CPU: 2, MemoryMB: 2048}, Commands: []string{"sleep 1"}, StopGraceSeconds: 30,
		Ports: []resolve.Port{{Label: "http", Count: 1}, {Label: "ssh", Count: 1}},
	})
	j.Secrets = []*resolve.Secret{{Name: "hub"}, {Name: "token"}}
	return j
}

// plainJob returns a job with a single task.
func plainJob(workspace, name string) *resolve.Job {
	return &resolve.Job{
		Address: hclspec.NewAddress("job", name), Name: name, User: "alice", Workspace: workspace, Cluster: "gpu",
		Framework:   contract.FrameworkName("alice", workspace+name),
		JobSettings: hclspec.JobSettings{Description: "Digits", VirtualCluster: "default", JobRetryCount: 1}, MaxWaitSeconds: 600, StopGraceSeconds: 30, JobLifecycle: hclspec.JobLifecycle{Rerun: "never"},
		TaskRoles: []*resolve.TaskRole{{
			Name: "worker", FrameworkName: "worker", Instances: 1, MinFailed: 1, MinSucceeded: 1,
			Image: resolve.Image{URI: "debian:12"}, Limits: hclspec.Limits{CPU: 1, MemoryMB: 1024}, Commands: []string{"echo hello"}, StopGraceSeconds: 30,
			Ports: []resolve.Port{{Label: "http", Count: 1}, {Label: "ssh", Count: 1}},
		}},
	}
}

func manyJobs(workspace string, n int) []*resolve.Job {
	var jobs []*resolve.Job
	for i := range n {
		jobs = append(jobs, sampleJob(workspace, fmt.Sprintf("job%04d", i)))
	}
	return jobs
}

// targets maps each Cluster to its render.Target; see target.
var targets sync.Map

// target returns a render.Target that tests can change.
func (c *Cluster) target() *render.Target {
	t, _ := targets.LoadOrStore(c, &render.Target{RuntimeImage: "registry.example.org/runtime:1", Namespace: c.declared.Namespace})
	return t.(*render.Target)
}

func submission(c *Cluster, j *resolve.Job) cluster.Submission {
	manifest, diags := render.Objects(j, *c.target())
	if diags.HasErrors() {
		panic(diags)
	}
	s := cluster.Submission{Job: j, Manifest: manifest, Secrets: map[string]string{}}
	s.Hash, s.Fields = planner.Hashes(j)
	for _, secret := range j.Secrets {
		s.Secrets[secret.Name] = "value of " + secret.Name
	}
	return s
}

// frameworkNameOf returns the Framework name after a test has changed the
// name of the job.
func frameworkNameOf(j *resolve.Job) string { return contract.FrameworkName(j.User, j.Name) }
