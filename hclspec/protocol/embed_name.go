// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"fmt"
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// collectReferences collects the references in lists that accept
// prerequisites of any type. In these lists, a name must identify a single
// prerequisite.
func (e *embedder) collectReferences(job *hclspec.Job) {
	for _, role := range job.TaskRoles {
		e.collect(role.Prerequisites)
	}
	for _, list := range [][]*hclspec.Prerequisite{job.Prerequisites, job.ReferencePrerequisites, e.options.Workspace.Prerequisites} {
		for _, p := range list {
			e.collect(p.Require)
		}
	}
}

func (e *embedder) collect(refs []hclspec.Reference) {
	for _, r := range refs {
		e.untyped[hclspec.Address(r.Target)] = true
	}
}

// moveAll moves all prerequisites of the workspace into the only job, in order,
// even unused ones. In a workspace with several jobs, it does nothing. In that
// case, embed moves each prerequisite at its first use in the job.
func (e *embedder) moveAll() {
	if len(e.options.Workspace.Jobs) != 1 {
		return
	}
	for _, p := range e.options.Workspace.Prerequisites {
		e.move(p)
	}
}

// targets maps references to prerequisites. A reference is a name, a name with a
// required type, or an address.
type targets map[target]*hclspec.Prerequisite

type target struct{ kind, written string }

// newTargets returns the targets of a module: its own prerequisites by name,
// and the prerequisites of all modules by address. If several prerequisites
// match, the target is the first.
func newTargets(all []*hclspec.Prerequisite, module hclspec.Address) targets {
	found := targets{}
	for _, p := range all {
		spellings := []target{{"", p.Address().String()}}
		if p.Module == module {
			spellings = append(spellings, target{"", p.Name}, target{p.Type, p.Name})
		}
		for _, t := range spellings {
			if found[t] == nil {
				found[t] = p
			}
		}
	}
	return found
}

// find returns the target of a reference. kind is the required type, or ""
// for any type.
func (t targets) find(kind, written string) *hclspec.Prerequisite {
	if p := t[target{kind, written}]; p != nil {
		return p
	}
	return t[target{"", written}]
}

// namer returns the name that a prerequisite has in the job. written is the
// address or name in a reference. namer moves the prerequisite into the job
// if necessary.
type namer func(kind, written string) (string, bool)

// name is the [namer] for references in the job. Declarations in the job hide
// workspace declarations with the same name.
func (e *embedder) name(kind, written string) (string, bool) {
	if p := e.own.find(kind, written); p != nil {
		return p.Name, true
	}
	return e.sharedName(e.job.Module)(kind, written)
}

// sharedName returns the [namer] for references in a module, which cannot
// refer to declarations of the job.
func (e *embedder) sharedName(module hclspec.Address) namer {
	if e.shared[module] == nil {
		e.shared[module] = newTargets(e.options.Workspace.Prerequisites, module)
	}
	return func(kind, written string) (string, bool) {
		if p := e.shared[module].find(kind, written); p != nil {
			return e.move(p), true
		}
		return "", false
	}
}

// move copies a prerequisite into the job, with a unique name that the
// protocol allows.
func (e *embedder) move(p *hclspec.Prerequisite) string {
	if name, ok := e.names[p]; ok {
		return name
	}
	copied := *p
	anywhere := e.untyped[p.Address()]
	copied.Name = e.uniqueName(p.PlainName(), p.Type, anywhere)
	e.names[p] = copied.Name
	e.untyped[copied.Address()] = anywhere
	e.job.Prerequisites = append(e.job.Prerequisites, &copied)
	return copied.Name
}

// uniqueName adds a suffix if the name is already used. Prerequisites of two
// types may share a name, unless a list that accepts any type refers to one
// of them.
func (e *embedder) uniqueName(name, kind string, anywhere bool) string {
	used := func(name string) bool {
		clashes := func(p *hclspec.Prerequisite) bool {
			return p.Name == name && (p.Type == kind || anywhere || e.untyped[p.Address()])
		}
		return slices.ContainsFunc(e.job.Prerequisites, clashes) || slices.ContainsFunc(e.job.ReferencePrerequisites, clashes)
	}
	if !used(name) {
		return name
	}
	candidate := name + "_" + kind
	for i := 2; used(candidate); i++ {
		candidate = fmt.Sprintf("%s_%s_%d", name, kind, i)
	}
	return candidate
}
