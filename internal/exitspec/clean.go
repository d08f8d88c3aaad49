// SPDX-License-Identifier: MPL-2.0

package exitspec

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/openpai/terraform-provider-openpai/internal/printable"
)

// maxSanitized is the size in bytes to which sanitize truncates a long line.
const maxSanitized = 8 << 10

// markerStart is the prefix of the two marker lines around a message. A marker
// in a quoted log line must not end the message.
const markerStart = "[PAI_RUNTIME_ERROR_"

// sanitize returns a log line as a terminal would show it. It keeps only the
// last state of a progress bar, removes control sequences and replaces invalid
// UTF-8. It also replaces the "[" of each markerStart, because the line must
// not end a message.
func sanitize(line []byte) string {
	line = bytes.TrimRight(line, "\r")
	line = line[bytes.LastIndexByte(line, '\r')+1:]
	line = line[:min(len(line), maxSanitized)]
	text := strings.Map(yamlRune, printable.Line(strings.ToValidUTF8(string(line), "\uFFFD")))
	return strings.TrimRight(strings.ReplaceAll(text, markerStart, "(PAI_RUNTIME_ERROR_"), " \t")
}

// yamlRune replaces characters that YAML rejects in a string or treats as a line
// end.
func yamlRune(r rune) rune {
	switch {
	case r == '\u2028' || r == '\u2029':
		return ' '
	case r == '\uFEFF' || r&0xFFFE == 0xFFFE:
		return utf8.RuneError
	}
	return r
}

// truncate keeps at most limit bytes and does not split a character. It
// appends " ..." unless the limit is too small.
func truncate(s string, limit int) string {
	const mark = " ..."
	if len(s) <= limit {
		return s
	}
	suffix := ""
	if limit > 2*len(mark) {
		suffix = mark
	}
	end := max(0, limit-len(suffix))
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + suffix
}
