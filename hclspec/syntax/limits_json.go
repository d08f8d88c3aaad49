package syntax

import (
	"bytes"
	"encoding/json"
)

// json reads the next symbol of JSON.
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
	}
	s.at++
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
	if bytes.IndexByte(quoted, '{') >= 0 || bytes.Contains(quoted, []byte(`\u`)) {
		var text string
		if json.Unmarshal(quoted, &text) == nil {
			s.jsonTemplate(text)
		}
	}
	s.at = end + 1
}

// jsonTemplate looks at the content of a string.
func (s *limitScan) jsonTemplate(text string) {
	inner := &limitScan{name: s.name, src: []byte(text), symbols: s.symbols, modes: []mode{{kind: inTemplate}}}
	found := inner.run(inner.step)
	s.symbols = inner.symbols
	for _, d := range found {
		start := s.position(s.at)
		d.Subject.Start, d.Subject.End = start, start
		s.found = append(s.found, d)
	}
}
