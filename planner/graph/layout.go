// SPDX-License-Identifier: MPL-2.0

package graph

import "math"

// Size is the size of a drawn node, in any unit.
type Size struct{ Width, Height float64 }

// Point is a position in a drawing; y increases downward.
type Point struct{ X, Y float64 }

// Spacing contains the distances between the layers, nodes and lines of a
// drawing.
type Spacing struct {
	Layer float64 // between two layers
	Node  float64 // distance between two nodes in the same layer
	Line  float64 // distance between a line that passes through a layer and the next line or node in the layer
}

// Box is a drawn node. Point is its upper left corner.
type Box[K comparable] struct {
	Node K
	Point
	Size
}

// Line is a drawn edge. It begins at the right side of a box and ends at the left
// side of another box. The line of an edge that closes a cycle begins at a left
// side and ends at a right side. The points form pairs. Within a layer, the line
// runs horizontally from the first point of a pair to the second point. Between
// two pairs, the line crosses the gap between two layers. The last point of a
// line that ends at a left side is not part of a pair.
type Line[K comparable] struct {
	Edge[K]
	Points []Point
}

// Layout is a drawing of a graph.
type Layout[K comparable] struct {
	Size
	Boxes []Box[K] // boxes in the order of the nodes
	Lines []Line[K]
}

// Layout places the nodes in layers. Each node is to the right of the nodes
// that need it. Layout tries to minimize the number of crossings and the
// lengths of the lines. All coordinates are integers. For graphs with few
// layers, Layout runs in about O(edges * log edges) time.
func (g *Graph[K]) Layout(size func(K) Size, spacing Spacing) *Layout[K] {
	l := g.layers()
	l.uncross()
	p := &placement{layered: l, spacing: spacing, size: make([]Size, len(l.layer))}
	for i, n := range g.nodes {
		p.size[i] = size(n)
	}
	p.place()
	return draw(g, p)
}

func draw[K comparable](g *Graph[K], p *placement) *Layout[K] {
	d := &Layout[K]{}
	for i, n := range g.nodes {
		b := Box[K]{n, Point{p.left[p.layer[i]], math.Round(p.middle[i] - p.size[i].Height/2)}, p.size[i]}
		d.Width, d.Height = max(d.Width, b.X+b.Width), max(d.Height, b.Y+b.Height)
		d.Boxes = append(d.Boxes, b)
	}
	for i, e := range g.Edges() {
		if line := p.line(p.chains[i]); line != nil {
			for _, point := range line {
				d.Height = max(d.Height, point.Y)
			}
			d.Lines = append(d.Lines, Line[K]{e, line})
		}
	}
	return d
}

// line returns the points of an edge's line, or nil if the edge is within a
// layer.
func (p *placement) line(chain []int) []Point {
	first, last := chain[0], chain[len(chain)-1]
	if p.layer[first] == p.layer[last] {
		return nil
	}
	var line []Point
	for _, n := range chain {
		near, far := p.left[p.layer[n]], p.left[p.layer[n]]+p.width[p.layer[n]]
		y := p.middle[n]
		switch {
		case p.layer[last] < p.layer[first] && n == last: // the line ends at the right side of a box
			line = append(line, Point{far, y}, Point{near + p.size[n].Width, y})
			continue
		case p.layer[last] < p.layer[first]:
			near, far = far, near
		case n == first:
			near += p.size[n].Width
		}
		line = append(line, Point{near, y}, Point{far, y})
	}
	if p.layer[last] < p.layer[first] {
		line[0] = line[1] // from the left side
		return line
	}
	return line[:len(line)-1]
}
