// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"reflect"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/internal/template"
)

// values contains the rendered fields of an instance that references can
// read.
type values struct {
	parameters map[string]any
	uri        []string
}

// ownField returns a field of the instance: a parameter or a field of every
// prerequisite. The prefix "parameters." is optional.
func (i *instance) ownField(path []any) (any, bool) {
	v := i.values
	if v == nil {
		v = &values{i.filled.Parameters, i.filled.URI}
	}
	value, ok := i.lookupField(v, path)
	return asTemplates(value), ok
}

// asTemplates converts rendered strings to templates, so that references to
// secrets remain references.
func asTemplates(value any) any {
	var list []any
	switch v := value.(type) {
	case string:
		return template.Raw(v)
	case []string:
		for _, text := range v {
			list = append(list, template.Raw(text))
		}
		return list
	case []any:
		for _, element := range v {
			list = append(list, asTemplates(element))
		}
		return list
	}
	return value
}

func (i *instance) lookupField(v *values, path []any) (any, bool) {
	if len(path) == 0 {
		return v.parameters, true
	}
	if path[0] == "parameters" {
		return template.Find(v.parameters, path[1:])
	}
	if value, ok := template.Find(v.parameters, path); ok {
		return value, true
	}
	if path[0] == "uri" && len(v.uri) > 0 {
		if len(path) == 1 && len(v.uri) == 1 {
			return v.uri[0], true
		}
		return template.Find(v.uri, path[1:])
	}
	if len(path) > 1 {
		return nil, false // the value has no elements
	}
	return i.metadata(path[0])
}

// metadata returns a field that every prerequisite has, such as its name.
func (i *instance) metadata(name any) (any, bool) {
	p := i.filled
	text := ""
	switch name {
	case "name":
		return p.PlainName(), true
	case "type":
		return p.Type, true
	case "version":
		text = p.Version
	case "contributor":
		text = p.Contributor
	case "description":
		text = p.Description
	case "title":
		text = p.Title
	case "summary":
		text = p.Summary
	case "author":
		text = p.Author
	}
	return text, text != ""
}

// rendered returns the lookup function for an instance whose fields are
// already rendered. Fields of the instance take precedence over fields of
// instances that it requires, directly required instances first.
func (e *expansion) rendered(i *instance) thisLookup {
	return func(path []any, at hcl.Range) (any, bool) {
		if value, ok := i.ownField(path); ok {
			return value, true
		}
		return e.inherited(i, path, at)
	}
}

// unrendered is like [expansion.rendered], but renders the fields of the
// instance on access. In these fields, the lookup does not resolve references
// that begin with "this".
func (e *expansion) unrendered(i *instance) thisLookup {
	return func(path []any, at hcl.Range) (any, bool) {
		value, ok := i.ownField(path)
		if !ok {
			return e.inherited(i, path, at)
		}
		return e.role.fillTemplates(value, at), true
	}
}

// fillTemplates renders the templates in a value; at is the position for
// diagnostics.
func (s *roleScope) fillTemplates(value any, at hcl.Range) any {
	switch v := value.(type) {
	case template.Raw:
		partial, _ := template.Partial(string(v), s.lookup(nil).at(at), s.keepSecret)
		return template.Raw(partial)
	case []any:
		list := make([]any, len(v))
		for i, element := range v {
			list[i] = s.fillTemplates(element, at)
		}
		return list
	}
	return value
}

// inherited searches the required instances breadth-first; at is the position
// of the reference.
func (e *expansion) inherited(i *instance, path []any, at hcl.Range) (any, bool) {
	seen := map[*instance]bool{i: true}
	for level := i.requires; len(level) > 0; level = nextLevel(level, seen) {
		var owner *instance
		var found any
		for _, candidate := range level {
			value, ok := candidate.ownField(path)
			switch {
			case !ok:
			case owner == nil:
				owner, found = candidate, value
			case !reflect.DeepEqual(found, value):
				e.reportAt(AmbiguousInheritance, at, "%s inherits %s, but %s and %s have different values. Set the field on %s itself.",
					i.address, thisText(path), owner.address, candidate.address, i.definition.address)
				return found, true
			}
		}
		if owner != nil {
			return found, true
		}
	}
	return nil, false
}

func nextLevel(level []*instance, seen map[*instance]bool) []*instance {
	var next []*instance
	for _, i := range level {
		seen[i] = true
	}
	for _, i := range level {
		for _, needed := range i.requires {
			if !seen[needed] {
				seen[needed] = true
				next = append(next, needed)
			}
		}
	}
	return next
}

func thisText(path []any) string {
	text := "this"
	for _, step := range path {
		s, _ := template.Text(step)
		text += "." + s
	}
	return text
}

// renderFields renders the fields that references can read. The required
// instances must already be rendered.
func (e *expansion) renderFields(i *instance, silent bool) {
	t := e.renderer(e.role.lookup(e.unrendered(i)), i.definition.scope.sources, i.address)
	t.silent = silent
	path := i.definition.Path
	rendered := &values{parameters: t.object(i.filled.Parameters, path.Attr("parameters"))}
	rendered.uri = t.renderAll(i.filled.URI, path.Attr("uri"))
	i.values = rendered
}
