// SPDX-License-Identifier: MPL-2.0

package document

import (
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Graph is the dependency graph of resolved jobs.
type Graph struct {
	Head
	Nodes []Node `json:"nodes"`
	Edges []Edge `json:"edges" doc:"Edges from each node to the nodes that it requires"`
	Foot
}

// Node is a job, a task role, or a dependency of a job or task role.
type Node struct {
	ID       int          `json:"id"`
	Kind     resolve.Kind `json:"kind"`
	Job      string       `json:"job,omitempty" doc:"Address of the job that the node belongs to; absent for shared nodes"`
	TaskRole string       `json:"task_role,omitempty"`
	Name     string       `json:"name"`
}

// Edge connects two nodes.
type Edge struct {
	From  int    `json:"from" doc:"id of the node that requires the other node"`
	To    int    `json:"to" doc:"id of the required node"`
	Label string `json:"label,omitempty"`
}

// NewGraph returns the document for the dependency graph of the jobs.
func NewGraph(jobs []*resolve.Job) *Graph {
	g := resolve.Graph(jobs)
	out := &Graph{Head: head(), Nodes: []Node{}, Edges: []Edge{}, Foot: foot()}
	number := map[resolve.Node]int{}
	for i, n := range g.Nodes() {
		number[n] = i
		out.Nodes = append(out.Nodes, Node{i, n.Kind, n.Job, n.Role, n.Name})
	}
	for _, e := range g.Edges() {
		out.Edges = append(out.Edges, Edge{number[e.From], number[e.To], e.Label})
	}
	return out
}
