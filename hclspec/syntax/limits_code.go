// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"bytes"
	"regexp"
	"strings"
)

// code reads one token outside a string.
func (s *limitScan) code() {
	c := s.src[s.at]
	switch {
	case c == '\n':
		if s.top().open == 0 || s.top().open == '{' {
			s.separate()
		}
		s.at++
	case c == ' ' || c == '\t' || c == '\r':
		s.at++
	case isName(c):
		s.symbol()
		end := s.at
		for end < len(s.src) && isName(s.src[end]) {
			end++
		}
		s.number(end - s.at)
		s.at = end
	case c == '"':
		s.symbol()
		s.push(mode{kind: inString, start: s.at})
		s.at++
	case s.brackets(c) || s.comment() || s.heredoc():
	case c == ',':
		s.symbol()
		s.separate()
		s.at++
	default:
		s.symbol()
		s.operator()
		s.at++
	}
}

// isName reports whether a byte may belong to a name or number.
func isName(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// brackets processes an opening or closing bracket. A closing brace also
// closes open brackets inside the braces. Other closing brackets close only
// opening brackets of the same kind.
func (s *limitScan) brackets(c byte) bool {
	switch c {
	case '(', '[', '{':
		s.symbol()
		if c != '{' {
			s.operator() // a[b][c] recurses without nested brackets
		}
		s.push(mode{kind: inCode, open: c})
	case ')', ']':
		if s.top().open == opening[c] {
			s.pop()
		}
	case '}':
		s.closeBrace()
	default:
		return false
	}
	s.at++
	return true
}

var opening = map[byte]byte{')': '(', ']': '['}

func (s *limitScan) closeBrace() {
	for i := len(s.modes) - 1; i > 0 && s.modes[i].kind == inCode; i-- {
		if open := s.modes[i].open; open == '{' || open == '$' {
			for len(s.modes) > i {
				s.pop()
			}
			return
		}
	}
}

// comment skips a comment, except an unterminated block comment.
func (s *limitScan) comment() bool {
	end := "\n"
	switch {
	case s.next("/*") && !s.endless:
		end = "*/"
	case !s.next("#") && !s.next("//"):
		return false
	}
	i := bytes.Index(s.src[min(s.at+2, len(s.src)):], []byte(end))
	switch {
	case end == "\n":
		if i = bytes.IndexByte(s.src[s.at:], '\n'); i < 0 {
			i = len(s.src) - s.at
		}
		s.at += i
	case i < 0:
		s.endless = true
		return false
	default:
		s.at += 2 + i + 2
	}
	return true
}

// heredocStart matches the start of a heredoc. The marker may contain all
// letters that Unicode allows in identifiers.
var heredocStart = regexp.MustCompile(`^<<-?([\pL\p{Nl}_][\pL\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}-]*)\r?\n`)

// heredoc enters a heredoc.
func (s *limitScan) heredoc() bool {
	if !s.next("<<") {
		return false
	}
	m := heredocStart.FindSubmatch(s.src[s.at:])
	if m == nil {
		return false
	}
	s.symbol()
	s.push(mode{kind: inHeredoc, marker: string(m[1]), start: s.at})
	s.at += len(m[0])
	s.heredocLine()
	return true
}

// heredocLine ends the heredoc at its end marker, and counts any other line.
func (s *limitScan) heredocLine() {
	m := s.top()
	line := s.src[s.at:]
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	if strings.TrimSpace(string(line)) == m.marker {
		s.at += len(bytes.TrimSuffix(line, []byte("\r")))
		s.pop()
		return
	}
	s.piece()
	if m.lines++; m.lines > maxHeredocLines {
		s.refuse(HeredocTooLong, m.start, "This heredoc has more than %d lines. Put the text into a separate file and read it with file(\"...\").", maxHeredocLines)
	}
}

// text reads one byte, escape or interpolation start in a string.
func (s *limitScan) text() {
	kind, c := s.top().kind, s.src[s.at]
	switch {
	case s.next("$${") || s.next("%%{"):
		s.piece()
		s.at += 3
	case s.next("${") || s.next("%{"):
		s.symbol()
		s.piece()
		if c == '%' {
			s.operator() // the parser recurses from %{ if } to its %{ endif }
		}
		s.push(mode{kind: inCode, open: '$'})
		s.at += 2
	case kind == inString && c == '\\':
		s.at += 2
	case kind == inString && c == '"':
		s.pop()
		s.at++
	case kind == inHeredoc && c == '\n':
		s.at++
		s.heredocLine()
	case kind == inTemplate && c == '\n':
		s.piece()
		s.at++
	case c == '$' || c == '%':
		s.piece()
		s.piece() // the parser splits the string before and after the character
		s.at++
	default:
		s.at++
	}
}
