// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"bytes"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"go.yaml.in/yaml/v3"
)

// Limits for a file. The parser needs about 200 bytes per value. This package
// therefore limits the number of characters that can start a value.
const (
	maxBytes    = 5 << 20
	maxStarters = 400_000
	maxDepth    = 200
	maxValues   = 250_000
	// bytesPerValue is the number of string bytes that count as one value. Long
	// strings count as several values, because aliases can repeat them.
	bytesPerValue = 64
)

// source is the text of a file with an index of positions.
type source struct {
	name  string
	text  []byte // the input, without a byte order mark
	base  int    // length of the byte order mark
	lines []int  // offset of the first byte of each line in text
	// hidden is set if some characters are hidden from the parser.
	hidden bool
	// cursor is the position of the last lookup. The next call to nearest
	// starts there: lookups proceed from left to right, and lines can be very
	// long.
	cursor struct{ line, column, offset int }
	// mappings caches the mappings by node.
	mappings map[*yaml.Node]*mapping
}

func newSource(name string, src []byte) *source {
	s := &source{name: name, mappings: map[*yaml.Node]*mapping{}, text: bytes.TrimPrefix(src, []byte("\ufeff"))}
	s.base = len(src) - len(s.text)
	s.hidden = !usesHiddenRunes(s.text)
	s.lines = lineStarts(s.text, s.hidden)
	return s
}

// lineStarts returns the offset of each line. Like the parser, it splits the
// text at YAML 1.1 line breaks, except hidden line breaks.
func lineStarts(text []byte, hidden bool) []int {
	starts := []int{0}
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\n':
		case text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n':
			continue
		case text[i] == '\r':
		case hidden:
			continue
		case bytes.HasPrefix(text[i:], []byte(nextLine)):
			i++
		case bytes.HasPrefix(text[i:], []byte(lineSeparator)), bytes.HasPrefix(text[i:], []byte(paragraphSeparator)):
			i += 2
		default:
			continue
		}
		starts = append(starts, i+1)
	}
	return starts
}

// at returns the exact range of a scalar on one line. The range of any other
// node ends at the end of its first line.
func (s *source) at(n *yaml.Node) hcl.Range {
	if n == nil || n.Line == 0 {
		return s.start()
	}
	line := min(n.Line, len(s.lines)) // an absent value may be after the end of the file
	from := min(s.offset(line, n.Column), len(s.text))
	to := s.lineEnd(line)
	if n.Kind == yaml.ScalarNode {
		to = min(to, s.scalarEnd(from, to, n))
	}
	return s.span(line, from, max(from, to))
}

// lineRange returns the range of a line without its indentation.
func (s *source) lineRange(number int) hcl.Range {
	number = min(max(number, 1), len(s.lines))
	from, to := s.lines[number-1], s.lineEnd(number)
	for from < to && (s.text[from] == ' ' || s.text[from] == '\t') {
		from++
	}
	return s.span(number, from, to)
}

// start returns the position for diagnostics about the whole file.
func (s *source) start() hcl.Range {
	p := hcl.Pos{Line: 1, Column: 1, Byte: s.base}
	return hcl.Range{Filename: s.name, Start: p, End: p}
}

func (s *source) span(line, from, to int) hcl.Range {
	return hcl.Range{Filename: s.name, Start: s.pos(line, from), End: s.pos(line, to)}
}

func (s *source) pos(line, offset int) hcl.Pos {
	column, at := s.nearest(line, func(_, known int) bool { return known <= offset })
	column += utf8.RuneCount(s.text[at:offset])
	s.cursor.line, s.cursor.column, s.cursor.offset = line, column, offset
	return hcl.Pos{Line: line, Column: column, Byte: offset + s.base}
}

// offset returns the byte offset of a position. Columns count runes and start
// at 1.
func (s *source) offset(line, column int) int {
	at, i := s.nearest(line, func(known, _ int) bool { return known <= column })
	for ; at < column && i < len(s.text); at++ {
		_, size := utf8.DecodeRune(s.text[i:])
		i += size
	}
	s.cursor.line, s.cursor.column, s.cursor.offset = line, at, i
	return i
}

// nearest returns the cursor if it is on the line and serves accepts it.
// Otherwise, nearest returns the start of the line.
func (s *source) nearest(line int, serves func(column, offset int) bool) (column, offset int) {
	if s.cursor.line == line && serves(s.cursor.column, s.cursor.offset) {
		return s.cursor.column, s.cursor.offset
	}
	return 1, s.lines[line-1]
}

// lineEnd returns the offset after the last visible byte of a line.
func (s *source) lineEnd(line int) int {
	end := len(s.text)
	if line < len(s.lines) {
		end = s.lines[line]
	}
	start := s.lines[line-1]
	return start + len(bytes.TrimRight(s.text[start:end], " \t\r\n"))
}

// scalarEnd returns the end offset of the scalar at offset from, but at most
// limit.
func (s *source) scalarEnd(from, limit int, n *yaml.Node) int {
	from = s.afterProperties(from, limit, n)
	if from >= limit {
		return limit
	}
	written := s.text[from:limit]
	switch quote := written[0]; {
	case bytes.HasPrefix(written, []byte(s.value(n))) && n.Value != "":
		return from + len(s.value(n))
	case quote == '"' || quote == '\'':
		return from + quotedEnd(written)
	case n.Value == "":
		return from
	}
	return limit
}

// afterProperties returns the offset after the tag and the anchor of a
// scalar.
func (s *source) afterProperties(from, limit int, n *yaml.Node) int {
	for from < limit && (n.Anchor != "" || n.Style&yaml.TaggedStyle != 0) && (s.text[from] == '!' || s.text[from] == '&') {
		for from < limit && s.text[from] != ' ' {
			from++
		}
		for from < limit && s.text[from] == ' ' {
			from++
		}
	}
	return from
}

// quotedEnd returns the length of the first line of a quoted scalar.
func quotedEnd(written []byte) int {
	quote := written[0]
	for i := 1; i < len(written); i++ {
		switch {
		case quote == '"' && written[i] == '\\':
			i++
		case quote == '\'' && bytes.HasPrefix(written[i:], []byte("''")):
			i++
		case written[i] == quote:
			return i + 1
		}
	}
	return len(written)
}
