// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

// entry is a key-value pair of a mapping.
type entry struct {
	name  string
	key   *yaml.Node // position of the key
	value *yaml.Node // with aliases followed
}

// absent reports whether a key is missing or has no value.
func (e *entry) absent() bool { return e == nil || isNull(e.value) }

// mapping is a YAML mapping in the order of its keys, with merges (<<)
// resolved.
type mapping struct {
	node    *yaml.Node
	entries []entry
	index   map[string]int // created on first use
}

// newMapping returns the mapping of a node. Later calls for the node return
// the same mapping. Callers must not change the mapping.
func newMapping(src *source, n *yaml.Node) *mapping {
	if m := src.mappings[n]; m != nil {
		return m
	}
	m := &mapping{node: n}
	m.add(src, n, map[string]bool{})
	src.mappings[n] = m
	return m
}

// add appends the entries of n. If a key is repeated, the mapping's own entry
// takes precedence over merged entries, and an earlier entry over a later
// one.
func (m *mapping) add(src *source, n *yaml.Node, have map[string]bool) {
	var merges []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := deref(n.Content[i])
		if key.ShortTag() == "!!merge" {
			merges = append(merges, deref(n.Content[i+1]))
			continue
		}
		name := src.value(key)
		if have[name] {
			continue
		}
		have[name] = true
		m.entries = append(m.entries, entry{name, n.Content[i], deref(n.Content[i+1])})
	}
	for _, other := range merges {
		switch other.Kind {
		case yaml.MappingNode:
			m.add(src, other, have)
		case yaml.SequenceNode:
			for _, item := range other.Content {
				if item = deref(item); item.Kind == yaml.MappingNode {
					m.add(src, item, have)
				}
			}
		}
	}
}

func (m *mapping) get(name string) *entry {
	if m.index == nil {
		m.index = make(map[string]int, len(m.entries))
		for i, e := range m.entries {
			m.index[e.name] = i
		}
	}
	if i, ok := m.index[name]; ok {
		return &m.entries[i]
	}
	return nil
}

// stringValue returns "" if the key has no scalar value.
func (m *mapping) stringValue(src *source, name string) string {
	if e := m.get(name); e != nil && e.value.Kind == yaml.ScalarNode {
		return src.value(e.value)
	}
	return ""
}

func (m *mapping) has(names ...string) bool {
	for _, name := range names {
		if m.get(name) != nil {
			return true
		}
	}
	return false
}

func (m *mapping) without(names ...string) *mapping {
	rest := &mapping{node: m.node}
	for _, e := range m.entries {
		if !slices.Contains(names, e.name) {
			rest.entries = append(rest.entries, e)
		}
	}
	return rest
}

func (m *mapping) names() []string {
	names := make([]string, len(m.entries))
	for i, e := range m.entries {
		names[i] = e.name
	}
	return names
}
