package resolve

import (
	"maps"
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// secret returns the secret of that name in the job, else in the workspace,
// or nil.
func (r *resolver) secret(name string) *hclspec.Secret {
	for _, s := range r.job.Secrets {
		if s.Name == name {
			return s
		}
	}
	return r.ws.Secret(name)
}

func (r *resolver) knownSecrets() []string {
	var names []string
	for _, s := range slices.Concat(r.job.Secrets, r.ws.Secrets) {
		names = append(names, s.Name)
	}
	return names
}

// usedSecrets returns the secrets that the job refers to, sorted by name.
func (r *resolver) usedSecrets() []*Secret {
	var used []*Secret
	for _, name := range slices.Sorted(maps.Keys(r.secrets)) {
		s := r.secret(name)
		used = append(used, &Secret{Name: name, Version: s.Version, Declared: s})
	}
	return used
}
