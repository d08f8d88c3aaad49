// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"bytes"
	"encoding/json"
)

// maxPlain is the string length, in bytes, up to which the scan does not count
// pieces. The parser is fast for strings of this length, even if they contain
// only newlines.
const maxPlain = 1 << 10

func (s *limitScan) json() {
	switch c := s.src[s.at]; c {
	case '[', '{':
		s.symbol()
		s.push(mode{kind: inCode, open: c})
	case ']', '}':
		if len(s.modes) > 1 {
			s.pop()
		}
	case '"':
		s.jsonString()
		return
	case ',', ':':
		s.symbol()
	case ' ', '\t', '\r', '\n':
	default:
		s.symbol()
		length := literalLength(s.src[s.at:])
		s.number(length)
		s.at += length
		return
	}
	s.at++
}

// literalLength returns the length of the number, keyword or invalid literal
// at the start of src.
func literalLength(src []byte) int {
	if n := bytes.IndexAny(src, ",:[]{}\" \t\r\n"); n > 0 {
		return n
	}
	return len(src)
}

// jsonString reads a string, which HCL may parse as a template.
func (s *limitScan) jsonString() {
	s.symbol()
	end := s.at + 1
	for end < len(s.src) && s.src[end] != '"' {
		if s.src[end] == '\\' {
			end++
		}
		end++
	}
	quoted := s.src[s.at:min(end+1, len(s.src))]
	if len(quoted) > maxPlain || bytes.IndexByte(quoted, '{') >= 0 || bytes.Contains(quoted, []byte(`\u`)) {
		var text string
		if json.Unmarshal(quoted, &text) == nil {
			s.jsonTemplate(text)
		}
	}
	s.at = end + 1
}

// jsonTemplate applies the limits for templates to a JSON string.
func (s *limitScan) jsonTemplate(text string) {
	// HCL parses such a string again on each access.
	joining := maxJoining / 4 * 3
	inner := &limitScan{name: s.name, src: []byte(text), symbols: s.symbols, joining: joining, modes: []mode{{kind: inTemplate}}}
	found := inner.run(inner.step)
	s.symbols = inner.symbols
	for _, d := range found {
		start := s.position(s.at)
		d.Subject.Start, d.Subject.End = start, start
		s.found = append(s.found, d)
	}
}
