// SPDX-License-Identifier: MPL-2.0

package render

import (
	"maps"
	"slices"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// RunSpec returns the run specification of the tasks of one role.
func RunSpec(job *resolve.Job, role *resolve.TaskRole) *runspec.Spec {
	spec := &runspec.Spec{
		Version:          runspec.Version,
		Framework:        job.Framework,
		Job:              job.User + "~" + job.Name,
		User:             job.User,
		VirtualCluster:   job.VirtualCluster,
		Role:             role.FrameworkName,
		Gang:             job.GangAllocation,
		MaxWaitSeconds:   job.MaxWaitSeconds,
		Image:            role.Image.Pinned(),
		Commands:         role.Commands,
		Environment:      role.Environment,
		Secrets:          roleSecrets(role),
		PortStart:        contract.PortStart,
		PortEnd:          contract.PortEnd,
		SSHPublicKeys:    job.SSHPublicKeys,
		StopGraceSeconds: role.StopGraceSeconds,
		MaxRunSeconds:    role.MaxRunSeconds,
	}
	barrier := job.SSHBarrier()
	for _, r := range job.TaskRoles {
		spec.Roles = append(spec.Roles, runRole(r, barrier[r.FrameworkName]))
	}
	for _, s := range role.Steps {
		spec.Steps = append(spec.Steps, runStep(s))
	}
	if barrier[role.FrameworkName] {
		joinSSHBarrier(role, spec.Steps)
	}
	for _, m := range role.Mounts {
		spec.Mounts = append(spec.Mounts, runspec.Mount{Storage: m.Storage, Path: m.Path, ReadOnly: readOnly(m)})
	}
	return spec
}

func runRole(r *resolve.TaskRole, barrier bool) runspec.Role {
	role := runspec.Role{
		Name: r.FrameworkName, Written: r.Name, Tasks: r.Instances,
		GPU: r.GPU, CPU: r.CPU, MemoryMB: r.MemoryMB, ShmMB: r.ShmMB,
		MinFailed: r.MinFailed, MinSucceeded: r.MinSucceeded,
		Ports: []runspec.Port{},
		SSH:   r.UsesSSH(), SSHBarrier: barrier,
	}
	for _, p := range r.Ports {
		role.Ports = append(role.Ports, runspec.Port{Label: p.Label, Count: p.Count, First: r.FixedPorts[p.Label]})
	}
	return role
}

// joinSSHBarrier makes a role's first ssh step wait at the ssh barrier, unless a
// step already waits. A role that the barrier of another role lists must also wait
// there.
func joinSSHBarrier(role *resolve.TaskRole, steps []runspec.Step) {
	if slices.ContainsFunc(role.Steps, (*resolve.Step).HasSSHBarrier) {
		return
	}
	first := &steps[slices.IndexFunc(steps, func(s runspec.Step) bool { return s.Plugin == contract.PluginSSH })]
	parameters := maps.Clone(first.Parameters)
	if parameters == nil {
		parameters = map[string]any{}
	}
	parameters[contract.SSHBarrier] = true
	first.Parameters = parameters
}

func runStep(s *resolve.Step) runspec.Step {
	step := runspec.Step{
		Address: s.Address, Name: s.Name, Type: s.Type, Plugin: s.Plugin,
		FailurePolicy: s.FailurePolicy, Retry: runRetry(s.Retry),
		Environment: s.Environment, Parameters: s.Parameters,
	}
	for _, c := range s.Callbacks {
		step.Callbacks = append(step.Callbacks, runspec.Callback{
			Event: c.Event, Commands: c.Commands, FailurePolicy: c.FailurePolicy,
			TimeoutSeconds: c.TimeoutSeconds, Retry: runRetry(c.Retry),
		})
	}
	for _, f := range s.Fetch {
		step.Fetch = append(step.Fetch, runspec.Fetch{
			URL: f.URL, SHA256: f.SHA256, To: f.To, Extract: f.Extract, Strip: f.Strip, Retries: f.Retries, Auth: f.Auth, Commit: s.Commits[f.URL],
		})
	}
	return step
}

func runRetry(r *resolve.Retry) *runspec.Retry {
	if r == nil {
		return nil
	}
	return &runspec.Retry{Attempts: r.Attempts, BackoffSeconds: r.BackoffSeconds}
}

func readOnly(m *resolve.Mount) bool {
	return m.ReadOnly || m.Declared != nil && m.Declared.ReadOnly
}
