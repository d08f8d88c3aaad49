// SPDX-License-Identifier: MPL-2.0

package template

import (
	"errors"
	"regexp"
	"slices"
	"strings"
)

// Lookup returns the value of a reference. A value is a scalar ([Text]), a [Raw],
// or a list of such values. A list is printed with commas between its elements.
// Render and Partial report an error for null and for a value that contains a
// map.
type Lookup func(ref Ref) (value any, ok bool)

// Raw is a value that is itself a template, such as a result of [Partial].
// References in a Raw remain references.
type Raw string

// Render removes escapes and replaces every tag that has a printable value. Render
// does not render tags inside values. Tags without a printable value remain
// unchanged in the text, and Render also returns them.
func Render(text string, lookup Lookup) (string, []Tag) {
	if !strings.Contains(text, opening) {
		return text, nil
	}
	var b strings.Builder
	var open []Tag
	scan(text, func(s string) { b.WriteString(s) }, func(t Tag) {
		value, err := find(t, lookup, b.Len())
		if err == nil {
			s, _ := Text(value)
			b.WriteString(s)
			return
		}
		b.WriteString(text[t.Start:t.End])
		open = append(open, unresolved(t, err))
	})
	return b.String(), open
}

// Partial replaces the same tags as Render and returns another template. A tag for
// which isOpen returns true remains a tag, in the form <% ref %>. Every other <%
// in the result is escaped as <%%, including each <% in values and in returned
// tags. Partial is idempotent.
func Partial(text string, lookup Lookup, isOpen func(Ref) bool) (string, []Tag) {
	if !strings.Contains(text, "<") {
		return text, nil
	}
	var out composer
	var open []Tag
	scan(text, out.literal, func(t Tag) {
		if t.Err == nil && isOpen(t.Ref) {
			out.tag(t.Ref)
			return
		}
		value, err := find(t, lookup, out.size())
		switch v := value.(type) {
		case Raw:
			out.raw(string(v), isOpen)
		default:
			if err != nil {
				out.literal(text[t.Start:t.End])
				open = append(open, unresolved(t, err))
				return
			}
			s, _ := Text(v)
			out.literal(s)
		}
	})
	return out.text(), open
}

var errNotFound = errors.New("not found")

// maxText is the maximum size, in bytes, of a rendered string. Without the
// limit, repeated references to a long value could exhaust memory. A longer
// script would not run in a container.
const maxText = 4 << 20

// ErrTooLong is the error for a tag whose value would make the rendered string
// too long.
var ErrTooLong = errors.New("would make the string longer than 4 MiB")

// find returns an error if the tag has no printable value. before is the
// length of the preceding text in bytes.
func find(t Tag, lookup Lookup, before int) (any, error) {
	if t.Err != nil {
		return nil, t.Err
	}
	if before > maxText {
		return nil, ErrTooLong
	}
	value, ok := lookup(t.Ref)
	if !ok {
		return nil, errNotFound
	}
	shown, ok := printed(value)
	if !ok {
		return nil, errors.New("is " + Shape(value) + "; only strings, numbers, bools and lists of them can be inserted")
	}
	text, _ := Text(shown)
	if before+len(text) > maxText {
		return nil, ErrTooLong
	}
	return shown, nil
}

func unresolved(t Tag, err error) Tag {
	if !errors.Is(err, errNotFound) {
		t.Err = err
	}
	return t
}

// composer builds a template from literal text and references. It joins adjacent
// literal pieces before it escapes them. Otherwise, a < and a % from different
// pieces could form a tag.
type composer struct {
	out     strings.Builder
	pending strings.Builder
}

func (c *composer) literal(s string) { c.pending.WriteString(s) }

func (c *composer) size() int { return c.out.Len() + c.pending.Len() }

func (c *composer) tag(ref Ref) {
	c.flush()
	c.out.WriteString("<% " + ref.Text + " %>")
}

func (c *composer) raw(s string, isOpen func(Ref) bool) {
	scan(s, c.literal, func(t Tag) {
		if t.Err != nil || !isOpen(t.Ref) {
			c.literal(s[t.Start:t.End])
			return
		}
		c.tag(t.Ref)
	})
}

func (c *composer) flush() {
	c.out.WriteString(Escape(c.pending.String()))
	c.pending.Reset()
}

func (c *composer) text() string {
	c.flush()
	return c.out.String()
}

// Escape returns a template that renders to exactly the given text.
func Escape(text string) string { return strings.ReplaceAll(text, opening, escape) }

var placeholder = regexp.MustCompile(`\{\{[ \t]*([A-Za-z_][A-Za-z0-9_-]*)[ \t]*\}\}`)

// frameworkPrefix is the prefix of the names that FrameworkController fills in.
const frameworkPrefix = "FC_"

// Fill replaces every placeholder {{ name }} with a declared name and a value in
// vars. It does not fill placeholders inside values. It returns the declared names
// that have no value, without duplicates and in order of appearance. Placeholders
// for these names, for undeclared names and for names with the prefix FC_ remain in
// the text.
func Fill(text string, vars map[string]string, declared func(name string) bool) (string, []string) {
	if !strings.Contains(text, "{{") {
		return text, nil
	}
	var missing []string
	filled := placeholder.ReplaceAllStringFunc(text, func(match string) string {
		name := strings.Trim(match, "{} \t")
		if strings.HasPrefix(name, frameworkPrefix) || !declared(name) {
			return match
		}
		value, ok := vars[name]
		if !ok {
			if !slices.Contains(missing, name) {
				missing = append(missing, name)
			}
			return match
		}
		return value
	})
	return filled, missing
}
