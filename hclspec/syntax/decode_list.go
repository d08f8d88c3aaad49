// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"fmt"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func (r *reader) stringList(f *hclspec.Field, n *node, path hclspec.Path) ([]string, bool) {
	elements, ok := n.elements()
	if !ok {
		advice := ""
		if _, single := stringOf(n.value, ""); single {
			advice = fmt.Sprintf(" Write %s = [ ... ].", f.Name)
		}
		r.wrongType(f.Name, "a list of strings", n, advice)
		return nil, false
	}
	values := make([]string, 0, len(elements))
	for i, e := range elements {
		r.ws.Sources[path.Index(i)] = e.at
		text, good := stringOf(e.value, e.spelling)
		if !good {
			r.wrongType(fmt.Sprintf("%s[%d]", f.Name, i), "a string", e, "")
			ok = false
		}
		values = append(values, text)
	}
	return values, ok
}

// stringOrList treats a single string as a list with one element.
func (r *reader) stringOrList(f *hclspec.Field, n *node, path hclspec.Path) ([]string, bool) {
	if text, ok := stringOf(n.value, n.spelling); ok {
		r.ws.Sources[path.Index(0)] = n.at
		return []string{text}, true
	}
	if _, ok := n.elements(); !ok {
		r.wrongType(f.Name, "a string or a list of strings", n, "")
		return nil, false
	}
	return r.stringList(f, n, path)
}

func (r *reader) stringMap(f *hclspec.Field, n *node, path hclspec.Path) (map[string]string, bool) {
	parts, ok := n.parts()
	if !ok {
		r.wrongType(f.Name, "an object of strings", n, fmt.Sprintf(" Write %s = { name = \"...\" }.", f.Name))
		return nil, false
	}
	values := make(map[string]string, len(parts))
	for _, p := range parts {
		r.ws.Sources[path.Key(p.key)] = p.value.at
		text, good := stringOf(p.value.value, p.value.spelling)
		if !good {
			r.wrongType(fmt.Sprintf("%s[%q]", f.Name, p.key), "a string", p.value, "")
			ok = false
		}
		values[p.key] = text
	}
	return values, ok
}

func (r *reader) intMap(f *hclspec.Field, n *node, path hclspec.Path) (map[string]int, bool) {
	parts, ok := n.parts()
	if !ok {
		r.wrongType(f.Name, "an object of integers", n, fmt.Sprintf(" Write %s = { name = 1 }.", f.Name))
		return nil, false
	}
	numbers := make(map[string]int, len(parts))
	for _, p := range parts {
		r.ws.Sources[path.Key(p.key)] = p.value.at
		number, good := r.decodeInt(f, fmt.Sprintf("%s[%q]", f.Name, p.key), p.value)
		ok = ok && good
		numbers[p.key] = number
	}
	return numbers, ok
}
