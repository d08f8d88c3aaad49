// SPDX-License-Identifier: MPL-2.0

package redact

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/openpai/terraform-provider-openpai/internal/plainjson"
)

// minLine is the minimum length in bytes of a line that is masked separately. Tools
// print multi-line keys line by line.
const minLine = 16

// forms returns the forms in which a log can contain the value, possibly with
// duplicates.
func forms(value string) []string {
	all := spelled(value)
	if trimmed := strings.TrimRight(value, "\r\n"); trimmed != value && Maskable(trimmed) {
		all = append(all, spelled(trimmed)...)
	}
	if strings.Contains(value, "\n") {
		for line := range strings.Lines(value) {
			line = strings.TrimRight(line, "\r\n")
			if len(line) >= minLine && !strings.HasPrefix(line, "-----") {
				all = append(all, line)
			}
		}
	}
	return all
}

// spelled returns the value and its encoded forms. Programs often quote text twice:
// a JSON log line can contain a JSON request or a shell command.
func spelled(value string) []string {
	quoted := append(jsonForms(value), shellForms(value)...)
	all := append([]string{value}, quoted...)
	for _, q := range quoted {
		all = append(all, jsonForms(q)...)
	}
	all = append(all, hexForms(value)...)
	all = append(all, urlForms(value)...)
	return append(all, base64Forms(value)...)
}

func jsonForms(value string) []string {
	unquoted := string(plainjson.MustMarshal(value))
	unquoted = unquoted[1 : len(unquoted)-1]
	html, _ := json.Marshal(value)
	return []string{
		unquoted,
		string(html[1 : len(html)-1]),
		asciiOnly(unquoted),
		strings.ReplaceAll(unquoted, "/", `\/`),
	}
}

// asciiOnly escapes non-ASCII characters like Python's json module.
func asciiOnly(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r < utf8.RuneSelf:
			b.WriteRune(r)
		case r > 0xffff:
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+(r>>10), 0xdc00+(r&0x3ff))
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

func shellForms(value string) []string {
	return []string{
		strings.ReplaceAll(value, `'`, `'\''`),
		strings.ReplaceAll(value, `'`, `'"'"'`),
		strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `\$`, "`", "\\`").Replace(value),
		backslashed(value),
		ansiC(value),
	}
}

// backslashed quotes the value like printf %q of bash.
func backslashed(value string) string {
	var b strings.Builder
	for i, r := range []byte(value) {
		if strings.IndexByte(" \t!\"$&'()*,;<>?[\\]^`{|}", r) >= 0 || i == 0 && (r == '~' || r == '#') {
			b.WriteByte('\\')
		}
		b.WriteByte(r)
	}
	return b.String()
}

// ansiC returns the value as the content of a $'...' string.
func ansiC(value string) string {
	var b strings.Builder
	for _, c := range []byte(value) {
		switch {
		case c == '\\' || c == '\'':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c >= 7 && c <= 13:
			b.WriteByte('\\')
			b.WriteByte("abtnvfr"[c-7])
		case c == 27:
			b.WriteString(`\E`)
		case c < ' ' || c == 127:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// hexForms returns the hex encoding in lower case, in upper case, and as lines
// of `xxd -p`.
func hexForms(value string) []string {
	lower := hex.EncodeToString([]byte(value))
	return append([]string{lower, strings.ToUpper(lower)}, wrapped(lower, 60)...)
}

// base64Forms encodes the value in each of the three alignments and in both
// alphabets. It omits characters that depend on the surrounding bytes. It also
// returns the lines of a wrapped encoding.
func base64Forms(value string) []string {
	var all []string
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for offset := range 3 {
			text := enc.EncodeToString(append(make([]byte, offset), value...))
			from, to := (8*offset+5)/6, 8*(offset+len(value))/6
			all = append(all, text[from:to])
			if offset == 0 {
				all = append(all, wrapped(text, 64)...)
				all = append(all, wrapped(text, 76)...)
			}
		}
	}
	return all
}

// wrapped splits the text into lines like base64 tools. It omits a last line
// with fewer than minLine bytes. For a text that fits on one line, wrapped
// returns nil.
func wrapped(text string, width int) []string {
	var lines []string
	for len(text) > width {
		lines, text = append(lines, text[:width]), text[width:]
	}
	if lines != nil && len(text) >= minLine {
		lines = append(lines, text)
	}
	return lines
}
