// SPDX-License-Identifier: MPL-2.0

package graph

// Order returns all nodes, each after the nodes that it needs. It uses a
// depth-first search that visits nodes and edges in insertion order. The result
// therefore keeps the insertion order wherever the dependencies allow it. It
// ignores the edge that closes a cycle; see [Graph.Cycles]. It runs in O(nodes
// + edges) time and space.
func (g *Graph[K]) Order() []K {
	order := make([]int, 0, len(g.nodes))
	seen := make([]bool, len(g.nodes))
	var visit func(int)
	visit = func(n int) {
		if seen[n] {
			return
		}
		seen[n] = true
		for _, t := range g.out[n] {
			visit(t)
		}
		order = append(order, n)
	}
	for n := range g.nodes {
		visit(n)
	}
	return g.keys(order)
}

// Distances returns the distance from the given node to each node that it
// needs, directly or indirectly. A distance is the number of edges on the
// shortest path. The distance to the node itself is 0. It runs in O(nodes +
// edges) time.
func (g *Graph[K]) Distances(from K) map[K]int {
	start, ok := g.index[from]
	if !ok {
		return nil
	}
	distance := map[K]int{from: 0}
	queue := []int{start}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		for _, t := range g.out[n] {
			if _, seen := distance[g.nodes[t]]; !seen {
				distance[g.nodes[t]] = distance[g.nodes[n]] + 1
				queue = append(queue, t)
			}
		}
	}
	return distance
}
