// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/template"
)

// bind checks the template variables that a reference sets. It returns the values
// of all variables, including defaults. The function text fills in the references
// in a value, in the scope of the declaration that sets the value.
func (r *reporter) bind(d *definition, ref hclspec.Reference, at site, text func(string, hclspec.Path) string) map[string]string {
	declared := map[string]*hclspec.TemplateVariable{}
	values := map[string]string{}
	for _, v := range d.TemplateVariables {
		declared[v.Name] = v
		if v.Default != nil {
			values[v.Name] = *v.Default
		}
	}
	with := at.path.Attr("with")
	misspelled := map[string]bool{} // declared variables that resemble an unknown name in the reference
	for _, name := range slices.Sorted(maps.Keys(ref.With)) {
		at.path = with.Key(name)
		if declared[name] == nil {
			known := slices.Sorted(maps.Keys(declared))
			misspelled[hclspec.Nearest(name, known)] = true
			r.reportAt(UnknownTemplateVariable, at.sourceRange(), "%s sets %q, but %s declares %s.%s",
				upperFirst(at.owner), name, d.address, hclspec.QuoteList(known, "no template variables"), hclspec.Suggest(name, known))
			continue
		}
		if value, ok := r.templateValue(d, declared[name], ref.With[name], at); ok {
			values[name] = text(value, at.path)
		}
	}
	at.path = ref.Path
	r.checkMissing(d, ref, misspelled, at)
	return values
}

// templateValue returns a string, number or bool as a string. It reports
// other values, and values that do not match the pattern.
func (r *reporter) templateValue(d *definition, v *hclspec.TemplateVariable, value any, at site) (string, bool) {
	text, ok := template.Text(value)
	if !ok {
		r.reportAt(InvalidTemplateValue, at.sourceRange(), "%s sets %s for the template variable %q of %s, but the value must be a string, number or bool.",
			upperFirst(at.owner), template.Shape(value), v.Name, d.address)
		return "", false
	}
	if v.Pattern == "" || at.unbound || len(template.Tags(text)) > 0 {
		return text, true
	}
	pattern, err := regexp.Compile(`^(?:` + v.Pattern + `)$`)
	if err != nil {
		r.reportAt(InvalidTemplatePattern, d.scope.sources.Range(v.Path.Attr("pattern")), "The pattern %q of the template variable %q of %s is not a valid regular expression.",
			v.Pattern, v.Name, d.address)
		return text, true
	}
	if !pattern.MatchString(text) {
		r.reportAt(InvalidTemplateValue, at.sourceRange(), "%s sets %q for the template variable %q of %s, but the value must match the pattern %s.",
			upperFirst(at.owner), text, v.Name, d.address, v.Pattern)
	}
	return text, true
}

// checkMissing reports the variables without a value, except those in
// misspelled: bind has already reported the misspelled names.
func (r *reporter) checkMissing(d *definition, ref hclspec.Reference, misspelled map[string]bool, at site) {
	for _, v := range d.TemplateVariables {
		if _, input := ref.With[v.Name]; input || v.Default != nil || misspelled[v.Name] {
			continue
		}
		meaning := ""
		if v.Description != "" {
			meaning = " (" + strconv.Quote(v.Description) + ")"
		}
		r.reportAt(MissingTemplateVariable, at.sourceRange(), "%s refers to %s without a value for its template variable %q%s, which has no default.%s",
			upperFirst(at.owner), d.address, v.Name, meaning, at.requiredThrough())
	}
}

// instanceAddress returns an address such as
// prerequisite.data.mnist{dataPath="/a"}.
func instanceAddress(d *definition, with map[string]string) string {
	if len(with) == 0 {
		return d.address
	}
	pairs := make([]string, 0, len(with))
	for _, name := range slices.Sorted(maps.Keys(with)) {
		pairs = append(pairs, name+"="+strconv.Quote(with[name]))
	}
	return fmt.Sprintf("%s{%s}", d.address, strings.Join(pairs, ","))
}

// filler inserts the values of template variables into copies of parsed values.
type filler struct {
	values   map[string]string
	declared map[string]bool
	// unknown contains the undeclared names found in {{ }}.
	unknown map[string]bool
	longest int // length of the longest value
	r       *reporter
	at      hcl.Range // of the definition
}

