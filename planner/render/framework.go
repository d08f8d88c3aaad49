// SPDX-License-Identifier: MPL-2.0

package render

import (
	"maps"
	"strconv"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// deletionTimeout is the minimum time, in seconds, before a Pod that does not
// terminate is force-deleted. Source: microsoft/pai:
// src/rest-server/src/config/launcher.js.
const deletionTimeout = 600

// framework follows microsoft/pai: src/rest-server/src/models/v2/job/k8s.js.
func (r *renderer) framework() *framework.Framework {
	meta := r.meta(r.job.Framework)
	meta.Labels[contract.LabelUser] = contract.LabelValue(r.job.User)
	meta.Labels[contract.LabelVirtualCluster] = contract.LabelValue(r.job.VirtualCluster)
	meta.Annotations[contract.AnnotationJobName] = r.job.Name
	meta.Annotations[contract.AnnotationLogInfix] = r.job.Framework
	meta.Annotations[contract.AnnotationGPUs] = strconv.Itoa(totalGPUs(r.job))
	r.addConfig(meta.Annotations)
	f := &framework.Framework{
		APIVersion: framework.APIVersion,
		Kind:       framework.Kind,
		Metadata:   meta,
		Spec: framework.Spec{
			Description:   r.job.Description,
			ExecutionType: framework.ExecutionStart,
			RetryPolicy: framework.RetryPolicy{
				FancyRetryPolicy: r.job.JobRetryCount != framework.RetryAlways,
				MaxRetryCount:    int32(r.job.JobRetryCount),
			},
		},
	}
	for _, role := range r.job.TaskRoles {
		f.Spec.TaskRoles = append(f.Spec.TaskRoles, r.taskRole(role))
	}
	return f
}

func (r *renderer) taskRole(role *resolve.TaskRole) framework.TaskRole {
	return framework.TaskRole{
		Name:       role.FrameworkName,
		TaskNumber: int32(role.Instances),
		FrameworkAttemptCompletionPolicy: framework.CompletionPolicy{
			MinFailedTaskCount:    switchedOff(role.MinFailed),
			MinSucceededTaskCount: switchedOff(role.MinSucceeded),
		},
		Task: framework.Task{
			RetryPolicy:                   r.taskRetryPolicy(role),
			PodGracefulDeletionTimeoutSec: pointer(max(deletionTimeout, gracePeriod(role)+60)),
			Pod:                           r.pod(role),
		},
	}
}

// taskRetryPolicy retries tasks individually only if they do not wait for
// each other.
func (r *renderer) taskRetryPolicy(role *resolve.TaskRole) framework.RetryPolicy {
	if r.job.GangAllocation {
		return framework.RetryPolicy{}
	}
	return framework.RetryPolicy{FancyRetryPolicy: true, MaxRetryCount: int32(role.TaskRetryCount)}
}

// switchedOff returns -1 for numbers below 1, because the Framework schema permits
// no other value below 1.
func switchedOff(count int) int32 {
	if count < 1 {
		return -1
	}
	return int32(count)
}

func totalGPUs(job *resolve.Job) int {
	total := 0
	for _, role := range job.TaskRoles {
		total += role.GPU * role.Instances
	}
	return total
}

func (r *renderer) ownLabels() map[string]string {
	return map[string]string{
		contract.LabelManagedBy: contract.ManagedBy,
		contract.KeyWorkspace:   contract.LabelValue(r.job.Workspace),
		contract.KeyAddress:     contract.LabelValue(string(r.job.Address)),
	}
}

func (r *renderer) ownAnnotations() map[string]string {
	return map[string]string{
		contract.KeyWorkspace: r.job.Workspace,
		contract.KeyAddress:   string(r.job.Address),
	}
}

// podMeta returns the user's entries and the entries that this package adds.
// The checks reject conflicting user entries.
func (r *renderer) podMeta(role *resolve.TaskRole) framework.ObjectMeta {
	settings := r.podSettings(role)
	meta := framework.ObjectMeta{Labels: map[string]string{}, Annotations: map[string]string{}}
	maps.Copy(meta.Labels, settings.Labels)
	maps.Copy(meta.Labels, r.ownLabels())
	meta.Labels[contract.LabelUser] = contract.LabelValue(r.job.User)
	meta.Labels[contract.LabelVirtualCluster] = contract.LabelValue(r.job.VirtualCluster)
	meta.Labels[contract.LabelType] = contract.LabelTypeTask

	maps.Copy(meta.Annotations, settings.Annotations)
	maps.Copy(meta.Annotations, r.ownAnnotations())
	meta.Annotations[contract.AnnotationPorts] = portSpec(role).String()
	if r.features.Capabilities {
		meta.Annotations[contract.AnnotationAppArmor] = "unconfined"
	}
	if placement := r.hivedSpec(role); placement != "" {
		meta.Annotations[contract.AnnotationHived] = placement
	}
	return meta
}

func portSpec(role *resolve.TaskRole) contract.PortSpec {
	spec := contract.PortSpec{Start: contract.PortStart, End: contract.PortEnd, Ports: map[string]contract.PortCount{}}
	for _, p := range role.Ports {
		spec.Ports[p.Label] = contract.PortCount{Count: p.Count, Start: role.FixedPorts[p.Label]}
	}
	return spec
}
