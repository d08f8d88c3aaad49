// SPDX-License-Identifier: MPL-2.0

package view

import (
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/plainjson"
	"github.com/openpai/terraform-provider-openpai/internal/printable"
)

// clean escapes the characters that can control a terminal or hide text.
func clean(text string) string { return printable.Escape(text) }

// lines returns cleaned lines. A trailing newline does not add an empty line.
func lines(text string) []string {
	all := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i := range all {
		all[i] = clean(all[i])
	}
	return all
}

// value returns a canonical value on one line, as JSON.
func value(v any) string { return clean(compact(v)) }

// compact returns a canonical value as JSON, without HTML escapes.
func compact(v any) string {
	return string(plainjson.MustMarshal(v))
}

// wrap breaks a sentence into lines of at most width columns. Long words can
// exceed the width. If width is 0, wrap returns a single line.
func wrap(text string, width int) []string {
	var all []string
	line := ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case width > 0 && len([]rune(line))+1+len([]rune(word)) > width:
			all = append(all, line)
			line = word
		default:
			line += " " + word
		}
	}
	return append(all, line)
}
