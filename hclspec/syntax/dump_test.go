// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"reflect"
	"strconv"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/plainjson"
)

// dump returns JSON with the Go field names, without paths and zero values.
// It includes sensitive strings.
func dump(t *testing.T, model any) []byte {
	t.Helper()
	text, err := plainjson.MarshalIndent(plainValue(reflect.ValueOf(model)))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func plainValue(v reflect.Value) any {
	switch typed := v.Interface().(type) {
	case hclspec.Duration:
		return typed.String()
	case hclspec.Number:
		return typed
	case *hclspec.Sensitive:
		return "sensitive " + strconv.Quote(typed.Reveal())
	case nil:
		return nil
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return plainValue(v.Elem())
	case reflect.Struct:
		fields := map[string]any{}
		for _, f := range reflect.VisibleFields(v.Type()) {
			if f.Anonymous || f.Name == "Path" && f.Type == reflect.TypeFor[hclspec.Path]() || f.Name == "Sources" || f.Name == "Dir" || v.FieldByIndex(f.Index).IsZero() {
				continue
			}
			fields[f.Name] = plainValue(v.FieldByIndex(f.Index))
		}
		return fields
	case reflect.Slice:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = plainValue(v.Index(i))
		}
		return list
	case reflect.Map:
		object := map[string]any{}
		for _, key := range v.MapKeys() {
			object[key.String()] = plainValue(v.MapIndex(key))
		}
		return object
	}
	return v.Interface()
}
