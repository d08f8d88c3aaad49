// SPDX-License-Identifier: MPL-2.0

package view

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner/graph"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// DOT returns the graph of resolved jobs in the Graphviz language.
func DOT(jobs []*resolve.Job) string {
	styles := nodeStylesOf(jobs)
	return resolve.Graph(jobs).DOT(styles.plain, resolve.Shapes)
}

// Mermaid returns the graph of resolved jobs as a Mermaid flowchart.
func Mermaid(jobs []*resolve.Job) string {
	styles := nodeStylesOf(jobs)
	return resolve.Graph(jobs).Mermaid(styles.plain)
}

// nodeStyle defines the content and style of a drawn node.
type nodeStyle struct {
	kind    string   // determines the color
	caption string   // name of the node's kind
	title   string   // name of the node
	details []string // values, origin and actions
	number  string   // position of a prerequisite in the start order
	address string   // full address, for the tooltip
}

type nodeStyles map[resolve.Node]nodeStyle

// plain returns the style for formats rendered by other programs.
func (l nodeStyles) plain(n resolve.Node) graph.NodeStyle {
	k := l[n]
	text := append([]string{strings.TrimSpace(k.caption + " " + k.title)}, k.details...)
	if k.number != "" {
		text[0] = k.number + ". " + text[0]
	}
	return graph.NodeStyle{Label: strings.Join(text, "\n"), Kind: string(n.Kind)}
}

func nodeStylesOf(jobs []*resolve.Job) nodeStyles {
	all := nodeStyles{}
	for _, n := range resolve.Graph(jobs).Nodes() {
		all[n] = nodeStyle{kind: string(n.Kind), caption: strings.ReplaceAll(string(n.Kind), "_", " "), title: clean(n.Name), address: clean(n.Label())}
	}
	for _, job := range jobs {
		address := job.Address.String()
		all.job(resolve.Node{Kind: resolve.KindJob, Job: address, Name: address}, job)
		for _, role := range job.TaskRoles {
			all.role(resolve.Node{Kind: resolve.KindTaskRole, Job: address, Role: role.Name, Name: role.Name}, role)
			for i, s := range role.Steps {
				all.step(address, role, i, s)
			}
			for _, m := range role.Mounts {
				all.mount(m)
			}
		}
	}
	return all
}

func (l nodeStyles) job(n resolve.Node, job *resolve.Job) {
	k := l[n]
	k.title = clean(job.Name)
	k.details = []string{"on cluster " + clean(job.Cluster)}
	l[n] = k
}

func (l nodeStyles) role(n resolve.Node, role *resolve.TaskRole) {
	k := l[n]
	k.details = []string{quantity.Count(role.Instances, "task") + ", each with", resources(role)}
	l[n] = k
}

// step describes a prerequisite instance, whose start position can differ
// between task roles.
func (l nodeStyles) step(job string, role *resolve.TaskRole, i int, s *resolve.Step) {
	n := resolve.Node{Kind: resolve.KindPrerequisite, Job: job, Name: s.Address}
	if s.Type == "" {
		n.Kind, n.Role = resolve.KindPlugin, role.Name
	}
	k := l[n]
	if number := strconv.Itoa(i + 1); !slices.Contains(strings.Split(k.number, "/"), number) {
		k.number = strings.TrimPrefix(k.number+"/"+number, "/")
	}
	k.title, k.details = clean(s.Name), nil
	if s.Type != "" {
		k.kind, k.caption = s.Type, s.Type
	}
	for _, name := range slices.Sorted(maps.Keys(s.With)) {
		k.details = append(k.details, clean(name+" = "+s.With[name]))
	}
	if s.Source != "" {
		k.details = append(k.details, "from "+clean(s.Source))
	}
	if does := deeds(s); does != "" {
		k.details = append(k.details, does)
	}
	l[n] = k
}

// deeds lists the plugin, the downloads (as one entry), and each event with
// callbacks.
func deeds(s *resolve.Step) string {
	var all []string
	if s.Plugin != contract.PluginCmd && s.Plugin != contract.PluginDocker && s.Type != "" {
		all = append(all, "plugin "+clean(s.Plugin))
	}
	if len(s.Fetch) > 0 {
		all = append(all, "fetch")
	}
	for _, event := range contract.Events {
		if slices.ContainsFunc(s.Callbacks, func(c *resolve.Callback) bool { return c.Event == event }) {
			all = append(all, event)
		}
	}
	return strings.Join(all, ", ")
}

func (l nodeStyles) mount(m *resolve.Mount) {
	n := resolve.Node{Kind: resolve.KindStorage, Name: m.Storage}
	k := l[n]
	text := "at " + clean(m.Path)
	if m.SubPath != "" {
		text += fmt.Sprintf(" (%s)", clean(m.SubPath))
	}
	if m.ReadOnly {
		text += ", read-only"
	}
	if !slices.Contains(k.details, text) {
		k.details = append(k.details, text)
	}
	l[n] = k
}
