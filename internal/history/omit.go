// SPDX-License-Identifier: MPL-2.0

package history

import (
	"iter"
	"slices"
)

// Part is a part of a run that can be omitted to save space.
type Part string

// The parts of a run, in the order in which Shorter omits them.
const (
	PartLogs     Part = "logs"
	PartAttempts Part = "attempts"
	PartJob      Part = "job"
)

// Omit removes a part and records the omission.
func (r *Run) Omit(p Part) {
	switch p {
	case PartLogs:
		r.Logs = nil
	case PartAttempts:
		r.Tasks = nil
	case PartJob:
		r.Job = nil
	}
	if !slices.Contains(r.Omitted, string(p)) {
		r.Omitted = append(r.Omitted, string(p))
	}
}

// Lacks reports whether a part was omitted.
func (r *Run) Lacks(p Part) bool { return slices.Contains(r.Omitted, string(p)) }

// Shorter yields copies of the run. The first copy is unchanged, and each
// later copy omits one more part.
func (r *Run) Shorter() iter.Seq[*Run] {
	return func(yield func(*Run) bool) {
		kept := *r
		kept.Omitted = slices.Clone(r.Omitted)
		if !yield(&kept) {
			return
		}
		for _, p := range []Part{PartLogs, PartAttempts, PartJob} {
			kept.Omit(p)
			if !yield(&kept) {
				return
			}
		}
	}
}
