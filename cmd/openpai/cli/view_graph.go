package cli

import (
	"fmt"

	"github.com/openpai/terraform-provider-openpai/planner/graph"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// node is a node of the graph of jobs.
type node struct{ kind, label string }

var shapes = graph.Shapes{"job": "doubleoctagon", "task_role": "component", "storage": "cylinder"}

func look(n node) graph.Look { return graph.Look{Label: n.label, Kind: n.kind} }

// needs returns the graph of jobs, task roles, prerequisites and storages.
func needs(jobs []*resolve.Job) *graph.Graph[node] {
	g := graph.New[node]()
	for _, job := range jobs {
		j := node{"job", string(job.Address)}
		g.Add(j)
		for _, role := range job.TaskRoles {
			r := node{"task_role", string(job.Address) + "\n" + roleTitle(role)}
			g.Connect(j, r, "")
			roleNeeds(g, r, role)
		}
	}
	return g
}

func roleNeeds(g *graph.Graph[node], r node, role *resolve.TaskRole) {
	for _, step := range role.Steps {
		if len(step.RequiredBy) == 0 {
			g.Connect(r, node{stepKind(step), step.Address}, "")
		}
		for _, by := range step.RequiredBy {
			g.Connect(node{kindOf(role, by), by}, node{stepKind(step), step.Address}, "")
		}
	}
	for _, m := range role.Mounts {
		g.Connect(r, node{"storage", "storage." + m.Storage}, m.Path)
	}
}

func stepKind(s *resolve.Step) string { return or(s.Type, "plugin") }

// kindOf is the kind of the step with an address.
func kindOf(role *resolve.TaskRole, address string) string {
	for _, s := range role.Steps {
		if s.Address == address {
			return stepKind(s)
		}
	}
	return ""
}

func roleTitle(role *resolve.TaskRole) string {
	if role.Instances == 1 {
		return role.Name
	}
	return fmt.Sprintf("%s x %d", role.Name, role.Instances)
}
