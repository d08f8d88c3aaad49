package view

import (
	"encoding/json"
	"strings"

	"github.com/openpai/terraform-provider-openpai/planner"
)

// drift tells what somebody else changed, field by field.
func (t *text) drift(c *planner.Change) {
	if len(c.Drift) == 0 {
		return
	}
	t.line(2, "changed outside of openpai:")
	for _, d := range c.Drift {
		t.sentence(4, t.changed, driftText(d))
	}
	t.blank()
}

// driftText is one difference in a line. Values that were not sent are not
// shown: they may be anything.
func driftText(d planner.Drift) string {
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

// driftJSON is a difference for programs, with values as in the text.
type driftJSON struct {
	Object  string            `json:"object"`
	Path    string            `json:"path,omitempty"`
	Kind    planner.DriftKind `json:"kind"`
	Manager string            `json:"manager,omitempty"`
	Before  *json.RawMessage  `json:"before,omitempty"`
	After   *json.RawMessage  `json:"after,omitempty"`
}

func drifts(all []planner.Drift) []driftJSON {
	var out []driftJSON
	for _, d := range all {
		shown := d.Kind == planner.DriftChanged && isScalar(d.Before) && isScalar(d.After)
		out = append(out, driftJSON{
			Object: d.Object, Path: d.Path, Kind: d.Kind, Manager: d.Manager,
			Before: knownJSON(d.Before, shown), After: knownJSON(d.After, shown),
		})
	}
	return out
}
