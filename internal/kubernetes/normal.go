// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"encoding/json"
	"slices"

	apiresource "k8s.io/apimachinery/pkg/api/resource"
)

// normalSpec returns the spec in normal form, without executionType.
// FrameworkController writes the object back with zero values, nulls, empty
// objects and reformatted quantities. The normal form removes these
// differences.
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

// quantities is the list of fields whose values are quantities or maps of
// quantities.
var quantities = []string{"limits", "requests", "sizeLimit"}

// normalize returns nil for values that have no effect: null, zero values, and
// empty objects and lists. List elements keep their positions.
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

// optional lists the number and bool fields in which 0 or false has a
// different meaning than an absent field.
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
