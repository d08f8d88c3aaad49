// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"slices"
	"strings"
)

// Drift is one difference between the objects that apply sent and the current
// objects on the cluster. Differences that this tool or the engine caused are not
// drift.
type Drift struct {
	// Object is the kind and name of the object.
	Object string
	// Path is the field in the object; empty for the object itself.
	Path string
	Kind DriftKind
	// Manager is the program that wrote the field, or "" if unknown.
	Manager string
	// Before is the value that apply sent, and After is the current value.
	// Both values are decoded JSON, nil if absent.
	Before, After any
}

// SupervisorGone means that an unfinished job on the local cluster has no
// supervisor process.
var SupervisorGone = Drift{Object: "supervisor", Kind: DriftMissing}

// onlySupervisorGone reports whether a missing supervisor is the only drift.
func onlySupervisorGone(all []Drift) bool {
	return len(all) == 1 && all[0].Object == SupervisorGone.Object && all[0].Kind == SupervisorGone.Kind
}

// DriftKind is the kind of a difference.
type DriftKind string

// The kinds of drift.
const (
	DriftChanged DriftKind = "changed"
	DriftMissing DriftKind = "missing" // apply sent the object or field, which no longer exists
	DriftForeign DriftKind = "foreign" // the object or field exists, but apply did not send it
)

// SecretsMissing reports whether Secret objects that apply sent no longer
// exist. In that case, an update must send the Secret objects again.
func (c *Change) SecretsMissing() bool {
	return slices.ContainsFunc(c.Drift, func(d Drift) bool {
		return d.Kind == DriftMissing && d.Path == "" && strings.HasPrefix(d.Object, "Secret ")
	})
}
