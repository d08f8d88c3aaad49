// SPDX-License-Identifier: MPL-2.0

package view

import (
	"strconv"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// group is the part of a difference below one path. The path refers to a
// field, a list, or an object that was added or removed as a whole.
type group struct {
	path   hclspec.Path
	symbol string // + - ~
	inline string // ": 1 -> 2", for a field that fits on the line
	lines  []diffLine
	effect hclspec.Effect
}

// diffLine is one line of a difference. The symbol is +, - or a space.
type diffLine struct{ symbol, text string }

// notKnown replaces a value if only its hash was recorded.
const notKnown = "(earlier value not recorded)"

// grouped combines the changes that are shown under the same path.
func grouped(changes []planner.FieldChange) []group {
	replaced := replacedObjects(changes)
	var groups []group
	at := map[hclspec.Path]int{} // maps a list or object to its index in groups
	for _, c := range changes {
		if object, symbol := within(c.Path, replaced); object != "" {
			if _, shown := at[object]; !shown {
				at[object] = len(groups)
				groups = append(groups, group{path: object, symbol: symbol, effect: hclspec.EffectReplace})
			}
			continue
		}
		list, element := listOf(c.Path)
		if !element {
			groups = append(groups, field(c))
			continue
		}
		i, shown := at[list]
		if !shown {
			i = len(groups)
			at[list] = i
			groups = append(groups, group{path: list, symbol: "~", effect: c.Effect})
		}
		groups[i].lines = append(groups[i].lines, difference(c)...)
	}
	return groups
}

// field returns an inline group unless the field has a multi-line value.
func field(c planner.FieldChange) group {
	g := group{path: c.Path, symbol: symbolOf(c), effect: c.Effect}
	if multiline(c.Before) || multiline(c.After) {
		g.lines = difference(c)
		return g
	}
	switch {
	case !c.BeforeKnown:
		g.inline = ": " + notKnown + " -> " + shown(c.After, c.AfterKnown)
	case g.symbol == "+":
		g.inline = ": " + shown(c.After, c.AfterKnown)
	case g.symbol == "-":
		g.inline = ": " + value(c.Before)
	default:
		g.inline = ": " + value(c.Before) + " -> " + shown(c.After, c.AfterKnown)
	}
	return g
}

func shown(v any, known bool) string {
	switch {
	case !known:
		return "(known after apply)"
	case v == nil:
		return "(none)"
	}
	return value(v)
}

func symbolOf(c planner.FieldChange) string {
	switch {
	case c.BeforeKnown && c.Before == nil:
		return "+"
	case c.AfterKnown && c.After == nil:
		return "-"
	}
	return "~"
}

// difference returns a unified diff for multi-line strings. For other values,
// it returns all lines of both values.
func difference(c planner.FieldChange) []diffLine {
	before, isText := c.Before.(string)
	after, isTextToo := c.After.(string)
	if isText && isTextToo && (multiline(before) || multiline(after)) {
		return unified(before, after)
	}
	var all []diffLine
	switch {
	case !c.BeforeKnown:
		all = append(all, diffLine{"-", notKnown})
	case c.Before != nil:
		all = side(all, "-", c.Before)
	}
	switch {
	case !c.AfterKnown:
		all = append(all, diffLine{"+", shown(nil, false)})
	case c.After != nil:
		all = side(all, "+", c.After)
	}
	return all
}

func side(all []diffLine, symbol string, v any) []diffLine {
	text, ok := v.(string)
	if !ok {
		return append(all, diffLine{symbol, value(v)})
	}
	for _, l := range lines(text) {
		all = append(all, diffLine{symbol, l})
	}
	return all
}

// unified returns the unified diff without file names.
func unified(before, after string) []diffLine {
	var all []diffLine
	for i, l := range strings.Split(udiff.Unified("", "", ended(before), ended(after)), "\n") {
		switch {
		case i < 2 || l == "": // file names
		case l[0] == '@':
			all = append(all, diffLine{" ", l})
		default:
			all = append(all, diffLine{l[:1], clean(l[1:])})
		}
	}
	return all
}

// ended adds a missing final newline, so that plans do not show a missing
// newline as a difference.
func ended(text string) string { return strings.TrimSuffix(text, "\n") + "\n" }

func multiline(v any) bool {
	text, ok := v.(string)
	return ok && strings.Contains(strings.TrimSuffix(text, "\n"), "\n")
}

// replacedObjects maps added or removed task roles and prerequisites to their
// symbols. An object was added or removed if its required field (image.uri or
// plugin) was added or removed.
func replacedObjects(changes []planner.FieldChange) map[hclspec.Path]string {
	replaced := map[hclspec.Path]string{}
	for _, c := range changes {
		object := strings.TrimSuffix(strings.TrimSuffix(string(c.Path), ".image.uri"), ".plugin")
		if object == string(c.Path) || !strings.HasSuffix(object, `"]`) {
			continue
		}
		if s := symbolOf(c); s != "~" {
			replaced[hclspec.Path(object)] = s
		}
	}
	return replaced
}

// within returns the outermost added or removed object that contains a path.
func within(p hclspec.Path, replaced map[hclspec.Path]string) (object hclspec.Path, symbol string) {
	for i := range len(p) {
		if p[i] != '.' {
			continue
		}
		if s, ok := replaced[p[:i]]; ok {
			return p[:i], s
		}
	}
	return "", ""
}

// listOf returns the path of the list that contains the element p. If p is
// not the path of a list element, ok is false.
func listOf(p hclspec.Path) (list hclspec.Path, ok bool) {
	open := strings.LastIndexByte(string(p), '[')
	if open < 0 || p[len(p)-1] != ']' {
		return "", false
	}
	_, err := strconv.Atoi(string(p[open+1 : len(p)-1]))
	return p[:open], err == nil
}
