// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// attributesOf returns nil for null and unknown values. The map belongs to
// the value and must not be changed.
func attributesOf(v tftypes.Value) map[string]tftypes.Value {
	if v.Type() == nil || v.IsNull() || !v.IsKnown() {
		return nil
	}
	var values map[string]tftypes.Value
	mustAs(v, &values)
	return values
}

// mustAs reads a value whose type the schema guarantees.
func mustAs(v tftypes.Value, into any) {
	if err := v.As(into); err != nil {
		panic("provider: " + err.Error())
	}
}

// stringOr returns the string in v, or the fallback if v is null, unknown or not
// a string.
func stringOr(v tftypes.Value, fallback string) string {
	if v.Type() == nil || !v.Type().Is(tftypes.String) || v.IsNull() || !v.IsKnown() {
		return fallback
	}
	var s string
	mustAs(v, &s)
	return s
}

// stringsIn returns the known, non-empty strings in a list.
func stringsIn(v tftypes.Value) []string {
	var elements []tftypes.Value
	if v.Type() == nil || v.IsNull() || !v.IsKnown() || v.As(&elements) != nil {
		return nil
	}
	var all []string
	for _, e := range elements {
		if s := stringOr(e, ""); s != "" {
			all = append(all, s)
		}
	}
	return all
}

// withAttributes returns a copy with new values for the given attributes.
func withAttributes(v tftypes.Value, changed map[string]tftypes.Value) tftypes.Value {
	values := maps.Clone(attributesOf(v))
	maps.Copy(values, changed)
	return tftypes.NewValue(v.Type(), values)
}

func stringValue(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }

func boolValue(b bool) tftypes.Value { return tftypes.NewValue(tftypes.Bool, b) }

func isTrue(v tftypes.Value) bool {
	var b bool
	return v.IsKnown() && !v.IsNull() && v.As(&b) == nil && b
}

// optionalString returns null for an empty string.
func optionalString(s string) tftypes.Value {
	if s == "" {
		return tftypes.NewValue(tftypes.String, nil)
	}
	return stringValue(s)
}

func stringMapValue(m map[string]string) tftypes.Value {
	values := make(map[string]tftypes.Value, len(m))
	for key, text := range m {
		values[key] = stringValue(text)
	}
	return tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, values)
}

func stringListValue(list []string) tftypes.Value {
	values := make([]tftypes.Value, len(list))
	for i, text := range list {
		values[i] = stringValue(text)
	}
	return tftypes.NewValue(tftypes.List{ElementType: tftypes.String}, values)
}

func unknownValue(typ tftypes.Type) tftypes.Value { return tftypes.NewValue(typ, tftypes.UnknownValue) }

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
