// SPDX-License-Identifier: MPL-2.0

package render

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/plainjson"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Manifest contains all objects that apply sends for one job.
type Manifest struct {
	Framework  *framework.Framework
	ConfigMaps []*framework.ConfigMap
	// Secrets are stubs: names and keys without values.
	Secrets []*framework.Secret
	// Access is nil if no task needs the API server.
	Access *Access
	// PriorityClass is nil if the cluster block does not request a
	// PriorityClass. It is cluster-scoped, so the Framework cannot own it.
	PriorityClass *framework.PriorityClass
	// Volumes and Claims belong to the workspace and not to the job.
	Volumes []*framework.PersistentVolume
	Claims  []*framework.PersistentVolumeClaim
	// Logs is nil if the logs are deleted with the Pods.
	Logs *KeptLogs
}

// Objects renders a job. The Framework starts immediately (executionType
// Start). If the Framework owns objects, apply sets executionType to Create
// until the objects exist. The manifest is nil if the diagnostics contain
// errors.
func Objects(job *resolve.Job, t Target) (*Manifest, hcl.Diagnostics) {
	r := &renderer{job: job, target: t, features: t.features()}
	r.checkRuntimeImage()
	r.checkPods()
	m := &Manifest{ConfigMaps: r.configMaps(), Secrets: r.secrets(), Access: r.access(), PriorityClass: r.priorityClass(), Logs: r.keptLogs()}
	m.Framework = r.framework()
	m.Volumes, m.Claims = r.storages()
	if r.diags.HasErrors() {
		return nil, r.diags
	}
	return m, r.diags
}

// renderer is the state of rendering one job.
type renderer struct {
	job      *resolve.Job
	target   Target
	features features
	// specMaps maps each role to the name of the ConfigMap with its run
	// specification.
	specMaps map[string]string
	diags    hcl.Diagnostics
}

// report adds a diagnostic for the job, which may be a for_each instance.
func (r *renderer) report(d *hcl.Diagnostic) {
	r.diags = append(r.diags, hclspec.Concerning(hcl.Diagnostics{d}, hclspec.Path(r.job.Address), r.job.Name)...)
}

func (r *renderer) meta(name string) framework.ObjectMeta {
	return framework.ObjectMeta{
		Name:        name,
		Namespace:   r.target.Namespace,
		Labels:      r.ownLabels(),
		Annotations: r.ownAnnotations(),
	}
}

func canonical(v any) string { return string(plainjson.MustMarshal(v)) }

func pointer[T any](v T) *T { return &v }
