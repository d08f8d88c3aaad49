// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"bytes"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// Limits of a source. The parser recurses once per nesting level and per
// operator. It takes quadratic time for heredocs and allocates a few hundred
// bytes per symbol.
const (
	maxSourceBytes  = 5 << 20
	maxNesting      = 500
	maxHeredocLines = 20_000
	maxOperators    = 2_000
	maxSymbols      = 200_000
	// maxJoining is the maximum number of bytes that the parser may copy to join string
	// pieces. The parser splits a string at each line break, $ and %. It then appends
	// the pieces one at a time.
	maxJoining = 4 << 30
	// maxDigits is the maximum length of a number. The exact value of a longer number
	// takes too long to compute.
	maxDigits = 10_000
)

// scanLimits rejects input that would overflow the parser stack or take very
// long to parse. It runs in linear time, does not recurse, and reports at
// most one problem. Do not parse a source with a problem. A source within the
// limits passes even if it is not valid HCL.
func scanLimits(name string, src []byte) hcl.Diagnostics {
	s := &limitScan{name: name, src: src, modes: []mode{{kind: inCode}}}
	if isJSON(name) {
		return s.run(s.json)
	}
	return s.run(s.step)
}

// scanTemplate is like [scanLimits], but for a template, such as a file that
// templatefile reads.
func scanTemplate(name string, src []byte) hcl.Diagnostics {
	s := &limitScan{name: name, src: src, modes: []mode{{kind: inTemplate}}}
	return s.run(s.step)
}

// limitScan reads a source from left to right. It must switch between code and
// text exactly where HCL's scanner does. Otherwise, limitScan would mistake
// code for text and not count the code.
type limitScan struct {
	name string
	src  []byte
	at   int

	// modes is the stack of open modes; the first mode is the file.
	modes []mode
	// operators is the total number of operators in all open modes. The
	// parser recurses for each operator.
	operators int
	symbols   int
	joining   int
	deepest   int
	// endless is true if the rest of the source does not contain */.
	endless bool
	found   hcl.Diagnostics
}

type modeKind int

const (
	inCode     modeKind = iota // code of a file, between brackets, or in an interpolation
	inString                   // in a quoted template
	inTemplate                 // text in a template file
	inHeredoc
)

// mode is one level of nesting.
type mode struct {
	kind modeKind
	// open is the opening bracket, 0 for the file, or '$' for an
	// interpolation.
	open      byte
	operators int
	// marker is the end marker of a heredoc. start is the offset where the
	// heredoc or string begins.
	marker string
	start  int
	lines  int
	// pieces is the number of pieces into which the parser splits the string.
	pieces int
}

// run reads the source until the end or the first diagnostic.
func (s *limitScan) run(step func()) hcl.Diagnostics {
	if len(s.src) > maxSourceBytes {
		s.refuse(SourceTooLarge, 0, "This source has %d bytes, but at most 5 MiB are allowed. Put large text into a separate file and read it with file().", len(s.src))
	}
	if !utf8.Valid(s.src) {
		s.refuse(NotUTF8, firstInvalid(s.src), "This byte is not valid UTF-8. Save the file in UTF-8; read binary files with filebase64().")
	}
	for s.at < len(s.src) && len(s.found) == 0 {
		step()
	}
	return s.found
}

func firstInvalid(src []byte) int {
	for i := 0; i < len(src); {
		r, size := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(src)
}

// step reads one symbol in native HCL syntax.
func (s *limitScan) step() {
	if s.top().kind == inCode {
		s.code()
		return
	}
	s.text()
}

func (s *limitScan) top() *mode { return &s.modes[len(s.modes)-1] }

func (s *limitScan) push(m mode) {
	s.modes = append(s.modes, m)
	s.deepest = max(s.deepest, len(s.modes)-1)
	if len(s.modes)-1 > maxNesting {
		s.refuse(NestingTooDeep, s.at, "This source is nested more than %d levels deep. Keep generated structures in a file and read them with jsondecode(file(\"...\")).", maxNesting)
	}
}

func (s *limitScan) pop() {
	s.separate()
	if m := s.top(); m.pieces > 1 {
		s.joining += m.pieces * (s.at - m.start) / 2
	}
	s.modes = s.modes[:len(s.modes)-1]
}

func (s *limitScan) operator() {
	s.top().operators++
	if s.operators++; s.operators > maxOperators {
		s.refuse(ExpressionTooLong, s.at, "This expression has more than %d operators. Split it with locals.", maxOperators)
	}
}

// piece counts one piece of a string. The parser splits a string at each line
// break, $ and %.
func (s *limitScan) piece() {
	m := s.top()
	m.pieces++
	if s.joining+m.pieces*(s.at-m.start)/2 > maxJoining {
		s.refuse(HeredocTooLong, m.start, "This string has at least %d bytes and %d special characters (line breaks, $ or %%). Put it into a separate file and read it with file(\"...\").", s.at-m.start, m.pieces)
	}
}

// separate ends an expression and subtracts its operators from the count.
func (s *limitScan) separate() {
	s.operators -= s.top().operators
	s.top().operators = 0
}

func (s *limitScan) symbol() {
	if s.symbols++; s.symbols > maxSymbols {
		s.refuse(SourceTooLarge, s.at, "This source has more than %d tokens. Keep large structures in a file and read them with jsondecode(file(\"...\")).", maxSymbols)
	}
}

func (s *limitScan) number(length int) {
	if length > maxDigits {
		s.refuse(SourceTooLarge, s.at, "This number or name has more than %d characters. Put data into a separate file and let the task read it.", maxDigits)
	}
}

func (s *limitScan) refuse(e *hclspec.Entry, at int, format string, args ...any) {
	start := s.position(at)
	end := start
	end.Byte, end.Column = end.Byte+1, end.Column+1
	s.found = append(s.found, e.At(hcl.Range{Filename: s.name, Start: start, End: end}, format, args...))
}

func (s *limitScan) position(at int) hcl.Pos {
	before := s.src[:min(at, len(s.src))]
	line := bytes.Count(before, []byte("\n"))
	column := len(before) - (bytes.LastIndexByte(before, '\n') + 1)
	return hcl.Pos{Line: line + 1, Column: column + 1, Byte: len(before)}
}

func (s *limitScan) next(prefix string) bool { return bytes.HasPrefix(s.src[s.at:], []byte(prefix)) }
