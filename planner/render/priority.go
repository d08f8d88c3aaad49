// SPDX-License-Identifier: MPL-2.0

package render

import (
	"cmp"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// PriorityClassName returns the name of a job's PriorityClass. PriorityClasses
// are cluster-scoped, so the name contains the job's namespace. The exception
// is "default", the namespace in which OpenPAI itself runs jobs.
func PriorityClassName(namespace, job string) string {
	if namespace == "" || namespace == "default" {
		return contract.PriorityClass(job)
	}
	return contract.PriorityClass(job) + "-" + namespace
}

// priorityClass returns nil if the cluster does not request a PriorityClass,
// or if every task role sets a PriorityClass.
func (r *renderer) priorityClass() *framework.PriorityClass {
	wanted := r.target.PriorityClass
	if wanted == nil || r.target.Local {
		return nil
	}
	used := false
	for _, role := range r.job.TaskRoles {
		used = used || r.podSettings(role).PriorityClass == ""
	}
	if !used {
		return nil
	}
	meta := r.meta(PriorityClassName(r.target.Namespace, r.job.Framework))
	meta.Namespace = ""
	meta.Annotations[contract.AnnotationNamespace] = cmp.Or(r.target.Namespace, "default")
	return &framework.PriorityClass{
		APIVersion: "scheduling.k8s.io/v1", Kind: "PriorityClass", Metadata: meta, Value: Priority(r.job.Hived, r.target.Submitted),
		PreemptionPolicy: cmp.Or(wanted.PreemptionPolicy, "PreemptLowerPriority"), Description: "Job " + r.job.Name + " of " + r.job.User,
	}
}

// priorityClassOf returns the PriorityClass name of a role, or "". The role's
// settings take precedence over the PriorityClass that apply creates for the job.
func (r *renderer) priorityClassOf(named string) string {
	if named == "" && r.target.PriorityClass != nil && !r.target.Local {
		return PriorityClassName(r.target.Namespace, r.job.Framework)
	}
	return named
}

// Priority returns the priority of a job's Pods. A higher HiveD priority results in
// a higher Pod priority. Among jobs with the same HiveD priority, jobs that were
// submitted earlier have a higher Pod priority. The submission time is in steps of
// 16 seconds; their number wraps around after 8.5 years. The priority is always
// negative and thus lower than the default priority of other Pods in the cluster.
// Source: microsoft/pai: src/rest-server/src/models/v2/job/k8s.js.
func Priority(h *resolve.Hived, submitted time.Time) int32 {
	p := 0
	if h != nil {
		p = min(max(h.Priority, -1), 126)
	}
	const span = 1 << 24
	ticks := submitted.Unix() / 16 % span
	return int32(-(int64(126-p)*span + ticks))
}
