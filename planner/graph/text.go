// SPDX-License-Identifier: MPL-2.0

package graph

import (
	"fmt"
	"strings"
)

// NodeStyle is the style of a drawn node.
type NodeStyle struct {
	// Label is the text inside the node.
	Label string
	// Kind is the kind of the node, such as "job" or "storage". Kind determines
	// the style: it is the Mermaid class of the node, and [Shapes] maps it to
	// the DOT shape.
	Kind string
}

// Shapes maps node kinds to Graphviz shapes. Other kinds are boxes.
type Shapes map[string]string

// DOT returns the graph in the Graphviz language. Nodes are numbered in
// insertion order.
func (g *Graph[K]) DOT(style func(K) NodeStyle, shapes Shapes) string {
	var b strings.Builder
	b.WriteString("digraph openpai {\n  rankdir=LR;\n  node [fontname=\"sans-serif\", shape=box];\n")
	for i, n := range g.nodes {
		l := style(n)
		fmt.Fprintf(&b, "  n%d [label=%s", i, dotQuote(l.Label))
		if shape := shapes[l.Kind]; shape != "" {
			fmt.Fprintf(&b, ", shape=%s", shape)
		}
		b.WriteString("];\n")
	}
	g.eachEdge(func(f, t int, label string) {
		fmt.Fprintf(&b, "  n%d -> n%d", f, t)
		if label != "" {
			fmt.Fprintf(&b, " [label=%s]", dotQuote(label))
		}
		b.WriteString(";\n")
	})
	b.WriteString("}\n")
	return b.String()
}

// Mermaid returns the graph as a Mermaid flowchart. The class of a node is
// its kind.
func (g *Graph[K]) Mermaid(style func(K) NodeStyle) string {
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	for i, n := range g.nodes {
		l := style(n)
		fmt.Fprintf(&b, "  n%d[%s]", i, mermaidQuote(l.Label))
		if l.Kind != "" {
			fmt.Fprintf(&b, ":::%s", l.Kind)
		}
		b.WriteByte('\n')
	}
	g.eachEdge(func(f, t int, label string) {
		if label == "" {
			fmt.Fprintf(&b, "  n%d --> n%d\n", f, t)
			return
		}
		fmt.Fprintf(&b, "  n%d -->|%s| n%d\n", f, mermaidQuote(label), t)
	})
	return b.String()
}

func (g *Graph[K]) eachEdge(visit func(from, to int, label string)) {
	for f, out := range g.out {
		for _, t := range out {
			visit(f, t, g.label[[2]int{f, t}])
		}
	}
}

func dotQuote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

func mermaidQuote(s string) string {
	return `"` + strings.NewReplacer("&", "#amp;", `"`, "#quot;", "<", "#lt;", ">", "#gt;", "#", "#35;", "\n", "<br/>").Replace(s) + `"`
}
