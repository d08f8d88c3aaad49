// SPDX-License-Identifier: MPL-2.0

package render

import (
	"strconv"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// configMapLimit is the Kubernetes limit, in bytes, on the total size of a
// ConfigMap's keys and values.
const configMapLimit = 1 << 20

// ResolvedJobKey is the key of the canonical resolved job in the ConfigMap of
// run specifications. It cannot collide with the key of a task role, because
// task role names do not contain hyphens.
const ResolvedJobKey = "resolved-job.json"

func specKey(role *resolve.TaskRole) string { return role.FrameworkName + ".json" }

// configMaps renders the resolved job and then the run specifications, in as
// few ConfigMaps as this order permits. It records the ConfigMap of each
// role's run specification.
func (r *renderer) configMaps() []*framework.ConfigMap {
	r.specMaps = map[string]string{}
	p := &packer{r: r}
	if text := canonical(r.job); r.fits(ResolvedJobKey, text) {
		p.add(ResolvedJobKey, text)
	} else {
		r.report(ResolvedJobOmitted.At(r.jobRange(),
			"The resolved job %q has %d bytes. This exceeds the size limit of a ConfigMap, so apply does not store the resolved job on the cluster. Later plans list the fields that change, without their old values.", r.job.Name, len(text)))
	}
	for _, role := range r.job.TaskRoles {
		text := canonical(RunSpec(r.job, role))
		if !r.fits(specKey(role), text) {
			r.report(RunSpecTooLarge.At(r.jobRange(),
				"The run specification of task role %q of job %q has %d bytes; a ConfigMap can contain at most %d. Move long strings out of the commands, for example into a script that a prerequisite fetches.",
				role.Name, r.job.Name, len(text), configMapLimit-len(specKey(role))))
		}
		r.specMaps[role.FrameworkName] = p.add(specKey(role), text)
	}
	return p.maps
}

// fits reports whether an entry fits into one ConfigMap. The local cluster has
// no limit.
func (r *renderer) fits(key, value string) bool {
	return r.target.Local || len(key)+len(value) <= configMapLimit
}

// packer fills ConfigMaps with entries in the order in which they are added.
type packer struct {
	r    *renderer
	maps []*framework.ConfigMap
	size int // size of the last ConfigMap
}

// add returns the name of the ConfigMap that contains the entry: the last
// ConfigMap, or a new one if the entry does not fit.
func (p *packer) add(key, value string) string {
	need := len(key) + len(value)
	if len(p.maps) == 0 || p.size+need > configMapLimit {
		name := contract.RunConfigMap(p.r.job.Framework)
		if n := len(p.maps); n > 0 {
			name += "-" + strconv.Itoa(n+1)
		}
		// The ConfigMap is not immutable: a kubelet does not reload an immutable
		// ConfigMap while a Pod uses it. If the ConfigMap were immutable, the
		// next job with this name could get the old content.
		p.maps = append(p.maps, &framework.ConfigMap{
			APIVersion: "v1", Kind: "ConfigMap", Metadata: p.r.meta(name), Data: map[string]string{},
		})
		p.size = 0
	}
	last := p.maps[len(p.maps)-1]
	last.Data[key] = value
	p.size += need
	return last.Metadata.Name
}
