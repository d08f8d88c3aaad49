// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// declarationOf returns the declaration of an applied job. It omits parts
// from prerequisites, because a job cannot declare these parts.
func declarationOf(job *resolve.Job) *hclspec.Job {
	d := &hclspec.Job{
		Label: job.Name, Name: job.Name, Syntax: hclspec.SyntaxTerraform,
		JobSettings: job.JobSettings, JobInputs: job.JobInputs, JobLifecycle: job.JobLifecycle,
		Pod: job.Pod, StopGrace: seconds(job.StopGraceSeconds),
	}
	for _, role := range job.TaskRoles {
		d.TaskRoles = append(d.TaskRoles, roleDeclarationOf(role))
	}
	return d
}

func roleDeclarationOf(role *resolve.TaskRole) *hclspec.TaskRole {
	d := &hclspec.TaskRole{
		Name: role.Name, Instances: role.Instances, TaskRetryCount: role.TaskRetryCount,
		Image: hclspec.Reference{Target: role.Image.URI}, Commands: role.Commands, Environment: role.Environment,
		Resources: hclspec.Resources{Limits: role.Limits, Ports: map[string]int{}, FixedPorts: role.FixedPorts},
		Pod:       role.Pod, MaxRunTime: seconds(role.MaxRunSeconds),
		ExtraContainerOptions: role.ExtraContainerOptions,
	}
	for _, p := range role.Ports {
		if p.Label != "ssh" && p.Label != "http" || p.Count != 1 {
			d.Resources.Ports[p.Label] = p.Count
		}
	}
	if role.MinFailed != 1 {
		d.Completion.MinFailedInstances = &role.MinFailed
	}
	if role.MinSucceeded != role.Instances {
		d.Completion.MinSucceededInstances = &role.MinSucceeded
	}
	for _, m := range role.Mounts {
		d.Storage = append(d.Storage, &hclspec.StorageUse{Name: m.Storage, MountPath: m.Path, ReadOnly: m.ReadOnly})
	}
	return d
}

func seconds(n int) hclspec.Duration { return hclspec.Duration(time.Duration(n) * time.Second) }
