// SPDX-License-Identifier: MPL-2.0

package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

// All returns the objects in the order in which kubectl applies them. The
// volumes and claims, the PriorityClass, and the ConfigMaps are first. Next
// are the objects that give init containers access to the API server. The
// Secrets (without values) and the Framework are last.
func (m *Manifest) All() []any {
	var objects []any
	for i := range m.Volumes {
		objects = append(objects, m.Volumes[i], m.Claims[i])
	}
	if m.PriorityClass != nil {
		objects = append(objects, m.PriorityClass)
	}
	for _, c := range m.ConfigMaps {
		objects = append(objects, c)
	}
	if a := m.Access; a != nil {
		objects = append(objects, a.Hosts)
		if a.Account != nil {
			objects = append(objects, a.Account, a.Role, a.RoleBinding)
		}
	}
	for _, s := range m.Secrets {
		objects = append(objects, s)
	}
	started := *m.Framework
	started.Spec.ExecutionType = framework.ExecutionStart
	return append(objects, &started)
}

// YAML returns all objects as YAML documents. The fields have the usual order of
// Kubernetes manifests.
func (m *Manifest) YAML() []byte {
	var out bytes.Buffer
	for i, o := range m.All() {
		if i > 0 {
			out.WriteString("---\n")
		}
		if _, isSecret := o.(*framework.Secret); isSecret {
			out.WriteString("# Fill in the values before you apply this manifest.\n")
		}
		out.Write(yamlText(o))
	}
	return out.Bytes()
}

// yamlText uses the field names and order of the JSON encoding.
func yamlText(v any) []byte {
	dec := json.NewDecoder(strings.NewReader(canonical(v)))
	dec.UseNumber()
	node, err := yamlNode(dec)
	if err != nil {
		panic(fmt.Sprintf("render: %v", err))
	}
	var out bytes.Buffer
	enc := yaml.NewEncoder(&out)
	enc.SetIndent(2)
	if err := enc.Encode(node); err != nil {
		panic(fmt.Sprintf("render: %v", err))
	}
	return out.Bytes()
}

func yamlNode(dec *json.Decoder) (*yaml.Node, error) {
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch t := token.(type) {
	case json.Delim:
		return yamlCollection(dec, t)
	case string:
		return yamlString(t), nil
	case json.Number:
		return scalar("", t.String()), nil
	case bool:
		return scalar("!!bool", fmt.Sprint(t)), nil
	default:
		return scalar("!!null", "null"), nil
	}
}

func yamlCollection(dec *json.Decoder, open json.Delim) (*yaml.Node, error) {
	node := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
	if open == '{' {
		node = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	}
	for dec.More() {
		child, err := yamlNode(dec)
		if err != nil {
			return nil, err
		}
		node.Content = append(node.Content, child)
	}
	if len(node.Content) == 0 {
		node.Style = yaml.FlowStyle
	}
	_, err := dec.Token() // the closing bracket
	return node, err
}

func scalar(tag, text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: tag, Value: text}
}

var (
	plainText = regexp.MustCompile(`^[A-Za-z/][A-Za-z0-9 ./_-]*$`)
	// plainWords matches unquoted words that are not strings in YAML 1.1, which
	// kubectl reads.
	plainWords = regexp.MustCompile(`^(?i:y|n|yes|no|on|off|true|false|null)$`)
)

// isBlock reports whether a YAML block scalar can represent text unchanged. The
// text must have several lines of printable characters, and no line may start
// with a tab.
func isBlock(text string) bool {
	printable := func(r rune) bool { return r == '\n' || r == '\t' || unicode.IsPrint(r) }
	return strings.Contains(text, "\n") &&
		!strings.ContainsAny(text[:1], " \t\n") &&
		!strings.Contains(text, "\n\t") &&
		strings.IndexFunc(text, func(r rune) bool { return !printable(r) }) < 0
}

// yamlString quotes strings that a YAML parser could read as another type, and
// uses blocks for multi-line strings.
func yamlString(text string) *yaml.Node {
	node := scalar("!!str", text)
	switch {
	case isBlock(text):
		node.Style = yaml.LiteralStyle
	case !plainText.MatchString(text) || strings.HasSuffix(text, " ") || plainWords.MatchString(text):
		node.Style = yaml.DoubleQuotedStyle
	}
	return node
}
