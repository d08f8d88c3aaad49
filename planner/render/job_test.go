// SPDX-License-Identifier: MPL-2.0

package render

import (
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// sampleJob returns a job that uses every rendered feature at least once.
func sampleJob() *resolve.Job {
	name := contract.FrameworkName("alice", "mnist")
	return &resolve.Job{
		Address: "job.mnist", Name: "mnist", Framework: name, User: "alice", Workspace: "vision", Cluster: "gpu",
		JobSettings:    hclspec.JobSettings{Description: "Digits", VirtualCluster: "default", JobRetryCount: 2, GangAllocation: true},
		MaxWaitSeconds: 600, StopGraceSeconds: 30, JobLifecycle: hclspec.JobLifecycle{Rerun: "never"},
		TaskRoles: []*resolve.TaskRole{trainRole(), serveRole()},
		Secrets:   []*resolve.Secret{{Name: "hub"}, {Name: "token"}},
		Declared:  &hclspec.Job{Label: "mnist", Path: "job.mnist"},
	}
}

func trainRole() *resolve.TaskRole {
	return &resolve.TaskRole{
		Name: "Train_1", FrameworkName: "train1", Instances: 2, MinFailed: 1, MinSucceeded: 2,
		Image:  resolve.Image{URI: "registry.example.org/vision/torch:1.2", Username: "ci", Password: "<% $secrets.hub %>", RegistryURI: "registry.example.org"},
		Limits: hclspec.Limits{GPU: 1, CPU: 4, MemoryMB: 8192}, ExtraContainerOptions: hclspec.ExtraContainerOptions{ShmMB: 1024, Infiniband: true},
		Ports: []resolve.Port{{Label: "http", Count: 1}, {Label: "mpi", Count: 2}, {Label: "ssh", Count: 1}},
		Steps: []*resolve.Step{{
			Address: "prerequisite.data.mnist", Name: "mnist", Type: "data", Plugin: "cmd", FailurePolicy: "fail",
			Retry:       &resolve.Retry{Attempts: 3, BackoffSeconds: 5},
			Callbacks:   []*resolve.Callback{{Event: "taskStarts", Commands: []string{"mkdir -p /data"}, FailurePolicy: "fail", TimeoutSeconds: 60}},
			Fetch:       []*resolve.Fetch{{URL: "https://example.org/mnist.zip", SHA256: "ab", To: "/data", Extract: true, Retries: 2, Auth: "Bearer <% $secrets.token %>"}},
			Environment: map[string]string{"DATA": "/data"},
			Parameters:  map[string]any{"depth": hclspec.Number("1")},
		}},
		Commands:    []string{"cd /data && ls <here>", "python train.py"},
		Environment: map[string]string{"EPOCHS": "3"},
		Mounts: []*resolve.Mount{
			{Storage: "nfs", Path: "/mnt/nfs", Declared: &hclspec.Storage{Name: "nfs", Claim: "confignfs", ReadOnly: true}},
			{Storage: "nfs", Path: "/mnt/again", SubPath: "alice"},
			{Storage: "Scratch_Dir", Path: "/scratch", Declared: &hclspec.Storage{Name: "Scratch_Dir", Path: "storage.Scratch_Dir", HostPath: "/var/scratch"}},
			{Storage: "share", Path: "/share", ReadOnly: true, Declared: &hclspec.Storage{Name: "share", NFS: &hclspec.NFSVolume{Server: "nfs.example.org", Path: "/data"}}},
		},
		Secrets:       []string{"token"},
		MaxRunSeconds: 3600, StopGraceSeconds: 30,
		Pod: &hclspec.Pod{
			Path:         `job.mnist.task_role["Train_1"].pod`,
			Tolerations:  []any{map[string]any{"key": "gpu", "operator": "Exists", "tolerationSeconds": hclspec.Number("60")}},
			NodeSelector: map[string]string{"zone": "a"},
			Labels:       map[string]string{"team": "vision"},
			Annotations:  map[string]string{"note": "two\nlines"},
			RunAsUser:    pointer(1000),
		},
	}
}

func serveRole() *resolve.TaskRole {
	return &resolve.TaskRole{
		Name: "serve", FrameworkName: "serve", Instances: 1, MinFailed: -1, MinSucceeded: -1, TaskRetryCount: 4,
		Image:    resolve.Image{URI: "debian:12"},
		Limits:   hclspec.Limits{CPU: 1},
		Ports:    []resolve.Port{{Label: "http", Count: 1}, {Label: "ssh", Count: 1}},
		Commands: []string{"sleep 1"}, StopGraceSeconds: 900,
	}
}

func sampleTarget() Target {
	return Target{Namespace: "default", RuntimeImage: "registry.example.org/openpai-runtime@sha256:ab", Config: "protocolVersion: 2\nname: mnist\n"}
}
