// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"github.com/hashicorp/hcl/v2"
	"go.yaml.in/yaml/v3"
)

// checker checks a parsed document in one pass. The decoder can then follow aliases
// and merges without limits. The expanded document is small and has no cycles. In
// each mapping, the keys are strings, and no key occurs twice.
type checker struct {
	src    *source
	sizes  map[*yaml.Node]int // number of values in a subtree, with aliases expanded
	depths map[*yaml.Node]int
	active map[*yaml.Node]bool // anchored nodes that walk has entered but not left
	diags  hcl.Diagnostics
}

func (c *checker) report(d *hcl.Diagnostic) { c.diags = append(c.diags, d) }

func (c *checker) document(n *yaml.Node) {
	size, depth := c.walk(n, 0)
	if c.diags.HasErrors() {
		return
	}
	if size > maxValues {
		c.report(YAMLTooLarge.At(c.src.at(n), "%s has more than %d values after alias expansion, where a long string counts as several values. Use fewer aliases, or move data out of the job.", c.src.name, maxValues))
	}
	if depth > maxDepth {
		c.report(YAMLTooLarge.At(c.src.at(n), "%s is nested too deeply after alias expansion. At most %d levels of nesting are allowed.", c.src.name, maxDepth))
	}
}

// walk returns the number of values and the depth of a subtree. It measures each
// anchored subtree once. The running time is linear in the size of the file, even
// for an alias bomb.
func (c *checker) walk(n *yaml.Node, level int) (size, depth int) {
	if level > maxDepth {
		if !c.diags.HasErrors() {
			c.report(YAMLTooLarge.At(c.src.at(n), "%s is nested too deeply. At most %d levels of nesting are allowed.", c.src.name, maxDepth))
		}
		return 1, 1
	}
	if n.Kind == yaml.AliasNode {
		return c.alias(n, level)
	}
	if size, ok := c.sizes[n]; ok {
		return size, c.depths[n]
	}
	c.active[n] = true
	c.checkTag(n)
	if n.Kind == yaml.MappingNode {
		c.checkKeys(n)
	}
	size, depth = 1+len(n.Value)/bytesPerValue, 1
	for _, child := range n.Content {
		s, d := c.walk(child, level+1)
		size, depth = min(size+s, maxValues+1), max(depth, d+1)
	}
	delete(c.active, n)
	if n.Anchor != "" {
		c.sizes[n], c.depths[n] = size, depth
	}
	return size, depth
}

func (c *checker) alias(n *yaml.Node, level int) (size, depth int) {
	if n.Alias == nil || c.active[n.Alias] {
		c.report(UnsupportedYAML.At(c.src.at(n), "The alias *%s must not be inside the value that it refers to.", n.Value))
		return 1, 1
	}
	return c.walk(n.Alias, level)
}

// checkTag rejects tags without an equivalent in the model's dynamic values.
func (c *checker) checkTag(n *yaml.Node) {
	tag := n.ShortTag()
	ok := true
	switch n.Kind {
	case yaml.ScalarNode:
		ok = scalarTag(tag, n)
	case yaml.MappingNode:
		ok = tag == "!!map"
	case yaml.SequenceNode:
		ok = tag == "!!seq"
	}
	if !ok {
		c.report(UnsupportedYAML.At(c.src.at(n), "The tag %s does not match the value. Remove the tag. If the value is a string, use !!str or quotes.", tag))
	}
}

// scalarTag reports whether the model supports the YAML type of a scalar. The
// text must also be valid for an explicit tag.
func scalarTag(tag string, n *yaml.Node) bool {
	switch tag {
	case "!!str", "!!timestamp", "!!merge":
		return true
	case "!!null", "!!bool", "!!int", "!!float":
		if n.Style&yaml.TaggedStyle == 0 {
			return true
		}
		plain := yaml.Node{Kind: yaml.ScalarNode, Value: n.Value}
		found := plain.ShortTag()
		return found == tag || tag == "!!float" && found == "!!int"
	}
	return false
}

// checkKeys rejects duplicate keys and keys that are not scalars.
func (c *checker) checkKeys(n *yaml.Node) {
	first := map[string]*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := deref(n.Content[i])
		if key.Kind != yaml.ScalarNode {
			c.report(UnsupportedYAML.At(c.src.at(n.Content[i]), "A key must be a string, but this key is a %s. If the key is meant to be a string, put it in quotes.", kindName(key)))
			continue
		}
		name := c.src.value(key)
		if before, twice := first[name]; twice {
			c.report(DuplicateKey.At(c.src.at(n.Content[i]), "The key %q is already set on line %d.", name, before.Line))
			continue
		}
		first[name] = key
	}
}

// deref follows an alias.
func deref(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}
