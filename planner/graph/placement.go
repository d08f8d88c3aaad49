// SPDX-License-Identifier: MPL-2.0

package graph

import "math"

// placement computes the coordinates of the nodes in a layered graph.
type placement struct {
	*layered
	spacing     Spacing
	size        []Size // by node or point
	left, width []float64
	middle      []float64 // vertical center of each node or point
}

// straightenings is the number of passes in which place straightens the
// lines.
const straightenings = 8

func (p *placement) place() {
	p.columns()
	p.middle = make([]float64, len(p.layer))
	for _, row := range p.rows {
		y := 0.0
		for i, n := range row {
			if i > 0 {
				y += p.distance(row[i-1], n)
			}
			p.middle[n] = y
		}
	}
	for i := range straightenings {
		if i%2 == 0 {
			for k := 1; k < len(p.rows); k++ {
				p.align(p.rows[k], p.in)
			}
			continue
		}
		for k := len(p.rows) - 2; k >= 0; k-- {
			p.align(p.rows[k], p.out)
		}
	}
	p.shift()
}

// columns makes each layer as wide as its widest node.
func (p *placement) columns() {
	p.left, p.width = make([]float64, len(p.rows)), make([]float64, len(p.rows))
	x := 0.0
	for k, row := range p.rows {
		for _, n := range row {
			p.width[k] = max(p.width[k], math.Ceil(p.size[n].Width))
		}
		p.left[k] = x
		x += p.width[k] + p.spacing.Layer
	}
}

// distance returns the minimum distance between the centers of adjacent
// nodes.
func (p *placement) distance(above, below int) float64 {
	gap := p.spacing.Node
	if above >= p.nodes || below >= p.nodes {
		gap = p.spacing.Line
	}
	return (p.size[above].Height+p.size[below].Height)/2 + gap
}

// align moves each node of a layer close to its neighbors' mean position. It keeps
// the order and the minimum distances, and minimizes the squared differences
// (isotonic regression). Nodes that would be too close move as one block.
func (p *placement) align(row []int, neighbors [][]int) {
	type block struct {
		sum   float64
		count int
	}
	var blocks []block
	var starts []int
	offsets := make([]float64, len(row))
	for i, n := range row {
		if i > 0 {
			offsets[i] = offsets[i-1] + p.distance(row[i-1], n)
		}
		blocks = append(blocks, block{sum: p.wish(n, neighbors[n]) - offsets[i], count: 1})
		starts = append(starts, i)
		for k := len(blocks) - 1; k > 0 && blocks[k].sum/float64(blocks[k].count) < blocks[k-1].sum/float64(blocks[k-1].count); k-- {
			blocks[k-1].sum += blocks[k].sum
			blocks[k-1].count += blocks[k].count
			blocks, starts = blocks[:k], starts[:k]
		}
	}
	for k, b := range blocks {
		for i := starts[k]; i < starts[k]+b.count; i++ {
			p.middle[row[i]] = b.sum/float64(b.count) + offsets[i]
		}
	}
}

// wish returns the mean position of a node's neighbors.
func (p *placement) wish(n int, near []int) float64 {
	if len(near) == 0 {
		return p.middle[n]
	}
	sum := 0.0
	for _, m := range near {
		sum += p.middle[m]
	}
	return sum / float64(len(near))
}

// shift moves the topmost node to 0, and rounds the coordinates.
func (p *placement) shift() {
	top := math.Inf(1)
	for n, y := range p.middle {
		top = min(top, y-p.size[n].Height/2)
	}
	for n := range p.middle {
		p.middle[n] = math.Round(p.middle[n] - top)
	}
}
