// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// completion warns about conditions that can never be met and retries that
// can never happen.
func (v *validator) completion(job *Job, role *TaskRole) {
	conditions := []struct {
		field, ended string
		count        *int
	}{
		{"min_failed_instances", "failed", role.Completion.MinFailedInstances},
		{"min_succeeded_instances", "succeeded", role.Completion.MinSucceededInstances},
	}
	for _, c := range conditions {
		if c.count != nil && *c.count > role.Instances {
			v.report(NeverCompleted, role.Path.Attr("completion").Attr(c.field), "The completion policy of task role %q of job %q requires %d tasks to have %s, but the role has only %d tasks. The condition can never be met.",
				role.Name, job.Name, *c.count, c.ended, role.Instances)
		}
	}
	if role.TaskRetryCount > 0 && job.GangAllocation {
		v.report(TaskRetryIgnored, role.Path.Attr("task_retry_count"), "Task role %q of job %q has %s %d, which has no effect with gang allocation. To retry the whole job, set %s.",
			role.Name, job.Name, key(job, TaskRoleBlock, "task_retry_count"), role.TaskRetryCount, key(job, JobBlock, "job_retry_count"))
	}
}

// sharedMemory warns if shared memory exceeds task memory, because shared
// memory counts as container memory.
func (v *validator) sharedMemory(job *Job, role *TaskRole) {
	if shm, memory := role.ExtraContainerOptions.ShmMB, role.Resources.MemoryMB; memory > 0 && shm > memory {
		v.report(ShmAboveMemory, role.Path.Attr("extra_container_options").Attr("shm_mb"), "Task role %q of job %q has %s %d and %s %d. A task's memory includes its shared memory. Increase the memory, or reduce the shared memory.",
			role.Name, job.Name, key(job, extraContainerOptionsBlock, "shm_mb"), shm, key(job, resourcesBlock, "memory_mb"), memory)
	}
}

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

func (v *validator) environment(env map[string]string, at Path) {
	for _, name := range slices.Sorted(maps.Keys(env)) {
		switch {
		case !variableName.MatchString(name):
			v.report(InvalidVariableName, at.Key(name), "%q is not a valid environment variable name. Use letters, digits and underscores, and do not begin with a digit.", name)
		case strings.HasPrefix(name, "PAI_"), strings.HasPrefix(name, "FC_"):
			v.report(ReservedVariable, at.Key(name), "The runtime sets %s. A job cannot set environment variables whose names begin with PAI_ or FC_. Choose another name.", name)
		case strings.ContainsRune(env[name], 0):
			v.report(NULInVariable, at.Key(name), "The value of the environment variable %s contains a NUL character. Remove the character.", name)
		}
	}
}

func (v *validator) placement(job *Job) {
	if job.Hived == nil {
		return
	}
	for _, r := range job.Hived.TaskRoles {
		if v.known.lacksRole(r.Name) {
			v.report(HivedUnknownRole, r.Path, "The placement of job %q refers to the task role %q, which the job does not declare.%s", job.Name, r.Name, v.suggest(r.Name, roleNames(job)))
		}
		if r.SKUType != "" && r.PinnedCellID != "" {
			v.report(HivedCellAndSKU, r.Path, "The placement of task role %q of job %q has both the SKU %q and the pinned cell %q. Remove one of them.", r.Name, job.Name, r.SKUType, r.PinnedCellID)
		}
	}
}
