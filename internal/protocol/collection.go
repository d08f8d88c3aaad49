package protocol

import (
	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// texts reads a list of texts.
func (d *decoder) texts(n *yaml.Node, at place) []string {
	items, ok := d.list(n, at)
	if !ok {
		return nil
	}
	values := make([]string, 0, len(items))
	for i, item := range items {
		here := at.index(i)
		d.note(here, item)
		values = append(values, d.text(item, here))
	}
	return values
}

// oneOrMore reads a text or a list of texts.
func (d *decoder) oneOrMore(n *yaml.Node, at place) []string {
	if n.Kind == yaml.SequenceNode {
		return d.texts(n, at)
	}
	d.note(at.index(0), n)
	return []string{d.text(n, at)}
}

func (d *decoder) textMap(n *yaml.Node, at place) map[string]string {
	m, ok := d.mapping(n, at)
	if !ok {
		return nil
	}
	values := map[string]string{}
	for _, e := range m.entries {
		here := at.key(e.name)
		d.note(here, e.value)
		if isNull(e.value) || e.value.Kind != yaml.ScalarNode {
			d.wrongType(e.value, here, "text")
			continue
		}
		d.braces(e.value, here)
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
		d.note(here, e.value)
		if value, ok := d.wholeNumber(e.value, here); ok {
			values[e.name] = value
		}
	}
	return values
}

// freeMap reads a mapping of free values. An empty one is nil, as an absent
// one: nothing can tell them apart.
func (d *decoder) freeMap(m *mapping, at place) map[string]any {
	if len(m.entries) == 0 {
		return nil
	}
	values := make(map[string]any, len(m.entries))
	for _, e := range m.entries {
		values[e.name] = d.free(e.value, at.key(e.name))
	}
	return values
}

// free reads a value of any shape. Numbers keep their spelling; one in a
// spelling that only YAML has is a text.
func (d *decoder) free(n *yaml.Node, at place) any {
	d.note(at, n)
	switch n.Kind {
	case yaml.MappingNode:
		values := map[string]any{}
		for _, e := range newMapping(d.src, n).entries {
			values[e.name] = d.free(e.value, at.key(e.name))
		}
		return values
	case yaml.SequenceNode:
		values := make([]any, len(n.Content))
		for i, c := range n.Content {
			values[i] = d.free(deref(c), at.index(i))
		}
		return values
	}
	return d.freeScalar(n, at)
}

func (d *decoder) freeScalar(n *yaml.Node, at place) any {
	d.braces(n, at)
	if reading := otherReading(n); reading != "" {
		d.report(hclspec.AmbiguousScalar.At(d.src.at(n), "%s is %s, which is %s. It is kept as it is written; put it in quotes.", at.shown, n.Value, reading))
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
