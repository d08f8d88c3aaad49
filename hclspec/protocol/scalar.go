// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"cmp"
	"fmt"
	"reflect"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// maxShown is the maximum number of characters of a value that a message
// quotes.
const maxShown = 40

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

func kindName(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "mapping"
	case yaml.SequenceNode:
		return "list"
	}
	return map[string]string{
		"!!null": "key without a value", "!!bool": "boolean", "!!int": "number", "!!float": "number", "!!timestamp": "date",
	}[n.ShortTag()]
}

func (d *decoder) describe(n *yaml.Node, at place) string {
	switch {
	case isNull(n):
		return "null"
	case n.Kind == yaml.MappingNode, n.Kind == yaml.SequenceNode:
		return "a " + kindName(n)
	}
	name := kindName(n)
	name = cmp.Or(name, "string")
	if at.secret {
		return "a " + name
	}
	value := []rune(d.src.value(n))
	if len(value) > maxShown {
		value = append(value[:maxShown], '…')
	}
	if name == "string" {
		return fmt.Sprintf("the string %q", string(value))
	}
	return fmt.Sprintf("the %s %s", name, string(value))
}

func (d *decoder) wrongType(n *yaml.Node, at place, want string) {
	advice := ""
	switch {
	case want == "a string" && n.Kind == yaml.ScalarNode && !isNull(n):
		advice = " Put it in quotes."
	case unrendered(n):
		advice = " The value looks like a template that was not rendered. If it is a string that begins with a brace, put it in quotes."
	case want == "a string" && n.Kind == yaml.MappingNode:
		advice = " A string that contains a colon followed by a space needs quotes."
	case isNull(n):
		advice = " Write a value or remove the key."
	}
	d.report(WrongYAMLType.At(d.src.at(n), "%s must be %s, but it is %s.%s", at.shown, want, d.describe(n, at), advice))
}

// unrendered reports whether a node is a template placeholder without a
// value, such as {name}.
func unrendered(n *yaml.Node) bool {
	return n.Kind == yaml.MappingNode && n.Style&yaml.FlowStyle != 0 && len(n.Content) == 2 && isNull(deref(n.Content[1]))
}

func (d *decoder) null(n *yaml.Node, at place) {
	d.report(NullValue.At(d.src.at(n), "%s has no value and is treated as absent.", at.shown))
}

// optional returns nil if the key is missing or has no value.
func (d *decoder) optional(m *mapping, name string, at place) *entry {
	e := m.get(name)
	if e == nil || !e.absent() {
		return e
	}
	d.null(e.value, at.attr(at.path, name))
	return nil
}

// decodeString decodes a string.
func (d *decoder) decodeString(n *yaml.Node, at place) string {
	if n.Kind != yaml.ScalarNode || isNull(n) {
		d.wrongType(n, at, "a string")
		return ""
	}
	switch n.ShortTag() {
	case "!!str", "!!merge", "!!timestamp":
	default:
		d.wrongType(n, at, "a string")
	}
	d.checkPlaceholder(n, at)
	return d.src.value(n)
}

// decodeVersion keeps the spelling of a string that may be written as a number.
func (d *decoder) decodeVersion(n *yaml.Node, at place) string {
	if tag := n.ShortTag(); n.Kind != yaml.ScalarNode || tag != "!!int" && tag != "!!float" {
		return d.decodeString(n, at)
	}
	d.report(NumericVersion.At(d.src.at(n), "%s is the number %s. openpai keeps the number as written; put the number in quotes.", at.shown, d.src.value(n)))
	return d.src.value(n)
}

// checkPlaceholder reports a value that begins with an unquoted placeholder.
func (d *decoder) checkPlaceholder(n *yaml.Node, at place) {
	if !d.src.startsWithPlaceholder(n) {
		return
	}
	if at.item {
		d.report(QuotedPlaceholder.At(d.src.at(n), "%s begins with a placeholder and must therefore be quoted. Write %q.", at.shown, d.src.value(n)))
		return
	}
	d.report(UnquotedPlaceholder.At(d.src.at(n), "%s is %s without quotes. YAML reads it as a mapping whose key is a mapping. The value looks like a template that was not rendered: insert the value, or add quotes if the braces are intended.", at.shown, d.src.value(n)))
}

func (d *decoder) setOptionalString(n *yaml.Node, at place, v reflect.Value) {
	if n.Kind != yaml.ScalarNode {
		d.wrongType(n, at, "a string")
		return
	}
	d.checkPlaceholder(n, at)
	text := d.src.value(n)
	v.Set(reflect.ValueOf(&text))
}

// decodeBool decodes a bool. The rest-server reads words that are bools only
// in YAML 1.1 as strings, and treats every non-empty string as true. OpenPAI
// ignores the bool fields of prerequisites.
func (d *decoder) decodeBool(n *yaml.Node, at place) (value, ok bool) {
	if yaml11Bool(n) && !at.item {
		d.report(AmbiguousScalar.At(d.src.at(n), "%s is %s, which OpenPAI reads as a string and treats as true. openpai also reads it as true; write true or false.", at.shown, n.Value))
		return true, true
	}
	return d.decodeStrictBool(n, at)
}

func (d *decoder) decodeStrictBool(n *yaml.Node, at place) (value, ok bool) {
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!bool" {
		return n.Value[0] == 't' || n.Value[0] == 'T', true
	}
	d.wrongType(n, at, "a bool")
	return false, false
}

func (d *decoder) setInt(n *yaml.Node, at place, v reflect.Value) {
	if value, ok := d.decodeInt(n, at); ok {
		v.SetInt(int64(value))
	}
}

func (d *decoder) setOptionalInt(n *yaml.Node, at place, v reflect.Value) {
	if value, ok := d.decodeInt(n, at); ok {
		v.Set(reflect.ValueOf(&value))
	}
}

// decodeInt decodes an integer. Like OpenPAI, it accepts 2.0 as 2.
func (d *decoder) decodeInt(n *yaml.Node, at place) (int, bool) {
	value, reading, ok := parseInteger(n)
	if !ok {
		d.wrongType(n, at, "an integer")
		return 0, false
	}
	if reading != "" {
		d.report(AmbiguousScalar.At(d.src.at(n), "%s is %s, which %s. OpenPAI also reads it as %s. Write this number instead.", at.shown, n.Value, reading, strconv.Itoa(value)))
	}
	return value, true
}

func (d *decoder) setDuration(n *yaml.Node, at place, v reflect.Value) {
	text := d.decodeString(n, at)
	if text == "" {
		return
	}
	span, err := hclspec.ParseDuration(text)
	if err != nil {
		d.report(WrongYAMLType.At(d.src.at(n), "%s is %q: %s.", at.shown, text, err))
		return
	}
	v.SetInt(int64(span))
}
