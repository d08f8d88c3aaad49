// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"

	"go.yaml.in/yaml/v3"
)

// In some cases, the parser of this package follows YAML 1.1, but OpenPAI's
// parser does not (js-yaml 3.13: lib/js-yaml/loader.js). The parser of this
// package also reads placeholders as mappings. Before parsing, this package
// therefore replaces each affected character with one private-use rune. Positions
// remain correct.
const (
	openBrace  = "\ue0f0" // of a placeholder
	closeBrace = "\ue0f1"
	backslash  = "\ue0f2" // replaces a backslash that escapes a slash or surrogate in double quotes
	// These characters end a line only in YAML 1.1.
	hiddenNextLine           = "\ue0f3"
	hiddenLineSeparator      = "\ue0f4"
	hiddenParagraphSeparator = "\ue0f5"

	nextLine           = "\u0085"
	lineSeparator      = "\u2028"
	paragraphSeparator = "\u2029"
)

var (
	placeholder = regexp.MustCompile(`\{\{[ \t]*[A-Za-z_][A-Za-z0-9_.-]*[ \t]*\}\}`)
	hideBraces  = strings.NewReplacer("{", openBrace, "}", closeBrace)
	hideBreaks  = strings.NewReplacer(nextLine, hiddenNextLine, lineSeparator, hiddenLineSeparator, paragraphSeparator, hiddenParagraphSeparator)
	showRunes   = strings.NewReplacer(openBrace, "{", closeBrace, "}", backslash, `\`,
		hiddenNextLine, nextLine, hiddenLineSeparator, lineSeparator, hiddenParagraphSeparator, paragraphSeparator)

	// escape matches the escapes that the parser does not support: \/ and
	// surrogate pairs. It also matches an escaped backslash, so that the
	// second backslash does not begin a match.
	escape       = regexp.MustCompile(`\\(?:\\|/|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})`)
	hiddenEscape = regexp.MustCompile(backslash + `(?:/|u([0-9a-fA-F]{4})` + backslash + `u([0-9a-fA-F]{4}))`)
	// version matches the %YAML directive of the first document.
	version = regexp.MustCompile(`\A((?:[ \t]*(?:#[^\r\n]*)?\r?\n)*%YAML[ \t]+)(1\.[0-9]+)`)

	hiddenRune = regexp.MustCompile(`[` + openBrace + `-` + hiddenParagraphSeparator + `]|\\u[eE]0[fF][0-5]`)
)

// usesHiddenRunes reports whether a file already contains replacement runes.
// This package does not replace characters in such a file.
func usesHiddenRunes(text []byte) bool { return hiddenRune.Match(text) }

// yaml returns the input for the parser. It replaces the affected characters and sets
// the YAML version to 1.1.
func (s *source) yaml() []byte {
	text := string(s.text)
	if m := version.FindStringSubmatchIndex(text); m != nil {
		text = text[:m[4]] + "1.1" + strings.Repeat(" ", m[5]-m[4]-len("1.1")) + text[m[5]:]
	}
	if !s.hidden {
		return []byte(text)
	}
	text = placeholder.ReplaceAllStringFunc(text, hideBraces.Replace)
	text = escape.ReplaceAllStringFunc(text, func(m string) string {
		if m == `\\` {
			return m
		}
		return strings.ReplaceAll(m, `\`, backslash)
	})
	return []byte(hideBreaks.Replace(text))
}

// value restores the hidden characters of a scalar.
func (s *source) value(n *yaml.Node) string {
	if s.hidden && n.Style&yaml.DoubleQuotedStyle != 0 {
		return s.show(hiddenEscape.ReplaceAllStringFunc(n.Value, unescape))
	}
	return s.show(n.Value)
}

// unescape returns the character of an escape sequence in double quotes.
func unescape(m string) string {
	parts := hiddenEscape.FindStringSubmatch(m)
	if parts[1] == "" {
		return "/"
	}
	high, _ := strconv.ParseUint(parts[1], 16, 16)
	low, _ := strconv.ParseUint(parts[2], 16, 16)
	return string(utf16.DecodeRune(rune(high), rune(low)))
}

// show returns text from the parser as the user wrote it.
func (s *source) show(text string) string {
	if !s.hidden {
		return text
	}
	return showRunes.Replace(text)
}

// startsWithPlaceholder reports whether the scalar begins with an unquoted
// placeholder, which YAML reads as a mapping.
func (s *source) startsWithPlaceholder(n *yaml.Node) bool {
	return s.hidden && n.Kind == yaml.ScalarNode && n.Style == 0 && strings.HasPrefix(n.Value, openBrace)
}
