package protocol

import (
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// object is a mapping that is being written.
type object struct{ *yaml.Node }

func newMap() *object { return &object{&yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}} }

func (o *object) put(key string, value *yaml.Node) {
	o.Content = append(o.Content, text(key), value)
}

func (o *object) putUnlessEmpty(key string, value *object) {
	if !value.empty() {
		o.put(key, value.Node)
	}
}

func (o *object) empty() bool { return len(o.Content) == 0 }

// sequence is a list that is being written.
type sequence struct{ *yaml.Node }

func newList() *sequence { return &sequence{&yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}} }

func (s *sequence) add(value *yaml.Node) { s.Content = append(s.Content, value) }

func scalar(tag, value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: value}
}

func boolean(b bool) *yaml.Node {
	if b {
		return scalar("!!bool", "true")
	}
	return scalar("!!bool", "false")
}

// number writes a number in its spelling.
func number(spelling string) *yaml.Node {
	plain := scalar("", spelling)
	return scalar(plain.ShortTag(), spelling)
}

// text writes a text so that every reader of YAML takes it for one: quoted
// where 1.1 and 1.2 differ, as a block where it has several lines.
func text(s string) *yaml.Node {
	n := scalar("!!str", s)
	plain := scalar("", s)
	switch {
	case strings.Contains(strings.TrimRight(s, "\n"), "\n") && !strings.ContainsRune(" \t\n", rune(s[0])):
		n.Style = yaml.LiteralStyle
	case plain.ShortTag() != "!!str" || otherReading(plain) != "" || oldTrue.MatchString(s) || oldFalse.MatchString(s):
		n.Style = yaml.DoubleQuotedStyle
	case strings.ContainsAny(s, "\n\t"):
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

// free writes a free value, keys sorted.
func free(value any) *yaml.Node {
	switch v := value.(type) {
	case nil:
		return scalar("!!null", "null")
	case bool:
		return boolean(v)
	case hclspec.Number:
		return number(string(v))
	case string:
		return text(v)
	case []any:
		list := newList()
		for _, element := range v {
			list.add(free(element))
		}
		return list.Node
	case map[string]any:
		m := newMap()
		for _, key := range sortedKeys(v) {
			m.put(key, free(v[key]))
		}
		return m.Node
	}
	panic("protocol: a free value is of a type that the model does not have")
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
