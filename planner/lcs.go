// SPDX-License-Identifier: MPL-2.0

package planner

// pair is one step of an alignment of two lists. An index of -1 means that the
// element is missing on that side.
type pair struct{ before, after int }

// lcsLimit is the maximum number of cells in the alignment table. If the lists are
// too long for the table, align finds only their common prefix and suffix. It
// pairs all other elements by position. Only generated command lists are that
// long, and users do not read their differences line by line.
const lcsLimit = 1 << 20

// align pairs elements by the longest common subsequence, in O(len(before) ×
// len(after)) time and memory. Where the lists differ, it pairs removed
// elements with added elements, in order.
func align(before, after []string) []pair {
	head := 0
	for head < len(before) && head < len(after) && before[head] == after[head] {
		head++
	}
	tail := 0
	for tail < len(before)-head && tail < len(after)-head &&
		before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	var pairs []pair
	for i := range head {
		pairs = append(pairs, pair{i, i})
	}
	middle := match(before[head:len(before)-tail], after[head:len(after)-tail])
	pairs = append(pairs, between(middle, head, len(before)-tail, head, len(after)-tail)...)
	for i := range tail {
		pairs = append(pairs, pair{len(before) - tail + i, len(after) - tail + i})
	}
	return pairs
}

// match returns the pairs of a longest common subsequence.
func match(a, b []string) []pair {
	if len(a)*len(b) > lcsLimit {
		return nil
	}
	width := len(b) + 1
	length := make([]int, (len(a)+1)*width) // cell (i, j): length of a longest common subsequence of a[i:] and b[j:]
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				length[i*width+j] = length[(i+1)*width+j+1] + 1
			} else {
				length[i*width+j] = max(length[(i+1)*width+j], length[i*width+j+1])
			}
		}
	}
	var pairs []pair
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			pairs = append(pairs, pair{i, j})
			i, j = i+1, j+1
		case length[(i+1)*width+j] >= length[i*width+j+1]:
			i++
		default:
			j++
		}
	}
	return pairs
}

// between completes the alignment of before[b0:b1] and after[a0:a1]: it adds
// pairs for all elements that are not in equal. The positions in equal are
// relative to b0 and a0.
func between(equal []pair, b0, b1, a0, a1 int) []pair {
	var pairs []pair
	b, a := b0, a0
	gap := func(bEnd, aEnd int) {
		for ; b < bEnd || a < aEnd; b, a = b+1, a+1 {
			p := pair{b, a}
			if b >= bEnd {
				p.before = -1
			}
			if a >= aEnd {
				p.after = -1
			}
			pairs = append(pairs, p)
		}
		b, a = bEnd, aEnd
	}
	for _, e := range equal {
		gap(b0+e.before, a0+e.after)
		pairs = append(pairs, pair{b, a})
		b, a = b+1, a+1
	}
	gap(b1, a1)
	return pairs
}
