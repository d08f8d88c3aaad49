package exitspec

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// escapes are the control sequences of terminals: colours, titles, movements.
var escapes = regexp.MustCompile(`\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)?|[@-Z\\^_])`)

// maxClean is what is looked at of a very long line, in bytes.
const maxClean = 8 << 10

// markerStart is how the marker lines of a message begin. A log that holds one
// must not end the message.
const markerStart = "[PAI_RUNTIME_ERROR_"

// clean returns one line of a log as a terminal would leave it: without
// control sequences, with only the last state of a progress bar, and with a
// replacement character for what is not text. A marker in it is disarmed.
func clean(line []byte) string {
	line = bytes.TrimRight(line, "\r")
	line = line[bytes.LastIndexByte(line, '\r')+1:]
	line = line[:min(len(line), maxClean)]
	if bytes.IndexByte(line, 0x1b) >= 0 {
		line = escapes.ReplaceAll(line, nil)
	}
	text := strings.Map(printable, strings.ToValidUTF8(string(line), "\uFFFD"))
	return strings.TrimRight(strings.ReplaceAll(text, markerStart, "(PAI_RUNTIME_ERROR_"), " \t")
}

// printable drops control characters and replaces those that YAML does not
// allow in a text, or takes for the end of a line.
func printable(r rune) rune {
	switch {
	case r == '\t':
		return r
	case unicode.IsControl(r):
		return -1
	case r == '\u2028' || r == '\u2029':
		return ' '
	case r == '\uFEFF' || r&0xFFFE == 0xFFFE:
		return utf8.RuneError
	}
	return r
}

// cut shortens a text to at most limit bytes without splitting a character,
// and marks that it did so where there is room for the mark.
func cut(s string, limit int) string {
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
