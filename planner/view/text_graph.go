// SPDX-License-Identifier: MPL-2.0

package view

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// shownLines is the maximum number of command lines without the Detail
// option.
const shownLines = 5

// maxColumn is the maximum width of the address column. Without this limit, an
// address with long values would widen all lines.
const maxColumn = 100

// Graph writes resolved jobs as text. It shows the image, prerequisites,
// storages and commands of each task role. The prerequisites are in start
// order, with their reasons.
func Graph(w io.Writer, jobs []*resolve.Job, o TextOptions) error {
	t := &text{palette: palette(o.Color), o: o}
	for _, job := range jobs {
		t.line(0, t.bold(clean(job.Address.String()))+" on cluster "+clean(job.Cluster))
		t.graph(1, job)
	}
	_, err := w.Write(t.out.Bytes())
	return err
}

func (t *text) graph(depth int, job *resolve.Job) {
	if job.Hived == nil && job.Declared != nil && job.Declared.Hived != nil {
		t.line(depth, t.dim("hived: ignored; HiveD does not schedule jobs on this cluster"))
	}
	for _, role := range job.TaskRoles {
		t.role(depth, role)
	}
}

func (t *text) role(depth int, role *resolve.TaskRole) {
	t.line(depth, t.bold(fmt.Sprintf("task_role %q", clean(role.Name)))+": "+quantity.Count(role.Instances, "task")+", each with "+resources(role))
	t.line(depth+1, "image: "+image(role.Image))
	t.steps(depth+1, role.Steps)
	for _, m := range role.Mounts {
		t.line(depth+1, mount(m))
	}
	t.commands(depth+1, role.Commands)
	t.blank()
}

func resources(role *resolve.TaskRole) string {
	all := []string{quantity.Count(role.CPU, "CPU"), fmt.Sprintf("%d MiB", role.MemoryMB)}
	if role.GPU > 0 {
		all = append([]string{quantity.Count(role.GPU, "GPU")}, all...)
	}
	return strings.Join(all, ", ")
}

func image(i resolve.Image) string {
	if i.Address == "" {
		return clean(i.Pinned())
	}
	return clean(i.Pinned()) + " (" + clean(i.Address) + ")"
}

func mount(m *resolve.Mount) string {
	s := fmt.Sprintf("storage: %s at %s", clean(m.Storage), clean(m.Path))
	if m.SubPath != "" {
		s += ", directory " + clean(m.SubPath)
	}
	if m.ReadOnly {
		s += ", read-only"
	}
	if len(m.By) > 0 {
		s += ", for " + clean(strings.Join(m.By, ", "))
	}
	return s
}

// steps prints a table with the columns number, address, plugin, downloads
// and events.
func (t *text) steps(depth int, steps []*resolve.Step) {
	if len(steps) == 0 {
		return
	}
	t.line(depth, "prerequisites, in start order:")
	width := 0
	for _, s := range steps {
		width = max(width, min(utf8.RuneCountInString(clean(s.Address)), maxColumn))
	}
	for i, s := range steps {
		address := clean(s.Address)
		address += strings.Repeat(" ", max(width-utf8.RuneCountInString(address), 0))
		t.line(depth+1, fmt.Sprintf("%d. %s  %s", i+1, address, whatRuns(s)))
		if why := origin(s); why != "" {
			t.line(depth+1, t.dim("   "+why))
		}
	}
}

// whatRuns lists a step's plugin, downloads and events.
func whatRuns(s *resolve.Step) string {
	var all []string
	if s.Plugin != "" && s.Plugin != "cmd" {
		all = append(all, "plugin "+clean(s.Plugin))
	}
	for _, f := range s.Fetch {
		all = append(all, "fetch to "+clean(f.To))
	}
	for _, c := range s.Callbacks {
		event := fmt.Sprintf("%s (%s)", c.Event, quantity.Count(scriptLines(c.Commands), "line"))
		if c.FailurePolicy == "ignore" {
			event += ", failure ignored"
		}
		all = append(all, event)
	}
	if len(all) == 0 {
		return "nothing to run"
	}
	return strings.Join(all, "; ")
}

func scriptLines(commands []string) int {
	n := 0
	for _, c := range commands {
		n += len(lines(c))
	}
	return n
}

// origin returns the steps that require a step, and the source of its
// definition. RequiredBy is empty if the task role lists the step directly.
func origin(s *resolve.Step) string {
	var all []string
	if len(s.RequiredBy) > 0 {
		all = append(all, "required by "+clean(strings.Join(s.RequiredBy, ", ")))
	}
	if s.Source != "" {
		from := "from " + clean(s.Source)
		if s.Title != "" {
			from += ": " + clean(s.Title)
		}
		if s.Link != "" {
			from += " (" + clean(s.Link) + ")"
		}
		all = append(all, from)
	}
	return strings.Join(all, ", ")
}

func (t *text) commands(depth int, commands []string) {
	var all []string
	for _, c := range commands {
		all = append(all, lines(c)...)
	}
	if len(all) == 0 {
		return
	}
	t.line(depth, "commands:")
	shown := all
	if !t.o.Detail && len(all) > shownLines {
		shown = all[:shownLines]
	}
	for _, l := range shown {
		t.line(depth+1, l)
	}
	if rest := len(all) - len(shown); rest > 0 {
		t.line(depth+1, t.dim("and "+quantity.Count(rest, "more line")))
	}
}
