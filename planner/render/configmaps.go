package render

import (
	"strconv"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// configMapLimit is the most that Kubernetes accepts in one ConfigMap, keys
// and values together.
const configMapLimit = 1 << 20

// ResolvedJobKey is the key of the resolved job, canonical, in the ConfigMap of
// the run specifications. No task role has it: their names hold no hyphen.
const ResolvedJobKey = "resolved-job.json"

// specKey returns the key of a role's run specification.
func specKey(role *resolve.TaskRole) string { return role.FrameworkName + ".json" }

// configMaps renders the resolved job and the run specifications into as few
// ConfigMaps as hold them, in order, and notes where each role's is.
func (r *renderer) configMaps() []*framework.ConfigMap {
	r.specMaps = map[string]string{}
	p := &packer{r: r}
	if text := canonical(r.job); r.fits(ResolvedJobKey, text) {
		p.add(ResolvedJobKey, text)
	} else {
		r.report(ResolvedJobOmitted.At(r.jobRange(),
			"The resolved job %q takes %d bytes, more than a ConfigMap holds, and is not kept on the cluster. Later plans name the fields that change, without their old values.", r.job.Name, len(text)))
	}
	for _, role := range r.job.TaskRoles {
		text := canonical(RunSpec(r.job, role))
		if !r.fits(specKey(role), text) {
			r.report(RunSpecTooLarge.At(r.jobRange(),
				"The run specification of task role %q of job %q takes %d bytes; a ConfigMap holds at most %d. Move long texts out of the commands, for example into a script that a prerequisite fetches.",
				role.Name, r.job.Name, len(text), configMapLimit-len(specKey(role))))
		}
		r.specMaps[role.FrameworkName] = p.add(specKey(role), text)
	}
	return p.maps
}

// fits reports whether one ConfigMap can hold an entry. The local cluster has
// no such limit.
func (r *renderer) fits(key, value string) bool {
	return r.target.Local || len(key)+len(value) <= configMapLimit
}

// packer fills ConfigMaps one after the other.
type packer struct {
	r    *renderer
	maps []*framework.ConfigMap
	size int // of the last one
}

// add puts an entry into the last ConfigMap, or a new one when it does not fit,
// and returns the name of the ConfigMap.
func (p *packer) add(key, value string) string {
	need := len(key) + len(value)
	if len(p.maps) == 0 || p.size+need > configMapLimit {
		name := contract.RunConfigMap(p.r.job.Framework)
		if n := len(p.maps); n > 0 {
			name += "-" + strconv.Itoa(n+1)
		}
		// Not immutable: a kubelet never looks again at an immutable ConfigMap
		// that some Pod still uses, and would give the old content to the next
		// job of this name.
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
