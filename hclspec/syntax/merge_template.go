// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"maps"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// Template is a prerequisite that [MergeTemplates] declares once for several jobs.
// The original prerequisites differ in one string. A template variable replaces
// this string.
type Template struct {
	Address  string
	Variable string
	Jobs     []string // labels
}

// MergeTemplates is like [Merge], but also merges prerequisites that have the
// same address and differ in only one string. It returns the merged
// prerequisites. The merge changes addresses and template variables in the
// resolved jobs. Commands, fetches and environment variables remain
// unchanged.
func MergeTemplates(there *hclspec.Workspace, parts []*Part) []Template {
	m := newMerger(there, parts)
	templates := m.templates(parts)
	m.merge(parts)
	return templates
}

// declaration is a prerequisite in a part. index is the position of the
// prerequisite in part.Workspace.Prerequisites.
type declaration struct {
	part  *Part
	index int
}

func (d declaration) prerequisite() *hclspec.Prerequisite {
	return d.part.Workspace.Prerequisites[d.index]
}

func (m *merger) templates(parts []*Part) []Template {
	declared := map[string][]declaration{}
	var addresses []string // in the order of the parts
	for _, p := range parts {
		for i, one := range p.Workspace.Prerequisites {
			address := string(one.Address())
			if declared[address] == nil {
				addresses = append(addresses, address)
			}
			declared[address] = append(declared[address], declaration{p, i})
		}
	}
	var templates []Template
	for _, address := range addresses {
		all := declared[address]
		if m.taken[address] || m.inner[address] || isEqual(all) || !allOf(all, declaration.canBeTemplate) {
			continue
		}
		if t, ok := mergeTemplate(address, all); ok {
			templates = append(templates, t)
		}
	}
	return templates
}

func allOf[T any](list []T, is func(T) bool) bool {
	return !slices.ContainsFunc(list, func(one T) bool { return !is(one) })
}

func (d declaration) text() string { return prerequisiteText(d.prerequisite(), d.part.secretNames()) }

func isEqual(all []declaration) bool {
	first := all[0].text()
	return allOf(all, func(d declaration) bool { return d.text() == first })
}

// canBeTemplate reports whether a template variable can replace a string without
// other effects. A task role must use the prerequisite, because the task role's
// reference sets the variable.
func (d declaration) canBeTemplate() bool {
	p, ws := d.prerequisite(), d.part.Workspace
	isType := slices.Contains([]string{"data", "script", "output"}, p.Type)
	if !isType || len(p.TemplateVariables)+len(p.Require) > 0 || strings.Contains(d.text(), "{{") || d.part.usesOwnSecret(p) || sharesName(ws, p) {
		return false
	}
	isTarget := func(r hclspec.Reference) bool { return r.Target == string(p.Address()) }
	required := slices.ContainsFunc(ws.Prerequisites, func(o *hclspec.Prerequisite) bool { return slices.ContainsFunc(o.Require, isTarget) })
	used := slices.ContainsFunc(ws.Jobs[0].TaskRoles, func(r *hclspec.TaskRole) bool {
		return slices.ContainsFunc(append([]hclspec.Reference{r.Data, r.Script, r.Output}, r.Prerequisites...), isTarget)
	})
	return used && !required
}

// mergeTemplate merges prerequisites that differ in only one string. It returns
// false if it cannot merge the prerequisites.
func mergeTemplate(address string, all []declaration) (Template, bool) {
	at, variable := onlyDifference(all)
	if at < 0 {
		return Template{}, false
	}
	var merged []*hclspec.Prerequisite
	var values []string
	for _, d := range all {
		values = append(values, fieldsOf(d.prerequisite())[at].text)
		merged = append(merged, withVariable(d.prerequisite(), at, variable))
	}
	text := func(i int) string { return prerequisiteText(merged[i], all[i].part.secretNames()) }
	for i, value := range values {
		// An instance address contains the value, so the value must be a single
		// line.
		if text(i) != text(0) || strings.Contains(value, "<%") || strings.ContainsAny(value, "\r\n") {
			return Template{}, false
		}
	}
	t := Template{Address: address, Variable: variable}
	for i, d := range all {
		job := setValue(d.part.Workspace.Jobs[0], address, variable, values[i])
		d.part.Workspace.Prerequisites[d.index] = merged[i]
		d.part.Workspace.Jobs = []*hclspec.Job{job}
		t.Jobs = append(t.Jobs, job.Label)
	}
	return t, true
}

