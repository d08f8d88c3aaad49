package view

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode"
)

// clean escapes what could act on a terminal or hide text: control characters,
// and marks that turn the direction of writing. Tabs stay.
func clean(text string) string {
	if strings.IndexFunc(text, unprintable) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if !unprintable(r) {
			b.WriteRune(r)
			continue
		}
		quoted := strconv.QuoteRuneToASCII(r)
		b.WriteString(quoted[1 : len(quoted)-1])
	}
	return b.String()
}

func unprintable(r rune) bool { return r != '\t' && !unicode.IsPrint(r) }

// lines splits a text and cleans each line. A final newline ends the last line.
func lines(text string) []string {
	all := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i := range all {
		all[i] = clean(all[i])
	}
	return all
}

// value shows a canonical value on one line, as JSON.
func value(v any) string { return clean(compact(v)) }

// compact is the JSON of a canonical value, without escapes for HTML.
func compact(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("planner/view: " + err.Error()) // a plan holds canonical values only
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// wrap breaks a sentence into lines of at most width columns; 0 means one
// line. A longer word stays whole.
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
