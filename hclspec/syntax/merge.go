// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// Part holds a job that [Hoist] returned, to be written to a directory with
// other declarations. Part also contains values for the [WriteOptions] of
// that job.
type Part struct {
	Workspace *hclspec.Workspace
	// SecretsAtTop lists the secrets at the top level of this file. Other files may
	// refer to these secrets.
	SecretsAtTop []string
	// SecretsElsewhere lists the job's secrets that a different file
	// declares.
	SecretsElsewhere []string
	// Variables selects how to write a parameter whose variable is in a
	// different file. The key is the name of the parameter.
	Variables map[string]VariableUse
	// Elsewhere is the set of addresses that other files declare.
	Elsewhere map[string]bool
}

// VariableUse selects how to write a parameter that could be a variable.
type VariableUse int

// The ways to write a parameter.
const (
	DeclareVariable VariableUse = iota // this file declares the variable
	ReferToVariable                    // a different file declares the variable with the same value
	WriteValue                         // a different file declares the variable with a different value
)

// Merge prepares jobs for declaration in one directory, next to the existing
// declarations. If several parts have an identical prerequisite, image, storage,
// marketplace, secret or parameter, Merge keeps only the first declaration, and
// later jobs refer to this declaration. If different images have the same name,
// Merge renames them. Merge leaves other prerequisites with the same name but
// different content in their jobs, because tasks depend on the names. It also
// leaves other secrets, and prerequisites that refer to them, in their jobs.
// Merge changes the parts in place. It replaces each changed job with a modified
// copy, and does not modify the original job.
//
// If a part contains a secret, the top level of the directory must not
// declare a secret with the same name.
func Merge(there *hclspec.Workspace, parts []*Part) {
	newMerger(there, parts).merge(parts)
}

// newMerger records the declarations of the directory and moves the secrets; see the
// secrets method.
func newMerger(there *hclspec.Workspace, parts []*Part) *merger {
	m := &merger{
		images: map[string]string{}, taken: map[string]bool{}, texts: map[string]map[string]bool{}, fixed: map[string]string{},
		inner: map[string]bool{}, written: map[string]bool{}, variables: map[string]any{},
	}
	m.declared(there)
	m.secrets(parts)
	return m
}

func (m *merger) merge(parts []*Part) {
	for _, p := range parts {
		m.collect(p)
	}
	for _, p := range parts {
		m.part(p)
	}
}

// merger records the declarations in the directory and in the earlier parts.
type merger struct {
	images map[string]string          // addresses of images, keyed by the HCL of the image without the name
	taken  map[string]bool            // addresses in use, including addresses of storages and marketplaces
	texts  map[string]map[string]bool // HCL of the declarations in the parts, by address
	fixed  map[string]string          // HCL of the declarations in the directory, by address
	inner  map[string]bool            // addresses of declarations inside the directory's jobs
	// written holds the addresses that an earlier part declares at the top
	// level.
	written   map[string]bool
	variables map[string]any // nil if the value is unknown
}

func (m *merger) declared(there *hclspec.Workspace) {
	var names []string
	for _, s := range there.Secrets {
		names = append(names, s.Name)
	}
	for _, v := range there.Variables {
		m.variables[v.Name] = nil
	}
	for _, s := range there.Storages {
		m.taken[string(s.Address())] = true
	}
	for _, x := range there.Marketplaces {
		m.taken["marketplace."+x.Name] = true
	}
	for _, p := range there.Prerequisites {
		address := string(p.Address())
		m.taken[address], m.fixed[address] = true, prerequisiteText(p, names)
		if isPlainImage(p) {
			m.images[imageText(p, names)] = address
		}
	}
	for _, job := range there.Jobs {
		for _, p := range job.Prerequisites {
			m.inner[string(p.Address())] = true
		}
		for _, s := range job.Secrets {
			m.inner[secretAddress(s)] = true
		}
	}
}

func secretAddress(s *hclspec.Secret) string {
	return string(hclspec.NewAddress("secret", s.Name))
}

