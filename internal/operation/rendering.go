// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"reflect"
	"sync"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/render"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// renderings caches the last rendering of each job. Terraform plans a job again before
// it applies the job.
type renderings struct {
	render planner.Renderer

	mu   sync.Mutex
	kept map[place]rendering
}

type rendering struct {
	job      *resolve.Job
	target   render.Target
	manifest *render.Manifest
	diags    hcl.Diagnostics
}

func newRenderings(renderer planner.Renderer) *renderings {
	if renderer == nil {
		renderer = render.Objects
	}
	return &renderings{render: renderer, kept: map[place]rendering{}}
}

// objects implements planner.Renderer.
func (r *renderings) objects(job *resolve.Job, target render.Target) (*render.Manifest, hcl.Diagnostics) {
	at := place{job.Cluster, job.Framework}
	r.mu.Lock()
	last := r.kept[at]
	r.mu.Unlock()
	if last.job == nil || !reflect.DeepEqual(last.job, job) || !reflect.DeepEqual(last.target, target) {
		last = rendering{job: job, target: target}
		last.manifest, last.diags = r.render(job, target)
		r.mu.Lock()
		r.kept[at] = last
		r.mu.Unlock()
	}
	return last.manifest, last.diags
}

func (r *renderings) forget(p *planner.Plan) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range p.Changes {
		delete(r.kept, place{c.Cluster, c.Framework})
	}
}
