// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// managedFields is an entry in the metadata of an object: the fields that one
// program owns. Manager is the name of the program.
type managedFields struct {
	Manager   string          `json:"manager"`
	Operation string          `json:"operation"`
	Fields    json.RawMessage `json:"fieldsV1"`
}

// engineManager is the field manager of FrameworkController.
const engineManager = "frameworkcontroller"

// drift reports differences from the applied objects: changed fields of the Framework
// and missing objects. It does not compare the executionType, because stop changes
// it.
func (in *inventory) drift(live *liveFramework, r *stored) []planner.Drift {
	var all []planner.Drift
	if r.sent != nil {
		all = cluster.DriftOf(framework.Kind+" "+r.Framework, "spec", r.sent, normalSpec(live.Spec))
		for i := range all {
			all[i] = withZero(all[i])
			all[i].Manager = live.manager(strings.TrimPrefix(all[i].Path, "spec."))
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

// withZero replaces an absent number or bool with 0 or false, unless absence has
// a different meaning. The normal form drops zero values. Without the
// replacement, a field that changed from zero would look like an added field.
func withZero(d planner.Drift) planner.Drift {
	if key := d.Path[strings.LastIndexByte(d.Path, '.')+1:]; slices.Contains(optional, key) {
		return d
	}
	if d.Before == nil {
		d.Before = zeroOf(d.After)
	}
	if d.After == nil {
		d.After = zeroOf(d.Before)
	}
	if d.Before != nil && d.After != nil {
		d.Kind = planner.DriftChanged
	}
	return d
}

// zeroOf returns nil unless the value is a number or a bool.
func zeroOf(value any) any {
	switch value.(type) {
	case float64:
		return float64(0)
	case bool:
		return false
	}
	return nil
}

// manager returns the names of the programs that manage a spec field, except openpai
// and FrameworkController. The API server records managers only for the whole list of
// task roles. FrameworkController writes that list with every status.
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
