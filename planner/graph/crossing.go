// SPDX-License-Identifier: MPL-2.0

package graph

import (
	"cmp"
	"slices"
)

// sweeps is the maximum number of passes of uncross.
const sweeps = 12

// uncross sorts the nodes of each layer by their neighbors' mean position,
// and keeps the order with the fewest crossings. The sort is stable, so the
// result depends only on the graph.
func (l *layered) uncross() {
	best, fewest := l.copyRows(), l.crossings()
	for i := 0; i < sweeps && fewest > 0; i++ {
		if i%2 == 0 {
			for k := 1; k < len(l.rows); k++ {
				l.sortRow(k, l.in)
			}
		} else {
			for k := len(l.rows) - 2; k >= 0; k-- {
				l.sortRow(k, l.out)
			}
		}
		if n := l.crossings(); n < fewest {
			best, fewest = l.copyRows(), n
		}
	}
	l.rows = best
	l.number()
}

func (l *layered) copyRows() [][]int {
	rows := make([][]int, len(l.rows))
	for i, row := range l.rows {
		rows[i] = slices.Clone(row)
	}
	return rows
}

func (l *layered) sortRow(k int, neighbors [][]int) {
	middle := map[int]float64{}
	for i, n := range l.rows[k] {
		middle[n] = float64(i)
		if near := neighbors[n]; len(near) > 0 {
			sum := 0
			for _, m := range near {
				sum += l.position[m]
			}
			middle[n] = float64(sum) / float64(len(near))
		}
	}
	slices.SortStableFunc(l.rows[k], func(a, b int) int { return cmp.Compare(middle[a], middle[b]) })
	for i, n := range l.rows[k] {
		l.position[n] = i
	}
}

// crossings returns the number of crossing pairs of edges, in O(edges * log
// edges) time.
func (l *layered) crossings() int {
	total := 0
	for _, row := range l.rows {
		var ends []int // end positions of the edges, in the order of their start positions
		for _, n := range row {
			from := len(ends)
			for _, m := range l.out[n] {
				ends = append(ends, l.position[m])
			}
			slices.Sort(ends[from:])
		}
		total += inversions(ends)
	}
	return total
}

// inversions returns the number of pairs in the wrong order. It sorts the
// list in place.
func inversions(list []int) int {
	if len(list) < 2 {
		return 0
	}
	left, right := slices.Clone(list[:len(list)/2]), list[len(list)/2:]
	n := inversions(left) + inversions(right)
	merged := make([]int, 0, len(list))
	i, j := 0, 0
	for i < len(left) || j < len(right) {
		if j == len(right) || i < len(left) && left[i] <= right[j] {
			merged = append(merged, left[i])
			i++
			continue
		}
		n += len(left) - i
		merged = append(merged, right[j])
		j++
	}
	copy(list, merged)
	return n
}