// secrets moves secrets into their jobs, except for [Part.SecretsAtTop] and shared
// secrets. A secret is shared if several parts contain it with identical values. The
// first of these parts keeps the shared secret at the top level.
func (m *merger) secrets(parts []*Part) {
	all := map[string][]*hclspec.Secret{}
	for _, p := range parts {
		for _, s := range p.Workspace.Secrets {
			all[secretAddress(s)] = append(all[secretAddress(s)], s)
		}
	}
	for _, p := range parts {
		ws := p.Workspace
		if len(ws.Secrets) == 0 {
			continue
		}
		job := *ws.Jobs[0]
		var top []*hclspec.Secret
		for _, s := range ws.Secrets {
			switch address := secretAddress(s); {
			case slices.Contains(p.SecretsAtTop, s.Name):
				top = append(top, s)
			case m.inner[address] || !isShared(all[address]):
				job.Secrets = append(job.Secrets, s)
			case all[address][0] == s:
				top = append(top, s)
			default:
				p.SecretsElsewhere = append(p.SecretsElsewhere, s.Name)
			}
		}
		ws.Jobs, ws.Secrets = []*hclspec.Job{&job}, top
	}
}

// isShared reports whether there are several secrets and all of them have the
// same value.
func isShared(secrets []*hclspec.Secret) bool {
	first := secrets[0].Value
	return len(secrets) > 1 && first != nil && !slices.ContainsFunc(secrets, func(s *hclspec.Secret) bool { return !first.Equal(s.Value) })
}

// secretNames returns the names of all secrets, including secrets that a
// different file declares.
func (p *Part) secretNames() []string {
	names := slices.Clone(p.SecretsElsewhere)
	for _, s := range slices.Concat(p.Workspace.Secrets, p.Workspace.Jobs[0].Secrets) {
		names = append(names, s.Name)
	}
	return names
}

// usesOwnSecret reports whether a prerequisite refers to a secret inside the
// job. Declarations outside the job cannot use that secret.
func (p *Part) usesOwnSecret(one *hclspec.Prerequisite) bool {
	var own []string
	for _, s := range p.Workspace.Jobs[0].Secrets {
		own = append(own, s.Name)
	}
	return len(own) > 0 && prerequisiteText(one, own) != prerequisiteText(one, nil)
}

// collect records the HCL of each prerequisite by address.
func (m *merger) collect(p *Part) {
	for _, one := range p.Workspace.Prerequisites {
		address := string(one.Address())
		if m.texts[address] == nil {
			m.texts[address] = map[string]bool{}
		}
		m.texts[address][prerequisiteText(one, p.secretNames())] = true
	}
}

func (m *merger) part(p *Part) {
	ws := p.Workspace
	ws.Marketplaces = keepNew(m, ws.Marketplaces, func(x *hclspec.Marketplace) string { return "marketplace." + x.Name })
	if len(ws.Jobs) == 0 {
		return // a protocol block
	}
	job := *ws.Jobs[0]
	ws.Jobs = []*hclspec.Job{&job}
	inside := m.inside(p)
	renamed := map[string]string{}
	var top []*hclspec.Prerequisite
	for _, one := range ws.Prerequisites {
		address := string(one.Address())
		switch {
		case inside[address]:
			job.Prerequisites = append(job.Prerequisites, one)
		case isPlainImage(one) && !sharesName(ws, one):
			if image := m.image(one, p, renamed); image != nil {
				top = append(top, image)
			}
		case m.fixed[address] == "" && !m.written[address]:
			m.written[address], m.taken[address] = true, true
			top = append(top, one)
		}
	}
	ws.Prerequisites = top
	redirect(&job, top, renamed)
	ws.Storages = keepNew(m, ws.Storages, func(s *hclspec.Storage) string { return string(s.Address()) })
	p.Variables, p.Elsewhere = m.parameters(&job), m.taken
}

// inside returns the addresses of the prerequisites that Merge leaves in the job. A
// prerequisite remains in the job if it differs from a declaration with the same
// address. It also remains if a job in the directory declares the address, because a
// top-level declaration would change that address. It also remains if it uses a
// secret of the job or requires a prerequisite that remains.
func (m *merger) inside(p *Part) map[string]bool {
	all := map[string]bool{}
	for _, one := range p.Workspace.Prerequisites {
		address := string(one.Address())
		other := m.fixed[address] != "" && m.fixed[address] != prerequisiteText(one, p.secretNames())
		differs := other || m.fixed[address] == "" && (m.inner[address] || len(m.texts[address]) > 1)
		if differs && (!isPlainImage(one) || sharesName(p.Workspace, one)) || p.usesOwnSecret(one) {
			all[address] = true
		}
	}
	for changed := true; changed; {
		changed = false
		for _, one := range p.Workspace.Prerequisites {
			needs := func(r hclspec.Reference) bool { return all[r.Target] }
			if address := string(one.Address()); !all[address] && slices.ContainsFunc(one.Require, needs) {
				all[address], changed = true, true
			}
		}
	}
	return all
}

