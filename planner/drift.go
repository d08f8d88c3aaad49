package planner

import (
	"slices"
	"strings"
)

// Drift is one difference between what was sent to a cluster and what it has,
// that neither this tool nor the engine made.
type Drift struct {
	// Object is its kind and name.
	Object string
	// Path is the field in the object; empty: the object itself.
	Path string
	Kind DriftKind
	// Manager names the program that wrote the field, or "" when that is not
	// known.
	Manager string
	// Before is what was sent, After what is there; decoded JSON, nil for
	// nothing.
	Before, After any
}

// SupervisorGone is the drift of an unfinished job on the local cluster that no
// process supervises any more.
var SupervisorGone = Drift{Object: "supervisor", Kind: DriftMissing}

// onlySupervisorGone reports whether nothing but the supervisor is missing.
func onlySupervisorGone(all []Drift) bool {
	return len(all) == 1 && all[0].Object == SupervisorGone.Object && all[0].Kind == SupervisorGone.Kind
}

// DriftKind says in what way something differs.
type DriftKind string

// The kinds of drift.
const (
	DriftChanged DriftKind = "changed"
	DriftMissing DriftKind = "missing" // was sent and is gone
	DriftForeign DriftKind = "foreign" // is there and was not sent
)

// SecretsMissing reports whether values of secrets that were sent are gone, so
// that an update has to send them again.
func (c *Change) SecretsMissing() bool {
	return slices.ContainsFunc(c.Drift, func(d Drift) bool {
		return d.Kind == DriftMissing && d.Path == "" && strings.HasPrefix(d.Object, "Secret ")
	})
}
