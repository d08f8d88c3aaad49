// SPDX-License-Identifier: MPL-2.0

package render

import (
	"slices"
	"strconv"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Names of the containers in a Pod.
const (
	initContainer = "init"
	appContainer  = "app"
)

// recordMargin is the time in seconds from the end of the user's processes
// until the kubelet kills the runtime. The runtime needs this time to write
// its record.
const recordMargin = 10

// gracePeriod returns the termination grace period in seconds.
func gracePeriod(role *resolve.TaskRole) int64 {
	return int64(role.StopGraceSeconds) + recordMargin
}

func (r *renderer) pod(role *resolve.TaskRole) framework.PodTemplate {
	settings := r.podSettings(role)
	spec := framework.PodSpec{
		RestartPolicy:                 "Never",
		ServiceAccountName:            r.account(role),
		AutomountServiceAccountToken:  pointer(false),
		HostNetwork:                   r.features.HostNetwork,
		NodeSelector:                  settings.NodeSelector,
		Tolerations:                   settings.Tolerations,
		SchedulerName:                 r.schedulerName(role),
		PriorityClassName:             r.priorityClassOf(settings.PriorityClass),
		ActiveDeadlineSeconds:         r.deadline(role),
		TerminationGracePeriodSeconds: pointer(gracePeriod(role)),
		SecurityContext:               securityContext(settings.RunAsUser),
		InitContainers:                []framework.Container{r.initContainer(role)},
		Containers:                    []framework.Container{r.appContainer(role)},
		Volumes:                       r.volumes(role),
	}
	if r.features.WorkerAffinity {
		spec.Affinity = workerAffinity()
	}
	for _, name := range r.pullSecrets(role, settings.ImagePullSecrets) {
		spec.ImagePullSecrets = append(spec.ImagePullSecrets, framework.LocalReference{Name: name})
	}
	return framework.PodTemplate{Metadata: r.podMeta(role), Spec: spec}
}

// deadline returns a Pod's active deadline in seconds. It includes the maximum
// time that a gang waits for its members, because the deadline is relative to the
// start of the Pod. The runtime enforces the exact time limit of the commands.
func (r *renderer) deadline(role *resolve.TaskRole) *int64 {
	if role.MaxRunSeconds == 0 {
		return nil
	}
	seconds := int64(role.MaxRunSeconds) + gracePeriod(role)
	if r.job.GangAllocation {
		seconds += int64(r.job.MaxWaitSeconds)
	}
	return &seconds
}

// securityContext sets the user of all containers. FSGroup has the same ID:
// Kubernetes gives this group access to the volumes, so that the user can read
// secrets with mode 0400.
func securityContext(user *int) *framework.PodSecurityContext {
	if user == nil {
		return nil
	}
	id := int64(*user)
	return &framework.PodSecurityContext{RunAsUser: &id, RunAsNonRoot: pointer(id != 0), FSGroup: &id}
}

func (r *renderer) pullSecrets(role *resolve.TaskRole, settings []string) []string {
	names := slices.Clone(settings)
	if role.Image.Username != "" || role.Image.Password != "" {
		names = append(names, contract.RegistrySecret(r.job.Framework))
	}
	return names
}

func workerAffinity() map[string]any {
	term := map[string]any{"matchExpressions": []any{
		map[string]any{"key": "pai-worker", "operator": "In", "values": []any{"true"}},
	}}
	return map[string]any{"nodeAffinity": map[string]any{
		"requiredDuringSchedulingIgnoredDuringExecution": map[string]any{"nodeSelectorTerms": []any{term}},
	}}
}

func (r *renderer) initContainer(role *resolve.TaskRole) framework.Container {
	return framework.Container{
		Name:            initContainer,
		Image:           r.target.RuntimeImage,
		ImagePullPolicy: r.target.pullPolicy(),
		Command:         []string{"openpai-runtime", "init"},
		Env:             r.logEnvironment(),
		VolumeMounts:    r.initMounts(role),
		SecurityContext: r.containerSecurity(nil, nil),
	}
}

func (r *renderer) appContainer(role *resolve.TaskRole) framework.Container {
	c := framework.Container{
		Name:                   appContainer,
		Image:                  role.Image.Pinned(),
		Command:                []string{contract.Runtime},
		Env:                    slices.Concat(r.gpuEnvironment(role), r.fetchCacheEnvironment(role), r.logEnvironment()),
		Resources:              framework.Resources{Limits: r.limits(role)},
		VolumeMounts:           r.appMounts(role),
		TerminationMessagePath: contract.TerminationFile,
	}
	if r.features.AlwaysPull {
		c.ImagePullPolicy = "Always"
	}
	var add, drop []string
	if r.features.Capabilities {
		add, drop = []string{"SYS_ADMIN", "IPC_LOCK", "DAC_READ_SEARCH"}, []string{"MKNOD"}
	}
	c.SecurityContext = r.containerSecurity(add, drop)
	return c
}

// limits returns the resource limits of a role. It omits zero amounts,
// because a GPU limit of 0 would prevent scheduling on clusters without GPUs.
func (r *renderer) limits(role *resolve.TaskRole) map[string]string {
	limits := map[string]string{}
	if role.CPU > 0 {
		limits["cpu"] = strconv.Itoa(role.CPU)
	}
	if role.MemoryMB > 0 {
		limits["memory"] = strconv.Itoa(role.MemoryMB) + "Mi"
	}
	switch {
	case Placement(r.job, role) != nil:
		limits[contract.ResourceHived] = "1"
	case role.GPU > 0:
		limits[contract.ResourceGPU] = strconv.Itoa(role.GPU)
	}
	if role.Infiniband {
		limits[contract.ResourceRDMA] = "1"
	}
	if r.features.FuseLimit {
		limits[contract.ResourceFuse] = "1"
	}
	return limits
}

// gpuEnvironment returns the variables that determine a task's GPUs: no GPUs
// if the task does not request any, and the GPUs that HiveD selects if HiveD
// places the task. Without these variables, images with drivers expose all
// GPUs on the node.
func (r *renderer) gpuEnvironment(role *resolve.TaskRole) []framework.EnvVar {
	hived := Placement(r.job, role) != nil
	switch {
	case role.GPU == 0 && hived:
		return []framework.EnvVar{{Name: contract.EnvVisibleGPUs, Value: "none"}, {Name: contract.EnvVisibleGPUsOfHived, Value: "none"}}
	case role.GPU == 0:
		return []framework.EnvVar{{Name: contract.EnvVisibleGPUs, Value: "none"}}
	case hived:
		cells := map[string]any{"fieldRef": map[string]any{"fieldPath": "metadata.annotations['" + contract.AnnotationHivedCells + "']"}}
		return []framework.EnvVar{{Name: contract.EnvVisibleGPUs, ValueFrom: cells}, {Name: contract.EnvVisibleGPUsOfHived, ValueFrom: cells}}
	default:
		return nil
	}
}