// fill fills in the template variables. In a definition without template
// variables, {{ }} is literal text. In other definitions, an undeclared name is
// an error.
func (r *reporter) fill(d *definition, values map[string]string) *hclspec.Prerequisite {
	if len(d.TemplateVariables) == 0 {
		return d.Prerequisite
	}
	f := filler{r: r, values: values, declared: map[string]bool{}, unknown: map[string]bool{}, at: d.scope.sources.Range(d.Path)}
	if !r.grow(instanceBytes, f.at) {
		return d.Prerequisite
	}
	for _, value := range values {
		f.longest = max(f.longest, len(value))
	}
	for _, v := range d.TemplateVariables {
		f.declared[v.Name] = true
	}
	filled := f.prerequisite(d.Prerequisite)
	known := slices.Sorted(maps.Keys(f.declared))
	for _, name := range slices.Sorted(maps.Keys(f.unknown)) {
		r.reportAt(UnknownTemplateVariable, d.scope.sources.Range(d.Path), "%s uses {{ %s }}, but declares %s.%s",
			d.address, name, hclspec.QuoteList(known, "no template variables"), hclspec.Suggest(name, known))
	}
	return filled
}

func (f filler) prerequisite(definition *hclspec.Prerequisite) *hclspec.Prerequisite {
	p := *definition
	p.URI = f.fillAll(p.URI)
	p.Parameters = f.object(p.Parameters)
	p.Environment = f.environment(p.Environment)
	p.Callbacks = mapped(p.Callbacks, func(c hclspec.Callback) hclspec.Callback {
		c.Commands, c.Timeout = f.fillAll(c.Commands), f.timeout(c.Timeout)
		return c
	})
	p.Fetch = mapped(p.Fetch, func(x hclspec.Fetch) hclspec.Fetch {
		x.URL, x.SHA256, x.To, x.Auth = f.fill(x.URL), f.fill(x.SHA256), f.fill(x.To), f.fill(x.Auth)
		return x
	})
	p.RequireStorages = mapped(p.RequireStorages, func(u hclspec.StorageUse) hclspec.StorageUse {
		u.Name, u.MountPath = f.fill(u.Name), f.fill(u.MountPath)
		return u
	})
	p.Require = slices.Clone(p.Require)
	for i := range p.Require {
		p.Require[i].With = f.object(p.Require[i].With)
	}
	if p.Auth != nil {
		p.Auth = &hclspec.Auth{Username: f.fill(p.Auth.Username), Password: f.fill(p.Auth.Password), RegistryURI: f.fill(p.Auth.RegistryURI)}
	}
	return &p
}

// mapped returns the results of change for copies of the elements. It does
// not modify the elements.
func mapped[T any](list []*T, change func(T) T) []*T {
	out := make([]*T, len(list))
	for i, v := range list {
		changed := change(*v)
		out[i] = &changed
	}
	return out
}

func (f filler) fill(s string) string {
	if n := strings.Count(s, "{{"); n == 0 || !f.r.grow(len(s)+n*f.longest, f.at) {
		return s
	}
	filled, _ := template.Fill(s, f.values, func(name string) bool {
		if !f.declared[name] {
			f.unknown[name] = true
		}
		return f.declared[name]
	})
	return filled
}

// timeout fills in the variables of a timeout. It returns "" if a variable
// has no value. A different diagnostic reports the variable.
func (f filler) timeout(s string) string {
	if filled := f.fill(s); !strings.Contains(filled, "{{") {
		return filled
	}
	return ""
}

func (f filler) fillAll(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = f.fill(s)
	}
	return out
}

func (f filler) environment(m map[string]string) map[string]string {
	out := make(map[string]string, len(m))
	for k, v := range m {
		out[k] = f.fill(v)
	}
	return out
}

func (f filler) object(m map[string]any) map[string]any {
	if m == nil {
		return nil
	}
	return f.value(m).(map[string]any)
}

func (f filler) value(v any) any {
	return mapStrings(v, "", func(s string, _ hclspec.Path) string { return f.fill(s) })
}

// mapStrings copies a free-form value and changes its strings, but not its
// numbers or keys. It visits elements in a fixed order.
func mapStrings(v any, path hclspec.Path, change func(string, hclspec.Path) string) any {
	switch v := v.(type) {
	case string:
		return change(v, path)
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = mapStrings(e, path.Index(i), change)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for _, k := range slices.Sorted(maps.Keys(v)) {
			out[k] = mapStrings(v[k], path.Key(k), change)
		}
		return out
	}
	return v
}
