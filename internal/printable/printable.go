// SPDX-License-Identifier: MPL-2.0

package printable

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// Escape converts invisible characters to Go escapes. Examples are control
// characters and characters that change the text direction. It also replaces
// invalid UTF-8. It keeps tabs.
func Escape(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if strings.IndexFunc(text, isInvisible) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if !isInvisible(r) {
			b.WriteRune(r)
			continue
		}
		quoted := strconv.QuoteRuneToASCII(r)
		b.WriteString(quoted[1 : len(quoted)-1])
	}
	return b.String()
}

func isInvisible(r rune) bool { return r != '\t' && !unicode.IsPrint(r) }

// sequences matches the control sequences of terminals, such as colors, titles and
// cursor movements.
var sequences = regexp.MustCompile(`\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)?|[@-Z\\^_])`)

// StripSequences returns a line without the control sequences of terminals.
func StripSequences(line []byte) []byte {
	if bytes.IndexByte(line, 0x1b) < 0 {
		return line
	}
	return sequences.ReplaceAll(line, nil)
}

// Line returns one line of output, formatted as a terminal would show it. For a
// progress bar, it returns the last state. It omits control sequences and control
// characters. It keeps tabs.
func Line(line string) string {
	line = strings.TrimRight(line, "\r")
	line = line[strings.LastIndexByte(line, '\r')+1:]
	if strings.IndexByte(line, 0x1b) >= 0 {
		line = sequences.ReplaceAllString(line, "")
	}
	return strings.Map(func(r rune) rune {
		if r != '\t' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, line)
}
