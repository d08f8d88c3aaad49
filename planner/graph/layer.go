// SPDX-License-Identifier: MPL-2.0

package graph

// layered is a graph whose nodes are in layers. Each edge leads from one layer
// to the next. Longer edges pass through points, which are dummy nodes without
// a size. A number below len(Graph.nodes) identifies a node; any other number
// identifies a point.
type layered struct {
	layer    []int
	rows     [][]int // nodes of each layer, from top to bottom
	in, out  [][]int
	chains   [][]int // for each edge, its start, its points and its end
	nodes    int
	position []int // index in the row
}

// layers assigns each node to a layer: to the right of all nodes that need it,
// but as far left as possible. It reverses each edge that closes a cycle.
func (g *Graph[K]) layers() *layered {
	l := &layered{layer: make([]int, len(g.nodes)), nodes: len(g.nodes)}
	order := g.Order() // needed nodes first
	rank := make([]int, len(g.nodes))
	for i, n := range order {
		rank[g.index[n]] = i
	}
	for i := len(order) - 1; i >= 0; i-- {
		f := g.index[order[i]]
		for _, t := range g.out[f] {
			if rank[t] < rank[f] {
				l.layer[t] = max(l.layer[t], l.layer[f]+1)
			}
		}
	}
	l.in, l.out = make([][]int, l.nodes), make([][]int, l.nodes)
	for f, out := range g.out {
		for _, t := range out {
			l.chain(f, t)
		}
	}
	l.fillRows(g.origins())
	return l
}

// chain connects two nodes through a point in each layer between them. Edges
// within a layer occur only in cycles and are not drawn.
func (l *layered) chain(from, to int) {
	chain := []int{from}
	step := 1
	if l.layer[to] < l.layer[from] {
		step = -1
	}
	for at := l.layer[from] + step; from != to && l.layer[from] != l.layer[to] && at != l.layer[to]; at += step {
		point := len(l.layer)
		l.layer = append(l.layer, at)
		l.in, l.out = append(l.in, nil), append(l.out, nil)
		chain = append(chain, point)
	}
	chain = append(chain, to)
	l.chains = append(l.chains, chain)
	if l.layer[from] == l.layer[to] {
		return
	}
	for i := 1; i < len(chain); i++ {
		a, b := chain[i-1], chain[i]
		if step < 0 {
			a, b = b, a
		}
		l.out[a], l.in[b] = append(l.out[a], b), append(l.in[b], a)
	}
}

// fillRows sets the initial order of each row. Traversal from the origins
// places connected nodes close to each other.
func (l *layered) fillRows(origins []int) {
	last := 0
	for _, n := range l.layer {
		last = max(last, n)
	}
	l.rows = make([][]int, last+1)
	l.position = make([]int, len(l.layer))
	seen := make([]bool, len(l.layer))
	var visit func(int)
	visit = func(n int) {
		if seen[n] {
			return
		}
		seen[n] = true
		l.rows[l.layer[n]] = append(l.rows[l.layer[n]], n)
		for _, t := range l.out[n] {
			visit(t)
		}
	}
	for _, n := range origins {
		visit(n)
	}
	for n := range l.layer {
		visit(n)
	}
	l.number()
}

// origins returns the nodes that no other node needs, in insertion order.
func (g *Graph[K]) origins() []int {
	needed := make([]bool, len(g.nodes))
	for f, out := range g.out {
		for _, t := range out {
			needed[t] = needed[t] || t != f
		}
	}
	var all []int
	for n := range g.nodes {
		if !needed[n] {
			all = append(all, n)
		}
	}
	return all
}

func (l *layered) number() {
	for _, row := range l.rows {
		for i, n := range row {
			l.position[n] = i
		}
	}
}
