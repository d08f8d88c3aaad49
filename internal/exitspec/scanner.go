// SPDX-License-Identifier: MPL-2.0

package exitspec

import (
	"bytes"
	"strings"
	"sync"

	"github.com/openpai/terraform-provider-openpai/internal/printable"
)

const (
	// Window is the number of bytes to search at the end of a log.
	Window = 10 << 20
	// tailSize is the number of bytes to search for a Tail pattern at the end
	// of a log.
	tailSize = 16 << 10
	// maxHits is the maximum number of examined hits per pattern. The scanner
	// examines the last hits first. maxLine is the maximum number of bytes examined
	// on each side of a hit.
	maxHits = 64
	maxLine = 2 << 10
)

// scanner finds the words of many patterns in one pass: Aho-Corasick over byte
// classes, ignoring case.
type scanner struct {
	patterns []*Regexp
	class    [256]uint8
	width    int
	next     []uint16  // during construction: state*width+class -> state
	found    [][]uint8 // state -> indexes of patterns

	// step contains the states of next, multiplied by width for speed. For a state
	// with matching patterns, the value is at least finds.
	step  []uint32
	finds uint32
}

var (
	userScanner    = sync.OnceValue(func() *scanner { return newScanner(func(p *Pattern) *Regexp { return p.UserLog }) })
	runtimeScanner = sync.OnceValue(func() *scanner { return newScanner(func(p *Pattern) *Regexp { return p.RuntimeLog }) })
)

func newScanner(pick func(*Pattern) *Regexp) *scanner { return scannerOf(regexpsOf(entries, pick)) }

// regexpsOf calls pick for each pattern, and returns the results that are not
// nil.
func regexpsOf(entries []Entry, pick func(*Pattern) *Regexp) []*Regexp {
	var found []*Regexp
	for _, e := range entries {
		for i := range e.Patterns {
			if t := pick(&e.Patterns[i]); t != nil {
				found = append(found, t)
			}
		}
	}
	return found
}

func scannerOf(patterns []*Regexp) *scanner {
	s := &scanner{patterns: patterns}
	s.classify()
	s.build()
	s.flatten()
	return s
}

// classify assigns a class to every byte in a word. The upper-case and
// lower-case forms of a letter have the same class. All other bytes have class
// 0.
func (s *scanner) classify() {
	s.width = 1
	for _, t := range s.patterns {
		for _, w := range t.Words {
			for _, b := range []byte(w) {
				if s.class[b] != 0 {
					continue
				}
				s.class[b] = uint8(s.width)
				if 'a' <= b && b <= 'z' {
					s.class[b-'a'+'A'] = uint8(s.width)
				}
				s.width++
			}
		}
	}
}

func (s *scanner) addState() uint16 {
	s.next = append(s.next, make([]uint16, s.width)...)
	s.found = append(s.found, nil)
	return uint16(len(s.found) - 1)
}

// build creates an automaton from the words. Each state has a successor for
// every class.
func (s *scanner) build() {
	s.addState()
	for i, t := range s.patterns {
		for _, w := range t.Words {
			s.addWord(w, uint8(i))
		}
	}
	fail := make([]uint16, len(s.found))
	queue := []uint16{0}
	for len(queue) > 0 {
		state := queue[0]
		queue = queue[1:]
		s.found[state] = append(s.found[state], s.found[fail[state]]...)
		for c := range s.width {
			at := int(state)*s.width + c
			fallback := s.next[int(fail[state])*s.width+c]
			switch child := s.next[at]; {
			case child == 0 && state != 0:
				s.next[at] = fallback
			case child != 0:
				if state != 0 {
					fail[child] = fallback
				}
				queue = append(queue, child)
			}
		}
	}
}

func (s *scanner) addWord(word string, text uint8) {
	if word == "" {
		panic("exitspec: a pattern has an empty word")
	}
	state := uint16(0)
	for _, b := range []byte(word) {
		at := int(state)*s.width + int(s.class[b])
		if s.next[at] == 0 {
			child := s.addState()
			s.next[at] = child
		}
		state = s.next[at]
	}
	s.found[state] = append(s.found[state], text)
}

// flatten renumbers the states: states with hits come last.
func (s *scanner) flatten() {
	number := make([]uint32, len(s.found))
	var found [][]uint8
	for _, finds := range []bool{false, true} {
		if finds {
			s.finds = uint32(len(found) * s.width)
		}
		for state, patterns := range s.found {
			if len(patterns) > 0 == finds {
				number[state] = uint32(len(found))
				found = append(found, patterns)
			}
		}
	}
	s.step = make([]uint32, len(s.next))
	for at, to := range s.next {
		state, class := at/s.width, at%s.width
		s.step[int(number[state])*s.width+class] = number[to] * uint32(s.width)
	}
	s.next, s.found = nil, found
}

// hits stores the end offsets of the last maxHits word matches of a pattern.
type hits struct {
	at    [maxHits]int
	count int
}

func (h *hits) add(at int) {
	h.at[h.count%maxHits] = at
	h.count++
}

func (s *scanner) scan(log []byte) map[*Regexp]*hits {
	found := map[*Regexp]*hits{}
	state := uint32(0)
	for i, b := range log {
		state = s.step[state+uint32(s.class[b])]
		if state < s.finds {
			continue
		}
		for _, text := range s.found[int(state)/s.width] {
			t := s.patterns[text]
			if found[t] == nil {
				found[t] = &hits{}
			}
			found[t].add(i)
		}
	}
	return found
}

// span is a matching line of a log.
type span struct{ start, end int }

// find returns the last line with a hit that matches the expression.
func (h *hits) find(t *Regexp, log []byte) (span, bool) {
	if h == nil {
		return span{}, false
	}
	tried := span{len(log) + 1, len(log) + 1}
	for i := h.count - 1; i >= max(0, h.count-maxHits); i-- {
		line := lineAt(log, h.at[i%maxHits])
		if t.Tail && line.end < len(log)-tailSize {
			break
		}
		if line.start >= tried.start {
			continue
		}
		tried = line
		if t.matchesLine(log[line.start:line.end]) {
			return line, true
		}
	}
	return span{}, false
}

func (t *Regexp) matchesLine(line []byte) bool {
	line = printable.StripSequences(line)
	if t.Except != "" && strings.Contains(strings.ToLower(string(line)), t.Except) {
		return false
	}
	return t.compiled().Match(line)
}

// lineAt returns at most [maxLine] bytes of the line before and after the
// offset.
func lineAt(log []byte, at int) span {
	low := max(0, at-maxLine)
	high := min(len(log), at+maxLine)
	line := span{low, high}
	if i := bytes.LastIndexByte(log[low:at], '\n'); i >= 0 {
		line.start = low + i + 1
	}
	if i := bytes.IndexByte(log[at:high], '\n'); i >= 0 {
		line.end = at + i
	}
	return line
}
