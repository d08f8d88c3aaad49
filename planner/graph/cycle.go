// SPDX-License-Identifier: MPL-2.0

package graph

import "slices"

// Cycles returns one cycle for each group of nodes that need each other. In each
// group, it chooses a shortest cycle through the node that was added first. The
// cycle begins with this node and does not repeat it at the end. Tarjan's
// algorithm finds the groups in O(nodes + edges). Each cycle requires one search
// within its group.
func (g *Graph[K]) Cycles() [][]K {
	var cycles [][]K
	for _, group := range g.groups() {
		if cycle := g.cycleWithin(group); cycle != nil {
			cycles = append(cycles, g.keys(cycle))
		}
	}
	return cycles
}

// groups returns the strongly connected components, in the order of their
// first nodes. Nodes are in insertion order.
func (g *Graph[K]) groups() [][]int {
	t := &tarjan{out: g.out, found: make([]int, len(g.out)), low: make([]int, len(g.out)), onStack: make([]bool, len(g.out))}
	for n := range g.nodes {
		if t.found[n] == 0 {
			t.visit(n)
		}
	}
	slices.SortFunc(t.groups, func(a, b []int) int { return a[0] - b[0] })
	return t.groups
}

// tarjan is the state of Tarjan's algorithm. The list found contains the index
// of each node in visiting order, starting at 1. The list low contains, for
// each node, the lowest index known so far to be reachable from the node.
type tarjan struct {
	out        [][]int
	found, low []int
	clock      int
	stack      []int
	onStack    []bool
	groups     [][]int
}

func (t *tarjan) visit(n int) {
	t.clock++
	t.found[n], t.low[n] = t.clock, t.clock
	t.stack, t.onStack[n] = append(t.stack, n), true
	for _, m := range t.out[n] {
		switch {
		case t.found[m] == 0:
			t.visit(m)
			t.low[n] = min(t.low[n], t.low[m])
		case t.onStack[m]:
			t.low[n] = min(t.low[n], t.found[m])
		}
	}
	if t.low[n] != t.found[n] {
		return
	}
	start := len(t.stack) - 1
	for t.stack[start] != n { // pop the group from the stack
		start--
	}
	group := slices.Clone(t.stack[start:])
	t.stack = t.stack[:start]
	for _, m := range group {
		t.onStack[m] = false
	}
	slices.Sort(group)
	t.groups = append(t.groups, group)
}

// cycleWithin returns a shortest path from the first node of a group back to
// itself. It returns nil for a single node that does not need itself.
func (g *Graph[K]) cycleWithin(group []int) []int {
	first := group[0]
	within := make(map[int]bool, len(group))
	for _, n := range group {
		within[n] = true
	}
	before := map[int]int{}
	for queue := []int{first}; len(queue) > 0; queue = queue[1:] {
		for _, t := range g.out[queue[0]] {
			if t == first {
				return wayTo(queue[0], first, before)
			}
			if _, seen := before[t]; !seen && within[t] {
				before[t] = queue[0]
				queue = append(queue, t)
			}
		}
	}
	return nil
}

func wayTo(last, first int, before map[int]int) []int {
	way := []int{last}
	for n := last; n != first; {
		n = before[n]
		way = append(way, n)
	}
	slices.Reverse(way)
	return way
}
