// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"maps"
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// declaredSecrets returns the secrets of the job before the secrets of the
// workspace.
func (r *resolver) declaredSecrets() []*hclspec.Secret {
	return slices.Concat(r.job.Secrets, r.ws.Secrets)
}

// findSecret returns the first secret with the given Reference, or nil.
func findSecret(all []*hclspec.Secret, name string) *hclspec.Secret {
	i := slices.IndexFunc(all, func(s *hclspec.Secret) bool { return s.Reference() == name })
	if i < 0 {
		return nil
	}
	return all[i]
}

func secretNames(all []*hclspec.Secret) []string {
	names := make([]string, len(all))
	for i, s := range all {
		names[i] = s.Reference()
	}
	return names
}

// usedSecrets returns the secrets that the job refers to, sorted by name.
func (r *resolver) usedSecrets() []*Secret {
	var used []*Secret
	for _, name := range slices.Sorted(maps.Keys(r.secrets)) {
		s := findSecret(r.declaredSecrets(), name)
		used = append(used, &Secret{Name: name, Version: s.Version, Declared: s})
	}
	return used
}
