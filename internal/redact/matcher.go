// SPDX-License-Identifier: MPL-2.0

package redact

import (
	"bytes"
	"slices"
)

// matcher finds many patterns in one pass (Wu-Manber algorithm). A window moves
// over the text. The window has the length of the shortest pattern. A table
// maps the last two bytes of the window to the number of bytes by which the
// window can move. Therefore, the search skips most bytes. The memory use
// depends only on the patterns.
type matcher struct {
	patterns [][]byte // sorted, without duplicates
	longest  int
	window   int
	jump     [1 << 16]uint8
	bucket   [1 << 16]uint16 // index into ending if jump is 0
	ending   [][][]byte      // patterns by the last two bytes of their window
	starts   [1 << 10]uint64 // set of the first two bytes of patterns
	initial  [256]bool       // set of the first bytes of patterns
}

// newMatcher returns nil if no pattern has at least [MinLength] bytes.
func newMatcher(patterns []string) *matcher {
	patterns = slices.DeleteFunc(patterns, func(p string) bool { return len(p) < MinLength })
	if len(patterns) == 0 {
		return nil
	}
	slices.Sort(patterns)
	m := &matcher{window: 255, ending: [][][]byte{nil}}
	for _, p := range slices.Compact(patterns) {
		m.patterns = append(m.patterns, []byte(p))
		m.longest = max(m.longest, len(p))
		m.window = min(m.window, len(p))
	}
	for i := range m.jump {
		m.jump[i] = uint8(m.window - 1)
	}
	for _, p := range m.patterns {
		m.add(p)
	}
	return m
}

func pair(a, b byte) uint16 { return uint16(a)<<8 | uint16(b) }

func (m *matcher) add(p []byte) {
	for i := 1; i < m.window; i++ {
		key := pair(p[i-1], p[i])
		m.jump[key] = min(m.jump[key], uint8(m.window-1-i))
	}
	key := pair(p[m.window-2], p[m.window-1])
	if m.bucket[key] == 0 {
		m.bucket[key] = uint16(len(m.ending))
		m.ending = append(m.ending, nil)
	}
	m.ending[m.bucket[key]] = append(m.ending[m.bucket[key]], p)
	first := pair(p[0], p[1])
	m.starts[first>>6] |= 1 << (first & 63)
	m.initial[p[0]] = true
}

// next returns the first match at or after the offset from. If several matches
// start at the same position, next returns the longest.
func (m *matcher) next(text []byte, from int) (start, end int, ok bool) {
	for i := from + m.window - 1; i < len(text); {
		key := pair(text[i-1], text[i])
		if j := m.jump[key]; j > 0 {
			i += int(j)
			continue
		}
		start = i - m.window + 1
		if n := m.longestAt(text[start:], m.bucket[key]); n > 0 {
			return start, start + n, true
		}
		i++
	}
	return 0, 0, false
}

func (m *matcher) longestAt(text []byte, bucket uint16) int {
	longest := 0
	for _, p := range m.ending[bucket] {
		if len(p) > longest && bytes.HasPrefix(text, p) {
			longest = len(p)
		}
	}
	return longest
}

// pending returns the position of the first possible match that may continue
// after the text, or len(text).
func (m *matcher) pending(text []byte) int {
	for i := max(0, len(text)-m.longest+1); i < len(text); i++ {
		if i+1 == len(text) {
			if m.initial[text[i]] {
				return i
			}
			break
		}
		first := pair(text[i], text[i+1])
		if m.starts[first>>6]&(1<<(first&63)) != 0 && m.begins(text[i:]) {
			return i
		}
	}
	return len(text)
}

// begins reports whether a longer pattern begins with t.
func (m *matcher) begins(t []byte) bool {
	i, _ := slices.BinarySearchFunc(m.patterns, t, bytes.Compare)
	if i < len(m.patterns) && len(m.patterns[i]) == len(t) {
		i++ // not longer than t
	}
	return i < len(m.patterns) && bytes.HasPrefix(m.patterns[i], t)
}
