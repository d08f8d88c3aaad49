// SPDX-License-Identifier: MPL-2.0

package history

import (
	"maps"
	"slices"

	"github.com/openpai/terraform-provider-openpai/planner"
)

// SecretVersion contains the version of a secret and the ID of the key for
// the version; see [planner.SecretKeyID].
type SecretVersion struct{ Version, Key string }

// SecretVersion returns the version of the named secret in the run. The version is ""
// if the run did not use the secret.
func (r *Run) SecretVersion(name string) SecretVersion {
	return SecretVersion{Version: r.Secrets[name], Key: r.SecretsKey}
}

// SecretNames returns the names of the secrets that both runs used.
func (r *Run) SecretNames(other *Run) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(r.Secrets)) {
		if _, both := other.Secrets[name]; both {
			names = append(names, name)
		}
	}
	return names
}

// Compare compares two versions of a secret. The version changes when the
// secret or the key changes. Therefore, Compare returns
// [planner.SecretNotChecked] for different versions whose keys differ or are
// unknown. The keys differ if destroy deleted the key between the two runs.
func (v SecretVersion) Compare(other SecretVersion) planner.SecretState {
	switch {
	case v.Version == "" || other.Version == "":
		return planner.SecretNotChecked
	case v.Version == other.Version:
		return planner.SecretUnchanged
	case planner.Keyed(v.Version) && planner.Keyed(other.Version) && (v.Key == "" || v.Key != other.Key):
		return planner.SecretNotChecked
	}
	return planner.SecretChanged
}
