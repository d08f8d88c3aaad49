// SPDX-License-Identifier: MPL-2.0

package shape

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// InvalidJSON reports invalid JSON in a value of any type inside a list or map.
var InvalidJSON = hclspec.DefineError("invalid-json", "Invalid JSON",
	"Terraform does not support dynamically typed values in lists and maps, so write such values as JSON strings. Use the function jsonencode.")

// dynamic decodes a value of any type into a free-form field.
func (d *Decoder) dynamic(a *Attribute, v tftypes.Value, into reflect.Value, at hclspec.Path) bool {
	return d.assign(a, d.dynamicValue(v, at), into, at)
}

// json decodes a value of any type that is written as a JSON string.
func (d *Decoder) json(a *Attribute, text string, into reflect.Value, at hclspec.Path) bool {
	value, err := ParseJSON([]byte(text))
	if err != nil {
		d.report(InvalidJSON, at, "%s is not valid JSON: %s. Write it with jsonencode.", a.Name, err)
		return false
	}
	return d.assign(a, value, into, at)
}

// assign stores a value of any type if its type matches the field.
func (d *Decoder) assign(a *Attribute, value any, into reflect.Value, at hclspec.Path) bool {
	if value == nil {
		return true
	}
	got := reflect.ValueOf(value)
	if !got.Type().AssignableTo(into.Type()) {
		wanted := "an object"
		if a.Field.Kind == hclspec.AnyList {
			wanted = "a list"
		}
		d.report(hclspec.WrongType, at, "%s must be %s, but it is %s.", a.Name, wanted, describeKind(value))
		return false
	}
	into.Set(got)
	return true
}

func describeKind(value any) string {
	switch value.(type) {
	case bool:
		return "a bool"
	case hclspec.Number:
		return "a number"
	case string:
		return "a string"
	case []any:
		return "a list"
	}
	return "an object"
}

// dynamicValue converts a Terraform value to a model value of any type.
func (d *Decoder) dynamicValue(v tftypes.Value, at hclspec.Path) any {
	if !v.IsKnown() {
		d.Unknown = append(d.Unknown, at)
		return nil
	}
	if v.IsNull() {
		return nil
	}
	switch typ := v.Type(); {
	case typ.Is(tftypes.String):
		return stringOf(v)
	case typ.Is(tftypes.Bool):
		var b bool
		must(v.As(&b))
		return b
	case typ.Is(tftypes.Number):
		return hclspec.Number(formatNumber(v))
	case typ.Is(tftypes.List{}), typ.Is(tftypes.Set{}), typ.Is(tftypes.Tuple{}):
		var elements []tftypes.Value
		must(v.As(&elements))
		list := make([]any, len(elements))
		for i, e := range elements {
			list[i] = d.dynamicValue(e, at.Index(i))
		}
		return list
	}
	object := map[string]any{}
	for key, e := range members(v) {
		object[key] = d.dynamicValue(e, at.Key(key))
	}
	return object
}

// ParseJSON parses one JSON value as a model value of any type.
func ParseJSON(text []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var value any
	if err := dec.Decode(&value); err != nil {
		return nil, jsonError(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the value")
	}
	return modelNumbers(value), nil
}

func jsonError(err error) error {
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("the error is at byte %d", syntax.Offset)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("it ends unexpectedly")
	}
	return errors.New("it cannot be read")
}

func modelNumbers(value any) any {
	switch v := value.(type) {
	case json.Number:
		return hclspec.Number(v)
	case map[string]any:
		for k := range v {
			v[k] = modelNumbers(v[k])
		}
	case []any:
		for i := range v {
			v[i] = modelNumbers(v[i])
		}
	}
	return value
}
