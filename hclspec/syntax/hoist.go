// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// Hoist returns the HCL form of the job in a protocol file. The new workspace
// declares the prerequisites and secrets outside the job. The job refers to
// prerequisites by address. Hoist does not change the given job.
//
// If prerequisites of different types share a name, Hoist does not change
// ambiguous references to the name.
func Hoist(job *hclspec.Job) *hclspec.Workspace {
	h := &hoister{addresses: map[string][]*hclspec.Prerequisite{}}
	for _, p := range job.Prerequisites {
		h.addresses[p.Name] = append(h.addresses[p.Name], p)
	}
	moved := *job
	moved.Syntax = hclspec.SyntaxHCL
	moved.Prerequisites, moved.Secrets = nil, nil
	moved.TaskRoles = nil
	for _, r := range job.TaskRoles {
		moved.TaskRoles = append(moved.TaskRoles, h.taskRole(r))
	}
	ws := &hclspec.Workspace{Jobs: []*hclspec.Job{&moved}, Sources: hclspec.SourceMap{}}
	ws.Secrets = slices.Clone(job.Secrets)
	for _, p := range job.Prerequisites {
		own := *p
		own.Require = h.references(p.Require)
		ws.Prerequisites = append(ws.Prerequisites, &own)
	}
	return ws
}

// hoister holds the prerequisites of a job, keyed by name.
type hoister struct {
	addresses map[string][]*hclspec.Prerequisite
}

func (h *hoister) taskRole(r *hclspec.TaskRole) *hclspec.TaskRole {
	moved := *r
	moved.Image = h.reference(r.Image, "dockerimage")
	moved.Data = h.reference(r.Data, "data")
	moved.Output = h.reference(r.Output, "output")
	moved.Script = h.reference(r.Script, "script")
	moved.Prerequisites = h.references(r.Prerequisites)
	return &moved
}

func (h *hoister) references(refs []hclspec.Reference) []hclspec.Reference {
	moved := slices.Clone(refs)
	for i := range moved {
		moved[i] = h.reference(moved[i], "")
	}
	return moved
}

// reference replaces an unambiguous prerequisite name with the address. kind
// is the required type, or "" for any type.
func (h *hoister) reference(r hclspec.Reference, kind string) hclspec.Reference {
	var found []*hclspec.Prerequisite
	for _, p := range h.addresses[r.Target] {
		if kind == "" || p.Type == kind {
			found = append(found, p)
		}
	}
	if len(found) == 1 {
		r.Target = found[0].Address().String()
	}
	return r
}
