package protocol

import (
	"fmt"
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// noteReferences notes what is named in lists that do not say a type: there a
// name must be that of one prerequisite only.
func (e *embedder) noteReferences(job *hclspec.Job) {
	for _, role := range job.TaskRoles {
		e.noteAll(role.Prerequisites)
	}
	for _, list := range [][]*hclspec.Prerequisite{job.Prerequisites, job.ReferencePrerequisites, e.options.Workspace.Prerequisites} {
		for _, p := range list {
			e.noteAll(p.Require)
		}
	}
}

func (e *embedder) noteAll(refs []hclspec.Reference) {
	for _, r := range refs {
		e.anywhere[hclspec.Address(r.Target)] = true
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

// name returns the name within the job of what an address or a name means,
// and moves it into the job when it is not there yet.
func (e *embedder) name(target string) (string, bool) {
	for _, list := range [][]*hclspec.Prerequisite{e.job.Prerequisites, e.job.ReferencePrerequisites} {
		for _, p := range list {
			if (p.Name == target || p.Address().String() == target) && e.names[p.Address()] == "" {
				return p.Name, true
			}
		}
	}
	if name, ok := e.names[hclspec.Address(target)]; ok {
		return name, true
	}
	for _, p := range e.options.Workspace.Prerequisites {
		if p.Name == target || p.Address().String() == target {
			return e.move(p), true
		}
	}
	return "", false
}

// move copies a prerequisite of the workspace into the job, under a name that
// the protocol allows and nothing else has.
func (e *embedder) move(p *hclspec.Prerequisite) string {
	if name, ok := e.names[p.Address()]; ok {
		return name
	}
	copied := *p
	anywhere := e.anywhere[p.Address()]
	copied.Name = e.free(p.PlainName(), p.Type, anywhere)
	e.names[p.Address()] = copied.Name
	e.names[copied.Address()] = copied.Name
	e.anywhere[copied.Address()] = anywhere
	e.job.Prerequisites = append(e.job.Prerequisites, &copied)
	return copied.Name
}

// free returns the name, or one made of it that does not clash. A name may be
// that of two types, unless a list that does not say the type names one.
func (e *embedder) free(name, kind string, anywhere bool) string {
	taken := func(name string) bool {
		return slices.ContainsFunc(slices.Concat(e.job.Prerequisites, e.job.ReferencePrerequisites), func(p *hclspec.Prerequisite) bool {
			return p.Name == name && (p.Type == kind || anywhere || e.anywhere[p.Address()])
		})
	}
	if !taken(name) {
		return name
	}
	candidate := name + "_" + kind
	for i := 2; taken(candidate); i++ {
		candidate = fmt.Sprintf("%s_%s_%d", name, kind, i)
	}
	return candidate
}
