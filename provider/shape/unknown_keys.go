package shape

import (
	"sort"
	"strconv"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// Misspelled lists the keys of a tree that the object does not have, each with
// the nearest one it has. What else the object may hold at the top is in also.
func (o *Object) Misspelled(tree map[string]any, also ...string) []string {
	known := append([]string{}, also...)
	for name := range o.typ.AttributeTypes {
		known = append(known, name)
	}
	sort.Strings(known)
	var wrong []string
	for _, key := range sortedNames(tree) {
		a := o.byName[key]
		switch {
		case a != nil && a.Object != nil:
			wrong = append(wrong, a.misspelled(tree[key])...)
		case a == nil && !contains(known, key):
			wrong = append(wrong, strconv.Quote(key)+" is no attribute."+hclspec.Suggest(key, known))
		}
	}
	return wrong
}

func (a *Attribute) misspelled(value any) []string {
	var wrong []string
	switch v := value.(type) {
	case []any:
		for _, e := range v {
			if object, ok := e.(map[string]any); ok {
				wrong = append(wrong, a.Object.Misspelled(object)...)
			}
		}
	case map[string]any:
		if a.Form == Single {
			return a.Object.Misspelled(v)
		}
		for _, key := range sortedNames(v) {
			if object, ok := v[key].(map[string]any); ok {
				wrong = append(wrong, a.Object.Misspelled(object)...)
			}
		}
	}
	return wrong
}

func sortedNames(tree map[string]any) []string {
	names := make([]string, 0, len(tree))
	for name := range tree {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func contains(list []string, s string) bool {
	i := sort.SearchStrings(list, s)
	return i < len(list) && list[i] == s
}
