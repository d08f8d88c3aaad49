// SPDX-License-Identifier: MPL-2.0

package cluster

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"

	"github.com/openpai/terraform-provider-openpai/planner"
)

// DriftOf returns the differences between the sent and the current object, sorted by
// path. before and after are decoded JSON values at the path root in the object. Paths
// contain the names of task roles, containers and volumes instead of indexes.
func DriftOf(object, root string, before, after any) []planner.Drift {
	if reflect.DeepEqual(before, after) {
		return nil // usually identical; this check is much faster than a comparison by path
	}
	all := compareValues(root, before, after)
	for i := range all {
		all[i].Object, all[i].Kind = object, driftKind(all[i])
	}
	return all
}

func driftKind(d planner.Drift) planner.DriftKind {
	switch {
	case d.Before == nil:
		return planner.DriftForeign
	case d.After == nil:
		return planner.DriftMissing
	}
	return planner.DriftChanged
}

func compareValues(path string, before, after any) []planner.Drift {
	b, bothMaps := before.(map[string]any)
	a, ok := after.(map[string]any)
	if bothMaps = bothMaps && ok; bothMaps {
		var all []planner.Drift
		for _, k := range union(b, a) {
			all = append(all, compareValues(join(path, k), b[k], a[k])...)
		}
		return all
	}
	bl, bothLists := before.([]any)
	al, ok := after.([]any)
	if bothLists && ok && len(bl) == len(al) {
		var all []planner.Drift
		for i := range bl {
			all = append(all, compareValues(path+element(i, bl[i]), bl[i], al[i])...)
		}
		return all
	}
	if SameJSON(before, after) {
		return nil
	}
	return []planner.Drift{{Path: path, Before: before, After: after}}
}

func union(a, b map[string]any) []string {
	var keys []string
	for k := range a {
		keys = append(keys, k)
	}
	for k := range b {
		if _, known := a[k]; !known {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys
}

// element returns the name of a list element, or the index of an element
// without a name.
func element(index int, value any) string {
	if m, ok := value.(map[string]any); ok {
		if name, ok := m["name"].(string); ok {
			return "[" + strconv.Quote(name) + "]"
		}
	}
	return "[" + strconv.Itoa(index) + "]"
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// SameJSON reports whether two values have the same JSON encoding.
func SameJSON(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}
