// SPDX-License-Identifier: MPL-2.0

package parity

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// testUnknown repeats the plan for each diagnostic, with an unknown value as the
// cause. The plan may omit the diagnostic, but must not report a new error. New
// warnings are allowed, because an error in the first plan can prevent warnings.
// If the plan has no errors, apply must report the error once the value is
// known.
func (s *scene) testUnknown(known []diagnostic) {
	s.t.Helper()
	for _, d := range of(known, entryOf(counterpart(s.Code))) {
		if d.reported == (place{"", "kubernetes"}) {
			continue // a block is always known
		}
		planned := map[string]*state{}
		found, text := s.provide(d.reported, func(tf *terraform, name string, r declared, prior *state) *state {
			planned[r.resource] = tf.plan(name, r, prior)
			return planned[r.resource]
		})
		for _, f := range found {
			if f.severity == "error" && !slices.ContainsFunc(known, f.like) {
				s.t.Errorf("with an unknown %s, the plan reports a diagnostic that the value does not cause: %s at %s\n%s", d.reported, f.summary, f.reported, text)
			}
		}
		if d.severity == "error" && !slices.ContainsFunc(found, diagnostic.isError) {
			s.testApply(d, planned)
		}
	}
}

// testApply applies a plan with an unknown value. Like Terraform, it starts a
// new provider for the apply.
func (s *scene) testApply(d diagnostic, planned map[string]*state) {
	s.t.Helper()
	found, text := s.provide(place{}, func(tf *terraform, name string, r declared, prior *state) *state {
		if d.reported.resource != "" && d.reported.resource != r.resource {
			return tf.plan(name, r, prior)
		}
		return tf.applyPlanned(name, r, prior, planned[r.resource])
	})
	if !slices.ContainsFunc(found, d.like) {
		s.t.Errorf("%s is unknown in the plan, and the apply with its value does not report %q:\n%s", d.reported, d.summary, text)
	}
}

func (d diagnostic) isError() bool { return d.severity == "error" }

// like compares summary and position.
func (d diagnostic) like(other diagnostic) bool {
	return d.summary == other.summary && d.reported == other.reported
}

// applyPlanned applies a plan after its unknown values have become known.
func (tf *terraform) applyPlanned(name string, r declared, prior, planned *state) *state {
	tf.t.Helper()
	if planned == nil {
		return tf.plan(name, r, prior)
	}
	applied, err := tf.server.ApplyResourceChange(tf.t.Context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: name, PriorState: tf.dynamic(tf.before(r, prior).value), PlannedState: tf.dynamic(tf.reveal(planned.value, r.value)),
		PlannedPrivate: planned.private, Config: tf.dynamic(r.value),
	})
	if err != nil {
		tf.t.Fatal(err)
	}
	if tf.failed(r, applied.Diagnostics) {
		return nil
	}
	return tf.kept(r, applied.NewState, applied.Private)
}

// reveal replaces the unknown values of a plan with the values of a
// configuration.
func (tf *terraform) reveal(planned, config tftypes.Value) tftypes.Value {
	tf.t.Helper()
	v, err := tftypes.Transform(planned, func(at *tftypes.AttributePath, part tftypes.Value) (tftypes.Value, error) {
		if part.IsKnown() {
			return part, nil
		}
		written, _, err := tftypes.WalkAttributePath(config, at)
		if value, ok := written.(tftypes.Value); err == nil && ok && !value.IsNull() {
			return value, nil
		}
		return part, nil
	})
	if err != nil {
		tf.t.Fatal(err)
	}
	return v
}
