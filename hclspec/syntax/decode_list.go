package syntax

import (
	"fmt"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func (r *reader) texts(f *hclspec.Field, n *node, path hclspec.Path) ([]string, bool) {
	elements, ok := n.elements()
	if !ok {
		advice := ""
		if _, single := textOf(n.value, ""); single {
			advice = fmt.Sprintf(" Write %s = [ ... ].", f.Name)
		}
		r.wrong(f.Name, "a list of texts", n, advice)
		return nil, false
	}
	texts := make([]string, 0, len(elements))
	for i, e := range elements {
		r.ws.Sources[path.Index(i)] = e.at
		text, good := textOf(e.value, e.spelling)
		if !good {
			r.wrong(fmt.Sprintf("%s[%d]", f.Name, i), "a text", e, "")
			ok = false
		}
		texts = append(texts, text)
	}
	return texts, ok
}

// oneOrMore takes a text for a list with one element.
func (r *reader) oneOrMore(f *hclspec.Field, n *node, path hclspec.Path) ([]string, bool) {
	if text, ok := textOf(n.value, n.spelling); ok {
		r.ws.Sources[path.Index(0)] = n.at
		return []string{text}, true
	}
	if _, ok := n.elements(); !ok {
		r.wrong(f.Name, "a text or a list of texts", n, "")
		return nil, false
	}
	return r.texts(f, n, path)
}

func (r *reader) textMap(f *hclspec.Field, n *node, path hclspec.Path) (map[string]string, bool) {
	parts, ok := n.parts()
	if !ok {
		r.wrong(f.Name, "an object of texts", n, fmt.Sprintf(" Write %s = { name = \"...\" }.", f.Name))
		return nil, false
	}
	texts := make(map[string]string, len(parts))
	for _, p := range parts {
		r.ws.Sources[path.Key(p.key)] = p.value.at
		text, good := textOf(p.value.value, p.value.spelling)
		if !good {
			r.wrong(fmt.Sprintf("%s[%q]", f.Name, p.key), "a text", p.value, "")
			ok = false
		}
		texts[p.key] = text
	}
	return texts, ok
}

func (r *reader) wholeMap(f *hclspec.Field, n *node, path hclspec.Path) (map[string]int, bool) {
	parts, ok := n.parts()
	if !ok {
		r.wrong(f.Name, "an object of whole numbers", n, fmt.Sprintf(" Write %s = { name = 1 }.", f.Name))
		return nil, false
	}
	numbers := make(map[string]int, len(parts))
	for _, p := range parts {
		r.ws.Sources[path.Key(p.key)] = p.value.at
		number, good := r.whole(fmt.Sprintf("%s[%q]", f.Name, p.key), p.value)
		ok = ok && good
		numbers[p.key] = number
	}
	return numbers, ok
}
