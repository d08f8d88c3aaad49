// SPDX-License-Identifier: MPL-2.0

package view

import (
	"encoding/json"
	"strings"

	"github.com/openpai/terraform-provider-openpai/planner"
)

// drift prints the changes made outside openpai, field by field.
func (t *text) drift(c *planner.Change) {
	if len(c.Drift) == 0 {
		return
	}
	t.line(2, "changed outside openpai:")
	for _, d := range c.Drift {
		t.sentence(4, t.changed, DriftText(d))
	}
	t.blank()
}

// DriftText returns a difference on a single line. DriftText omits values
// that apply did not send, because their content is arbitrary.
func DriftText(d planner.Drift) string {
	var b strings.Builder
	b.WriteString(string(d.Kind) + ": " + clean(d.Object))
	if d.Path != "" {
		b.WriteString(", " + clean(d.Path))
	}
	if d.Kind == planner.DriftChanged && isScalar(d.Before) && isScalar(d.After) {
		b.WriteString(": " + compact(d.Before) + " became " + compact(d.After))
	}
	if d.Manager != "" {
		b.WriteString(" (by " + clean(d.Manager) + ")")
	}
	return b.String()
}

func isScalar(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return false
	}
	return true
}

// Drift is a difference for JSON output. It contains the same values as the
// text from [DriftText].
type Drift struct {
	Object  string            `json:"object" doc:"Kind and name"`
	Path    string            `json:"path,omitempty" doc:"Field of the object; absent for the whole object"`
	Kind    planner.DriftKind `json:"kind"`
	Manager string            `json:"manager,omitempty" doc:"Program that last wrote the field, if known"`
	Before  *json.RawMessage  `json:"before,omitempty"`
	After   *json.RawMessage  `json:"after,omitempty"`
}

// NewDrifts converts differences for JSON output.
func NewDrifts(all []planner.Drift) []Drift {
	var out []Drift
	for _, d := range all {
		shown := d.Kind == planner.DriftChanged && isScalar(d.Before) && isScalar(d.After)
		out = append(out, Drift{
			Object: d.Object, Path: d.Path, Kind: d.Kind, Manager: d.Manager,
			Before: knownJSON(d.Before, shown), After: knownJSON(d.After, shown),
		})
	}
	return out
}
