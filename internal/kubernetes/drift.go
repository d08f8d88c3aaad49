// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// managedFields show who wrote which fields of an object.
type managedFields struct {
	Manager   string          `json:"manager"`
	Operation string          `json:"operation"`
	Fields    json.RawMessage `json:"fieldsV1"`
}

// engineManager is the field manager of FrameworkController.
const engineManager = "frameworkcontroller"

// drift reports differences from what was sent: changed fields of the Framework
// and missing objects. The executionType is not compared, since stop changes it.
func (in *inventory) drift(live *liveFramework, r *stored) []planner.Drift {
	var all []planner.Drift
	if r.sent != nil {
		for _, d := range compareSpecs(r.sent, normalSpec(live.Spec)) {
			all = append(all, planner.Drift{
				Object: framework.Kind + " " + r.Framework, Path: "spec." + d.path, Kind: kindOf(d),
				Before: d.before, After: d.after, Manager: live.manager(d.path),
			})
		}
	}
	for _, o := range r.Objects {
		if names, listed := in.existing[o.Kind]; listed && !names[o.Name] {
			all = append(all, planner.Drift{Object: o.String(), Kind: planner.DriftMissing})
		}
	}
	slices.SortStableFunc(all, func(a, b planner.Drift) int { return strings.Compare(a.Object+" "+a.Path, b.Object+" "+b.Path) })
	return all
}

func kindOf(d difference) planner.DriftKind {
	switch {
	case d.before == nil:
		return planner.DriftForeign
	case d.after == nil:
		return planner.DriftMissing
	}
	return planner.DriftChanged
}

// manager returns the field manager that last wrote a field of the spec, as far
// as the API server knows. The API server treats the list of task roles as one
// field, and FrameworkController writes the whole list whenever it writes the
// status.
func (l *liveFramework) manager(path string) string {
	field, _, _ := strings.Cut(path, ".")
	field, _, _ = strings.Cut(field, "[")
	var others []string
	for _, m := range l.Metadata.ManagedFields {
		if m.Manager == api.FieldManager || m.Manager == engineManager {
			continue
		}
		var owned struct {
			Spec map[string]json.RawMessage `json:"f:spec"`
		}
		if json.Unmarshal(m.Fields, &owned) == nil {
			if _, owns := owned.Spec["f:"+field]; owns {
				others = append(others, m.Manager)
			}
		}
	}
	slices.Sort(others)
	return strings.Join(slices.Compact(others), ", ")
}
