package render

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/plainjson"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Manifest is everything that is sent for one job.
type Manifest struct {
	Framework  *framework.Framework
	ConfigMaps []*framework.ConfigMap
	// Secrets are stubs: names and keys without values.
	Secrets []*framework.Secret
	// Access is nil when no task needs the API server.
	Access *Access
	// PriorityClass is nil when the cluster block does not ask for one. It is
	// of the whole cluster and never owned by the Framework.
	PriorityClass *framework.PriorityClass
	// Volumes and Claims belong to the workspace, not to the job.
	Volumes []*framework.PersistentVolume
	Claims  []*framework.PersistentVolumeClaim
	// Logs is nil when the logs go with the Pods.
	Logs *KeptLogs
}

// Objects renders a job. The Framework starts at once (executionType Start);
// an apply that creates its dependants first sets Create until they exist.
// With errors among the diagnostics there is no manifest.
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

// renderer carries one rendering.
type renderer struct {
	job      *resolve.Job
	target   Target
	features features
	// specMaps names the ConfigMap with the run specification of each role.
	specMaps map[string]string
	diags    hcl.Diagnostics
}

func (r *renderer) report(d *hcl.Diagnostic) { r.diags = append(r.diags, d) }

// meta returns the metadata of an object of the job.
func (r *renderer) meta(name string) framework.ObjectMeta {
	return framework.ObjectMeta{
		Name:        name,
		Namespace:   r.target.Namespace,
		Labels:      r.ownLabels(),
		Annotations: r.ownAnnotations(),
	}
}

// canonical is the JSON of a value of this package.
func canonical(v any) string { return string(plainjson.MustMarshal(v)) }

func pointer[T any](v T) *T { return &v }
