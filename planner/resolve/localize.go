// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"reflect"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/template"
)

// isItem reports whether a definition comes from a marketplace or a URL.
func (d *definition) isItem() bool { return d.scope.workspace == nil }

// module returns the module whose secrets a definition can refer to. For an item,
// this is the module that requires the item.
func (e *expansion) module(d *definition) hclspec.Address {
	switch {
	case d.isItem() && len(e.stack) > 0:
		return e.stack[len(e.stack)-1].module
	case d.isItem() || d.scope.outer != nil: // an item that the role lists, or a definition of the job
		return e.role.module
	}
	return d.Module
}

// localize restricts tags to the secrets of the module and the secrets that the
// caller passed. The decoder cannot check tags with template variables, and it
// does not read items. Parameter given: the template variables that the
// reference sets.
func (e *expansion) localize(i *instance, given map[string]any) *hclspec.Prerequisite {
	d := i.definition
	if i.module == "" || !d.isItem() && len(d.TemplateVariables) == 0 {
		return i.filled
	}
	allowed := map[string]bool{}
	collect := func(text string) string {
		return template.RenameSecrets(text, func(name string) string {
			allowed[name] = true
			return name
		}, hclspec.SecretTag)
	}
	if !d.isItem() {
		e.changed(d, d.Prerequisite, collect)
	}
	for name, text := range i.with {
		if _, isGiven := given[name]; isGiven || !d.isItem() {
			collect(text)
		}
	}
	return e.changed(d, i.filled, func(text string) string {
		return template.RenameSecrets(text, func(name string) string {
			reference := (&hclspec.Secret{Name: name, Module: i.module}).Reference()
			if allowed[name] || !e.grow(len(reference), d.scope.sources.Range(d.Path)) {
				return name
			}
			return reference
		}, hclspec.SecretTag)
	})
}

// changed returns a copy of p with changed strings. The template variables
// remain unchanged.
func (e *expansion) changed(d *definition, p *hclspec.Prerequisite, change func(string) string) *hclspec.Prerequisite {
	// A filler without declared variables returns an unchanged copy.
	f := filler{r: e.reporter, unknown: map[string]bool{}, at: d.scope.sources.Range(d.Path)}
	out := f.prerequisite(p)
	out.TemplateVariables = nil
	rewrite(reflect.ValueOf(out).Elem(), change)
	out.TemplateVariables = p.TemplateVariables
	return out
}
