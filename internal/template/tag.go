// SPDX-License-Identifier: MPL-2.0

package template

import (
	"errors"
	"strings"
)

const (
	opening = "<%"
	closing = "%>"
	escape  = "<%%" // a literal <%
)

// Tag is one <% %> in a string.
type Tag struct {
	Ref Ref
	// Start and End are byte offsets. text[Start:End] is the whole tag. If the tag
	// is not closed, text[Start:End] is only the opening <%.
	Start, End int
	// Err is the reason why the tag has no value. The text completes a sentence
	// that begins with the tag: "is not closed with %>". Err is nil if the
	// reference is well formed but was not found.
	Err error
}

var errUnclosed = errors.New("is not closed with %>")

// Tags returns every tag in order, including malformed tags but not escaped
// tags (<%%).
func Tags(text string) []Tag {
	var tags []Tag
	scan(text, func(string) {}, func(t Tag) { tags = append(tags, t) })
	return tags
}

// scan splits a string into tags and unescaped literal pieces, in linear time.
func scan(text string, literal func(string), tag func(Tag)) {
	for at := 0; at < len(text); {
		i := strings.Index(text[at:], opening)
		if i < 0 {
			literal(text[at:])
			return
		}
		start := at + i
		literal(text[at:start])
		if strings.HasPrefix(text[start:], escape) {
			literal(opening)
			at = start + len(escape)
			continue
		}
		t := tagAt(text, start)
		tag(t)
		at = t.End
	}
}

// tagAt returns the tag that begins at start. A tag is unclosed if a second
// <% precedes the %>.
func tagAt(text string, start int) Tag {
	body := text[start+len(opening):]
	end := strings.Index(body, "%")
	for end >= 0 && !strings.HasPrefix(body[end:], closing) {
		if end > 0 && body[end-1] == '<' {
			end = -1
			break
		}
		next := strings.Index(body[end+1:], "%")
		if next < 0 {
			end = -1
			break
		}
		end += 1 + next
	}
	if end < 0 {
		return Tag{Ref: Ref{Text: firstWords(body)}, Start: start, End: start + len(opening), Err: errUnclosed}
	}
	ref, err := parseRef(body[:end])
	return Tag{Ref: ref, Start: start, End: start + len(opening) + end + len(closing), Err: err}
}

// firstWords returns the first line, at most 40 bytes, for use in a message.
func firstWords(text string) string {
	line, _, _ := strings.Cut(text[:min(len(text), 40)], "\n")
	return strings.TrimSpace(strings.ToValidUTF8(line, ""))
}
