// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"encoding/json"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/planner/render"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Renderer renders the objects for a job. The manifest is nil if the
// diagnostics contain errors.
type Renderer func(*resolve.Job, render.Target) (*render.Manifest, hcl.Diagnostics)

// Object is one object that apply sends.
type Object struct {
	Kind, Name string
	Bytes      int
}

// For an in-place change, render reports only errors, because the plan that
// created the job already reported the warnings.
func (p *planning) render(c *Change) {
	target, ok := p.o.RenderTargets[c.Job.Cluster]
	if !ok || c.Action == NoOp {
		return
	}
	renderer := p.o.Renderer
	if renderer == nil {
		renderer = render.Objects
	}
	manifest, diags := renderer(c.Job, target)
	c.Manifest = manifest
	if c.Action != Update && !p.o.WithoutObjects {
		c.Objects = objects(manifest)
	}
	for _, d := range diags {
		if c.Action != Update || d.Severity == hcl.DiagError {
			p.find(d)
		}
	}
}

// objects returns the objects of a job. It omits volumes and claims, which
// belong to the workspace.
func objects(m *render.Manifest) []Object {
	if m == nil {
		return nil
	}
	all := []Object{object(m.Framework.Kind, m.Framework.Metadata.Name, m.Framework)}
	if c := m.PriorityClass; c != nil {
		all = append(all, object(c.Kind, c.Metadata.Name, c))
	}
	for _, c := range m.ConfigMaps {
		all = append(all, object(c.Kind, c.Metadata.Name, c))
	}
	for _, s := range m.Secrets {
		all = append(all, object(s.Kind, s.Metadata.Name, s))
	}
	return append(all, accessObjects(m.Access)...)
}

// accessObjects returns the objects that grant access to the API server.
func accessObjects(a *render.Access) []Object {
	if a == nil {
		return nil
	}
	all := []Object{object(a.Hosts.Kind, a.Hosts.Metadata.Name, a.Hosts)}
	if a.Account == nil {
		return all
	}
	return append(all, object(a.Account.Kind, a.Account.Metadata.Name, a.Account),
		object(a.Role.Kind, a.Role.Metadata.Name, a.Role), object(a.RoleBinding.Kind, a.RoleBinding.Metadata.Name, a.RoleBinding))
}

// object returns an Object. Bytes is the size of the JSON that apply sends.
func object(kind, name string, content any) Object {
	text, err := json.Marshal(content)
	if err != nil {
		panic("planner: marshal cluster objects: " + err.Error())
	}
	return Object{Kind: kind, Name: name, Bytes: len(text)}
}
