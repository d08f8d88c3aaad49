// SPDX-License-Identifier: MPL-2.0

package graph

// Graph is a directed graph without parallel edges. The zero value is not
// usable; see [New].
type Graph[K comparable] struct {
	nodes []K
	index map[K]int
	out   [][]int
	label map[[2]int]string
}

// Edge is a labeled edge from a node to a node that it needs.
type Edge[K comparable] struct {
	From, To K
	Label    string
}

// New returns an empty graph.
func New[K comparable]() *Graph[K] {
	return &Graph[K]{index: map[K]int{}, label: map[[2]int]string{}}
}

// Add adds a node. Adding a node again has no effect.
func (g *Graph[K]) Add(node K) { g.number(node) }

func (g *Graph[K]) number(node K) int {
	n, ok := g.index[node]
	if !ok {
		n = len(g.nodes)
		g.index[node] = n
		g.nodes = append(g.nodes, node)
		g.out = append(g.out, nil)
	}
	return n
}

// Connect adds an edge. It also adds missing nodes of the edge. It ignores a
// second edge between the same nodes.
func (g *Graph[K]) Connect(from, to K, label string) {
	f, t := g.number(from), g.number(to)
	if _, twice := g.label[[2]int{f, t}]; twice {
		return
	}
	g.out[f] = append(g.out[f], t)
	g.label[[2]int{f, t}] = label
}

// Has reports whether the node was added.
func (g *Graph[K]) Has(node K) bool {
	_, ok := g.index[node]
	return ok
}

// Nodes returns all nodes in insertion order.
func (g *Graph[K]) Nodes() []K { return append([]K(nil), g.nodes...) }

// Needs returns the nodes that a node needs, in the order of the edges.
func (g *Graph[K]) Needs(node K) []K {
	n, ok := g.index[node]
	if !ok {
		return nil
	}
	return g.keys(g.out[n])
}

// Edges returns all edges in the order of their origin nodes. Edges with the
// same origin are in insertion order.
func (g *Graph[K]) Edges() []Edge[K] {
	edges := make([]Edge[K], 0, len(g.label))
	for f, out := range g.out {
		for _, t := range out {
			edges = append(edges, Edge[K]{g.nodes[f], g.nodes[t], g.label[[2]int{f, t}]})
		}
	}
	return edges
}

func (g *Graph[K]) keys(numbers []int) []K {
	keys := make([]K, len(numbers))
	for i, n := range numbers {
		keys[i] = g.nodes[n]
	}
	return keys
}