// image returns a copy with a unique name, or nil if the image is already
// declared.
func (m *merger) image(one *hclspec.Prerequisite, p *Part, renamed map[string]string) *hclspec.Prerequisite {
	address, text := string(one.Address()), imageText(one, p.secretNames())
	if there, known := m.images[text]; known {
		renamed[address] = there
		return nil
	}
	copied := *one
	copied.Name = unique(one.Name, func(name string) bool {
		address := string(hclspec.NewAddress("prerequisite", "dockerimage", name))
		return m.taken[address] || m.inner[address]
	})
	given := string(copied.Address())
	m.taken[given], m.images[text], renamed[address] = true, given, given
	return &copied
}

// isPlainImage reports whether p is an image without other settings. A new
// name for a plain image does not change the tasks.
func isPlainImage(p *hclspec.Prerequisite) bool {
	return p.Type == "dockerimage" && len(p.Callbacks)+len(p.Fetch)+len(p.Environment)+len(p.Require)+len(p.TemplateVariables)+len(p.Parameters) == 0
}

// sharesName reports whether a prerequisite of a different type has the name.
// A reference in a list may contain only the name.
func sharesName(ws *hclspec.Workspace, p *hclspec.Prerequisite) bool {
	return slices.ContainsFunc(ws.Prerequisites, func(o *hclspec.Prerequisite) bool { return o.Name == p.Name && o.Type != p.Type })
}

// redirect replaces the old addresses of renamed images.
func redirect(job *hclspec.Job, top []*hclspec.Prerequisite, renamed map[string]string) {
	follow := func(refs []hclspec.Reference) []hclspec.Reference {
		moved := slices.Clone(refs)
		for i := range moved {
			if to, ok := renamed[moved[i].Target]; ok {
				moved[i].Target = to
			}
		}
		return moved
	}
	job.TaskRoles = slices.Clone(job.TaskRoles)
	for i, r := range job.TaskRoles {
		role := *r
		role.Image = follow([]hclspec.Reference{r.Image})[0]
		role.Prerequisites = follow(r.Prerequisites)
		job.TaskRoles[i] = &role
	}
	for _, list := range [][]*hclspec.Prerequisite{top, job.Prerequisites} {
		for i, p := range list {
			moved := *p
			moved.Require = follow(p.Require)
			list[i] = &moved
		}
	}
}

func keepNew[T any](m *merger, list []T, address func(T) string) []T {
	var kept []T
	for _, one := range list {
		if a := address(one); !m.taken[a] {
			m.taken[a] = true
			kept = append(kept, one)
		}
	}
	return kept
}

func (m *merger) parameters(job *hclspec.Job) map[string]VariableUse {
	uses := map[string]VariableUse{}
	for _, name := range slices.Sorted(maps.Keys(job.Parameters)) {
		value := job.Parameters[name]
		if !variableName.MatchString(name) || !isScalar(value) {
			continue
		}
		before, taken := m.variables[name]
		switch {
		case !taken:
			m.variables[name] = value
		case before == value:
			uses[name] = ReferToVariable
		default:
			uses[name] = WriteValue
		}
	}
	return uses
}

// prerequisiteText returns the HCL of a prerequisite, which identifies its
// content.
func prerequisiteText(p *hclspec.Prerequisite, secrets []string) string {
	return string(Write(&hclspec.Workspace{Prerequisites: []*hclspec.Prerequisite{p}}, WriteOptions{SecretsElsewhere: secrets}))
}

func imageText(p *hclspec.Prerequisite, secrets []string) string {
	unnamed := *p
	unnamed.Name = "image"
	return prerequisiteText(&unnamed, secrets)
}

// unique adds a numeric suffix to a name that is already taken.
func unique(name string, taken func(string) bool) string {
	name = strings.TrimSpace(name)
	candidate := name
	for n := 2; taken(candidate); n++ {
		candidate = fmt.Sprintf("%s_%d", name, n)
	}
	return candidate
}
