// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// object is a YAML mapping that the writer builds.
type object struct{ *yaml.Node }

func newObject() *object { return &object{&yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}} }

func (o *object) put(key string, value *yaml.Node) {
	o.Content = append(o.Content, stringNode(key), value)
}

func (o *object) putUnlessEmpty(key string, value *object) {
	if !value.empty() {
		o.put(key, value.Node)
	}
}

func (o *object) empty() bool { return len(o.Content) == 0 }

// sequence is a YAML list that the writer builds.
type sequence struct{ *yaml.Node }

func newSequence() *sequence { return &sequence{&yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}} }

func (s *sequence) add(value *yaml.Node) { s.Content = append(s.Content, value) }

func scalarNode(tag, value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: value}
}

func boolNode(b bool) *yaml.Node {
	if b {
		return scalarNode("!!bool", "true")
	}
	return scalarNode("!!bool", "false")
}

// numberNode returns the node of a number with its original spelling.
func numberNode(spelling string) *yaml.Node {
	plain := scalarNode("", spelling)
	return scalarNode(plain.ShortTag(), spelling)
}

// stringNode returns a node that every YAML parser reads as a string. It
// quotes a string that YAML 1.1 or 1.2 would otherwise read as a different
// type. Several lines usually become a block scalar.
func stringNode(s string) *yaml.Node {
	n := scalarNode("!!str", s)
	plain := scalarNode("", s)
	switch {
	case strings.ContainsAny(s, nextLine+lineSeparator+paragraphSeparator):
		n.Style = yaml.DoubleQuotedStyle
	case strings.Contains(strings.TrimRight(s, "\n"), "\n") && !strings.ContainsRune(" \t\n", rune(s[0])):
		n.Style = yaml.LiteralStyle
	case plain.ShortTag() != "!!str" || yaml11Reading(plain) != "" || yaml11True.MatchString(s) || yaml11False.MatchString(s):
		n.Style = yaml.DoubleQuotedStyle
	case strings.ContainsAny(s, "\n\t"):
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

// dynamicNode sorts the keys of a dynamic value.
func dynamicNode(value any) *yaml.Node {
	switch v := value.(type) {
	case nil:
		return scalarNode("!!null", "null")
	case bool:
		return boolNode(v)
	case hclspec.Number:
		return numberNode(string(v))
	case string:
		return stringNode(v)
	case []any:
		list := newSequence()
		for _, element := range v {
			list.add(dynamicNode(element))
		}
		return list.Node
	case map[string]any:
		m := newObject()
		for _, key := range slices.Sorted(maps.Keys(v)) {
			m.put(key, dynamicNode(v[key]))
		}
		return m.Node
	}
	panic("protocol: a dynamic value has a type that the model does not support")
}
