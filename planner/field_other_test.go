// SPDX-License-Identifier: MPL-2.0

package planner_test

import (
	"reflect"
	"slices"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// different returns a valid value other than v for a field.
func different(f *hclspec.Field, v reflect.Value) any {
	switch f.Kind {
	case hclspec.String, hclspec.Ref:
		if v.Kind() == reflect.Struct {
			return hclspec.Reference{Target: "other"}
		}
		return differentString(f, v.String())
	case hclspec.Bool:
		return !v.Bool()
	case hclspec.Int:
		return int(v.Int()) + 1
	case hclspec.OptionalInt:
		return new(7)
	case hclspec.OptionalBool:
		return new(true)
	case hclspec.OptionalString:
		return new("other")
	case hclspec.Dur:
		return hclspec.Duration(v.Int()) + hclspec.Duration(time.Hour)
	case hclspec.Strings, hclspec.OneOrMore:
		if v.Len() == 0 {
			return []string{"other"}
		}
		return append([]string{v.Index(0).String() + "x"}, v.Interface().([]string)[1:]...)
	case hclspec.Any:
		return !v.Bool() // the type of variable.default
	}
	return differentCollection(f, v)
}

func differentCollection(f *hclspec.Field, v reflect.Value) any {
	switch f.Kind {
	case hclspec.StringMap:
		return map[string]string{"OTHER": "value"}
	case hclspec.IntMap:
		return map[string]int{"other": 7}
	case hclspec.AnyList:
		return []any{map[string]any{"key": "other", "operator": "Exists"}}
	case hclspec.AnyMap:
		return map[string]any{"other": "value"}
	case hclspec.Text:
		return hclspec.NewSensitive("other")
	case hclspec.Refs:
		return append(v.Interface().([]hclspec.Reference), hclspec.Reference{Target: "wget"})
	case hclspec.StorageUses:
		return []*hclspec.StorageUse{{Name: "host", MountPath: "/mnt/other"}}
	}
	panic("no other value for the kind of " + f.Name)
}

func differentString(f *hclspec.Field, was string) string {
	for _, value := range slices.Backward(slices.Concat(f.Values, f.Resolved)) {
		if value != was {
			return value
		}
	}
	return was + "x"
}
