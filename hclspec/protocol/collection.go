// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func (d *decoder) stringList(n *yaml.Node, at place) []string {
	items, ok := d.list(n, at)
	if !ok {
		return nil
	}
	values := make([]string, 0, len(items))
	for i, item := range items {
		here := at.index(i)
		d.recordSource(here, item)
		values = append(values, d.decodeString(item, here))
	}
	return values
}

func (d *decoder) stringOrList(n *yaml.Node, at place) []string {
	if n.Kind == yaml.SequenceNode {
		return d.stringList(n, at)
	}
	d.recordSource(at.index(0), n)
	return []string{d.decodeString(n, at)}
}

func (d *decoder) stringMap(n *yaml.Node, at place) map[string]string {
	m, ok := d.mapping(n, at)
	if !ok {
		return nil
	}
	values := map[string]string{}
	for _, e := range m.entries {
		here := at.key(e.name)
		d.recordSource(here, e.value)
		if isNull(e.value) || e.value.Kind != yaml.ScalarNode {
			d.wrongType(e.value, here, "a string")
			continue
		}
		d.checkPlaceholder(e.value, here)
		values[e.name] = d.src.value(e.value)
	}
	return values
}

func (d *decoder) intMap(n *yaml.Node, at place) map[string]int {
	m, ok := d.mapping(n, at)
	if !ok {
		return nil
	}
	values := map[string]int{}
	for _, e := range m.entries {
		here := at.key(e.name)
		d.recordSource(here, e.value)
		if value, ok := d.decodeInt(e.value, here); ok {
			values[e.name] = value
		}
	}
	return values
}

// dynamicMap returns nil for an empty mapping, because an absent mapping is
// equivalent.
func (d *decoder) dynamicMap(m *mapping, at place) map[string]any {
	if len(m.entries) == 0 {
		return nil
	}
	values := make(map[string]any, len(m.entries))
	for _, e := range m.entries {
		values[e.name] = d.dynamic(e.value, at.key(e.name))
	}
	return values
}

// dynamic decodes a value of any shape. Numbers keep their spelling. A number
// in YAML-only notation becomes a string.
func (d *decoder) dynamic(n *yaml.Node, at place) any {
	d.recordSource(at, n)
	switch n.Kind {
	case yaml.MappingNode:
		values := map[string]any{}
		for _, e := range newMapping(d.src, n).entries {
			values[e.name] = d.dynamic(e.value, at.key(e.name))
		}
		return values
	case yaml.SequenceNode:
		values := make([]any, len(n.Content))
		for i, c := range n.Content {
			values[i] = d.dynamic(deref(c), at.index(i))
		}
		return values
	}
	return d.dynamicScalar(n, at)
}

func (d *decoder) dynamicScalar(n *yaml.Node, at place) any {
	d.checkPlaceholder(n, at)
	if reading := yaml11Reading(n); reading != "" {
		d.report(AmbiguousScalar.At(d.src.at(n), "%s is %s, which is %s. openpai keeps the value as written; put the value in quotes.", at.shown, n.Value, reading))
	}
	if printed := javaScriptNumber(n); at.printed && printed != "" && printed != n.Value && hclspec.Number(n.Value).InJSON() {
		d.report(NumberSpelling.At(d.src.at(n), "%s is %s, which OpenPAI prints as %s. openpai keeps the number as written; put the number in quotes.", at.shown, n.Value, printed))
	}
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		return n.Value[0] == 't' || n.Value[0] == 'T'
	case "!!int", "!!float":
		if number := hclspec.Number(n.Value); number.InJSON() {
			return number
		}
	}
	return d.src.value(n)
}
