// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"

	apiresource "k8s.io/apimachinery/pkg/api/resource"
)

// normalSpec returns the spec of a Framework in normal form, without its
// executionType, which is never compared. FrameworkController writes the object
// back with zero values, nulls, empty objects and reformatted quantities; the
// normal form removes these differences.
func normalSpec(spec any) map[string]any {
	text, err := json.Marshal(spec)
	if err != nil {
		panic("kubernetes: " + err.Error()) // a spec always marshals
	}
	var value map[string]any
	if err := json.Unmarshal(text, &value); err != nil {
		panic("kubernetes: " + err.Error())
	}
	delete(value, "executionType")
	normal, _ := normalize(value, "").(map[string]any)
	if normal == nil {
		normal = map[string]any{}
	}
	return normal
}

// quantities are the fields that are quantities or maps of quantities.
var quantities = []string{"limits", "requests", "sizeLimit"}

// normalize returns nil for values without meaning: null, zero values, and empty
// objects and lists. List elements keep their positions.
func normalize(value any, key string) any {
	switch v := value.(type) {
	case map[string]any:
		for k, member := range v {
			of := k
			if slices.Contains(quantities, key) {
				of = key
			}
			if normal := normalize(member, of); normal != nil {
				v[k] = normal
			} else {
				delete(v, k)
			}
		}
		if len(v) > 0 {
			return v
		}
		return nil
	case []any:
		for i, element := range v {
			v[i] = normalize(element, "")
		}
		if len(v) > 0 {
			return v
		}
		return nil
	case string:
		return text(v, key)
	case float64:
		if v == 0 && !slices.Contains(optional, key) {
			return nil
		}
	case bool:
		if !v && !slices.Contains(optional, key) {
			return nil
		}
	}
	return value
}

// optional are the number and boolean fields whose zero value differs from an
// absent field.
var optional = []string{
	"activeDeadlineSeconds", "allowPrivilegeEscalation", "automountServiceAccountToken", "defaultMode", "expirationSeconds", "fsGroup", "optional",
	"podGracefulDeletionTimeoutSec", "runAsNonRoot", "runAsUser", "terminationGracePeriodSeconds", "tolerationSeconds",
}

func text(v, key string) any {
	if v == "" {
		return nil
	}
	if !slices.Contains(quantities, key) {
		return v
	}
	if q, err := apiresource.ParseQuantity(v); err == nil {
		return q.String()
	}
	return v
}

// difference is a path at which two specs differ. Before and After are decoded
// JSON values, or nil if absent.
type difference struct {
	path          string
	before, after any
}

// compareSpecs lists the differences of two normal specs, sorted by path. Paths
// contain the names of task roles, containers and volumes instead of indexes.
func compareSpecs(before, after map[string]any) []difference {
	if reflect.DeepEqual(before, after) {
		return nil // nearly always; much cheaper than the paths
	}
	return compareValues("", before, after)
}

func compareValues(path string, before, after any) []difference {
	b, bothMaps := before.(map[string]any)
	a, ok := after.(map[string]any)
	if bothMaps = bothMaps && ok; bothMaps {
		var all []difference
		for _, k := range union(b, a) {
			all = append(all, compareValues(join(path, k), b[k], a[k])...)
		}
		return all
	}
	bl, bothLists := before.([]any)
	al, ok := after.([]any)
	if bothLists && ok && len(bl) == len(al) {
		var all []difference
		for i := range bl {
			all = append(all, compareValues(path+element(i, bl[i]), bl[i], al[i])...)
		}
		return all
	}
	if equal(before, after) {
		return nil
	}
	return []difference{{path, before, after}}
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

// element returns the name of a list element, or its index if it has no name.
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

func equal(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}
