package cli

import (
	"encoding/json"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes"
	"github.com/openpai/terraform-provider-openpai/internal/local"
	"github.com/openpai/terraform-provider-openpai/internal/render"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// target is the cluster of a job as rendering needs to know it.
func target(ws *hclspec.Workspace, job *resolve.Job) render.Target {
	t := render.ClusterTarget(ws, job.Cluster)
	if !t.Local {
		t.Config = kubernetes.ProtocolText(ws, job)
	}
	return t
}

// render lists what would be sent for a job, and finds what its cluster lacks.
func (p *project) render(job *resolve.Job) ([]planner.Object, hcl.Diagnostics) {
	t := target(p.loaded.Workspace, job)
	m, diags := render.Objects(job, t)
	if t.Local {
		diags = append(diags, local.Warnings(job, t.Sources)...)
		diags = append(diags, local.CheckFiles(job, p.loaded.Dir, t.Sources)...)
	}
	if m == nil {
		return nil, diags
	}
	objects := []planner.Object{object(m.Framework.Kind, m.Framework.Metadata.Name, m.Framework)}
	if c := m.PriorityClass; c != nil {
		objects = append(objects, object(c.Kind, c.Metadata.Name, c))
	}
	for _, c := range m.ConfigMaps {
		objects = append(objects, object(c.Kind, c.Metadata.Name, c))
	}
	for _, s := range m.Secrets {
		objects = append(objects, object(s.Kind, s.Metadata.Name, s))
	}
	return append(objects, accessObjects(m.Access)...), diags
}

// accessObjects lists what init containers reach the API server with.
func accessObjects(a *render.Access) []planner.Object {
	if a == nil {
		return nil
	}
	objects := []planner.Object{object(a.Hosts.Kind, a.Hosts.Metadata.Name, a.Hosts)}
	if a.Account == nil {
		return objects
	}
	return append(objects, object(a.Account.Kind, a.Account.Metadata.Name, a.Account),
		object(a.Role.Kind, a.Role.Metadata.Name, a.Role), object(a.RoleBinding.Kind, a.RoleBinding.Metadata.Name, a.RoleBinding))
}

// object measures an object as it is sent.
func object(kind, name string, content any) planner.Object {
	text, err := json.Marshal(content)
	if err != nil {
		panic("cli: objects of a cluster marshal: " + err.Error())
	}
	return planner.Object{Kind: kind, Name: name, Bytes: len(text)}
}