// field is a string in a prerequisite. The string can contain a template variable.
type field struct{ name, text string }

// onlyDifference returns the index and name of the only field that differs
// between the declarations. It returns -1 if several fields differ or the name
// is not valid for a variable.
func onlyDifference(all []declaration) (int, string) {
	first := fieldsOf(all[0].prerequisite())
	at := -1
	for _, d := range all[1:] {
		fields := fieldsOf(d.prerequisite())
		if len(fields) != len(first) {
			return -1, ""
		}
		for i, f := range fields {
			switch {
			case f == first[i] || i == at && f.name == first[i].name:
			case at >= 0 || f.name != first[i].name:
				return -1, ""
			default:
				at = i
			}
		}
	}
	// FrameworkController fills in variables that begin with FC_.
	if at < 0 || !variableName.MatchString(first[at].name) || strings.HasPrefix(first[at].name, "FC_") {
		return -1, ""
	}
	return at, first[at].name
}

func fieldsOf(p *hclspec.Prerequisite) []field {
	var all []field
	changeFields(p, func(f field) string {
		all = append(all, f)
		return f.text
	})
	return all
}

// withVariable returns a copy of p in which the template variable replaces
// the field at index at.
func withVariable(p *hclspec.Prerequisite, at int, variable string) *hclspec.Prerequisite {
	i := -1
	changed := changeFields(p, func(f field) string {
		if i++; i == at {
			return "{{ " + variable + " }}"
		}
		return f.text
	})
	changed.TemplateVariables = []*hclspec.TemplateVariable{{Name: variable}}
	return changed
}

// changeFields returns a copy of p in which change replaces each field, in a
// fixed order.
func changeFields(p *hclspec.Prerequisite, change func(field) string) *hclspec.Prerequisite {
	changed := *p
	texts := func(name string, list []string) []string {
		list = slices.Clone(list)
		for i := range list {
			list[i] = change(field{name, list[i]})
		}
		return list
	}
	changed.URI = texts("uri", p.URI)
	changed.Callbacks = slices.Clone(p.Callbacks)
	for i, c := range p.Callbacks {
		callback := *c
		callback.Commands = texts("command", c.Commands)
		changed.Callbacks[i] = &callback
	}
	changed.Fetch = slices.Clone(p.Fetch)
	for i, f := range p.Fetch {
		fetch := *f
		fetch.URL, fetch.To = change(field{"url", f.URL}), change(field{"to", f.To})
		changed.Fetch[i] = &fetch
	}
	changed.Environment = maps.Clone(p.Environment)
	for _, name := range slices.Sorted(maps.Keys(p.Environment)) {
		changed.Environment[name] = change(field{name, p.Environment[name]})
	}
	changed.Parameters = maps.Clone(p.Parameters)
	for _, name := range slices.Sorted(maps.Keys(p.Parameters)) {
		if text, ok := p.Parameters[name].(string); ok {
			changed.Parameters[name] = change(field{name, text})
		}
	}
	return &changed
}

// setValue returns a copy of a job in which each reference to the address
// sets the variable to the value.
func setValue(job *hclspec.Job, address, variable, value string) *hclspec.Job {
	changed := *job
	changed.TaskRoles = slices.Clone(job.TaskRoles)
	for i, r := range job.TaskRoles {
		role := *r
		role.Prerequisites = slices.Clone(r.Prerequisites)
		references := []*hclspec.Reference{&role.Data, &role.Script, &role.Output}
		for n := range role.Prerequisites {
			references = append(references, &role.Prerequisites[n])
		}
		for _, reference := range references {
			if reference.Target == address {
				with := map[string]any{}
				maps.Copy(with, reference.With)
				with[variable] = value
				reference.With = with
			}
		}
		changed.TaskRoles[i] = &role
	}
	return &changed
}
