package protocol

import (
	"fmt"
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// collectReferences notes what is named in lists that do not say a type: there a
// name must be that of one prerequisite only.
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

// moveAll moves every prerequisite of the workspace into its only job, used or
// not and in their order: the job is all that the workspace is about. Of a
// workspace with several jobs only what is used is moved, when it is met.
func (e *embedder) moveAll() {
	if len(e.options.Workspace.Jobs) != 1 {
		return
	}
	for _, p := range e.options.Workspace.Prerequisites {
		e.move(p)
	}
}

// targets finds prerequisites by what refers to them: a name, a name where
// only one type may stand, or an address.
type targets map[target]*hclspec.Prerequisite

type target struct{ kind, written string }

// newTargets keeps the first of those that are referred to in the same way from a
// module: names are those of the module, addresses of any.
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

// find returns what is meant where the kind is demanded; "" is any.
func (t targets) find(kind, written string) *hclspec.Prerequisite {
	if p := t[target{kind, written}]; p != nil {
		return p
	}
	return t[target{"", written}]
}

// namer returns the name within the job of what an address or a name means,
// and moves that into the job when it is not there yet.
type namer func(kind, written string) (string, bool)

// name is the [namer] of references of the job. What the job declares hides
// what the workspace does.
func (e *embedder) name(kind, written string) (string, bool) {
	if p := e.own.find(kind, written); p != nil {
		return p.Name, true
	}
	return e.sharedName(e.job.Module)(kind, written)
}

// sharedName is the [namer] of references of a module of the workspace, which
// know nothing of the job.
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

// move copies a prerequisite of the workspace into the job, under a name that
// the protocol allows and nothing else has.
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

// uniqueName returns the name, or one made of it that does not clash. A name may be
// that of two types, unless a list that does not say the type names one.
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
