// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"cmp"
	"maps"
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/template"
	"github.com/openpai/terraform-provider-openpai/planner/graph"
)

// Kind is the kind of a node that [Graph] returns.
type Kind string

// The kinds of nodes.
const (
	KindJob          Kind = "job"
	KindTaskRole     Kind = "task_role"
	KindPrerequisite Kind = "prerequisite"
	KindPlugin       Kind = "plugin"
	KindImage        Kind = "image"
	KindStorage      Kind = "storage"
	KindSecret       Kind = "secret"
)

// Node is a node of the graph of resolved jobs.
type Node struct {
	Kind Kind
	// Job is the address of the job that the node belongs to. Job is empty for
	// images, storages and secrets of the workspace, because several jobs can
	// share them.
	Job string
	// Role is set for task roles and for plugins, which belong to a task role.
	Role string
	Name string
}

// Label returns the display name of a node.
func (n Node) Label() string {
	if n.Kind == KindStorage || n.Kind == KindSecret || n.Kind == KindImage {
		return string(n.Kind) + " " + n.Name
	}
	return n.Name
}

// Shapes maps each node kind to its Graphviz shape.
var Shapes = graph.Shapes{
	string(KindJob): "folder", string(KindTaskRole): "component", string(KindPlugin): "component",
	string(KindImage): "box3d", string(KindStorage): "cylinder", string(KindSecret): "note",
}

// Graph returns the graph of resolved jobs. Its nodes are jobs, task roles,
// prerequisite instances, and used images, storages and secrets. Edges lead
// from a node to its dependencies.
func Graph(jobs []*Job) *graph.Graph[Node] {
	g := graph.New[Node]()
	for _, job := range jobs {
		drawing{g, job}.draw()
	}
	return g
}

type drawing struct {
	*graph.Graph[Node]
	job *Job
}

func (d drawing) draw() {
	job := d.node(KindJob, string(d.job.Address))
	d.Add(job)
	for _, role := range d.job.TaskRoles {
		node := Node{KindTaskRole, job.Job, role.Name, role.Name}
		d.Connect(job, node, "")
		d.role(node, role)
	}
}

func (d drawing) node(kind Kind, name string) Node {
	return Node{Kind: kind, Job: string(d.job.Address), Name: name}
}

func (d drawing) role(node Node, role *TaskRole) {
	if role.Image.URI != "" {
		image := Node{Kind: KindImage, Name: role.Image.Pinned()}
		d.Connect(node, image, "runs in")
		d.secrets(image, role.Image.Username, role.Image.Password)
	}
	steps := map[string]Node{}
	for _, s := range role.Steps {
		steps[s.Address] = d.step(node, s)
	}
	for _, m := range role.Mounts {
		for _, by := range m.By {
			user, isStep := steps[by]
			if !isStep {
				user = node
			}
			d.Connect(user, Node{Kind: KindStorage, Name: cmp.Or(m.Address, m.Storage)}, m.Path)
		}
	}
	d.secrets(node, role.Commands...)
	d.secrets(node, slices.Sorted(maps.Values(role.Environment))...)
}

// step adds a step and its required steps. A role has edges only to the steps
// that it lists. Required steps have edges from the steps that require them.
func (d drawing) step(role Node, s *Step) Node {
	node := d.node(KindPrerequisite, s.Address)
	if s.Type == "" {
		node.Kind, node.Role = KindPlugin, role.Role
	}
	if len(s.RequiredBy) == 0 {
		d.Connect(role, node, "uses")
	}
	d.Add(node)
	for _, needed := range s.Requires {
		d.Connect(node, d.node(KindPrerequisite, needed), "requires")
	}
	for _, c := range s.Callbacks {
		d.secrets(node, c.Commands...)
	}
	for _, f := range s.Fetch {
		d.secrets(node, f.URL, f.Auth)
	}
	mapStrings(s.Parameters, "", func(text string, _ hclspec.Path) string {
		d.secrets(node, text)
		return text
	})
	return node
}

func (d drawing) secrets(user Node, values ...string) {
	for _, text := range values {
		for _, tag := range template.Tags(text) {
			if name, ok := tag.Ref.Secret(); ok && name != "" {
				d.Connect(user, d.secret(name), "reads")
			}
		}
	}
}

// secret returns a node of the job if the job declares the secret, otherwise
// a node outside the job.
func (d drawing) secret(name string) Node {
	if d.job.Declared != nil {
		for _, s := range d.job.Declared.Secrets {
			if s.Name == name {
				return d.node(KindSecret, name)
			}
		}
	}
	for _, s := range d.job.Secrets {
		if s.Name == name && s.Declared != nil {
			return Node{Kind: KindSecret, Name: s.Declared.Reference()}
		}
	}
	return Node{Kind: KindSecret, Name: name}
}
