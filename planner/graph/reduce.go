package graph

import "slices"

// Reduce returns the graph without the edges that follow from others: a to c
// is dropped when there is a way from a over b to c. Everything that could be
// reached can still be reached. Edges from and to nodes of a cycle are kept,
// since there each could stand for the other. Time is
// O(nodes * edges) at worst, which is a search from each node that has
// several edges.
func (g *Graph[K]) Reduce() *Graph[K] {
	reduced := New[K]()
	for _, n := range g.nodes {
		reduced.Add(n)
	}
	cyclic := g.inCycle()
	for f, out := range g.out {
		implied := g.impliedBy(f)
		for _, t := range out {
			if !implied[t] || cyclic[f] || cyclic[t] {
				reduced.Connect(g.nodes[f], g.nodes[t], g.label[[2]int{f, t}])
			}
		}
	}
	return reduced
}

// impliedBy returns the nodes that can be reached from a node in more than one
// step.
func (g *Graph[K]) impliedBy(from int) map[int]bool {
	implied := map[int]bool{}
	if len(g.out[from]) < 2 {
		return implied
	}
	var queue []int
	for _, t := range g.out[from] {
		if t != from {
			queue = append(queue, g.out[t]...)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		if n := queue[0]; !implied[n] && n != from {
			implied[n] = true
			queue = append(queue, g.out[n]...)
		}
	}
	return implied
}

func (g *Graph[K]) inCycle() []bool {
	cyclic := make([]bool, len(g.nodes))
	for _, group := range g.groups() {
		for _, n := range group {
			cyclic[n] = len(group) > 1 || slices.Contains(g.out[n], n)
		}
	}
	return cyclic
}
