// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func (d *decoder) legacyTask(job *hclspec.Job, m *mapping, parameters *entry, at, parent place) *hclspec.TaskRole {
	role := &hclspec.TaskRole{}
	hclspec.TaskRoleBlock.SetDefaults(reflectValue(role))
	name := m.stringValue(d.src, "role")
	role.Name = legacyRole(name)
	at.path = d.uniquePath(parent.path.Key(role.Name))
	role.Path = at.path
	d.recordSource(at, m.node)
	d.legacyRoleName(m, name, role.Name, at)
	for _, e := range m.entries {
		if !slices.Contains(legacyTaskKeys, e.name) {
			d.unknown(e, at, legacyTaskKeys)
		}
	}
	scope := d.legacyScope(m, parameters)
	d.legacyReferences(job, role, m, at)
	d.legacyCompletion(role, m, scope, at)
	d.legacyResource(role, m, scope, at)
	d.legacyCommand(role, m, scope, at)
	return role
}

func (d *decoder) legacyRoleName(m *mapping, name, clean string, at place) {
	switch {
	case name == "":
		d.missing(m.node, at, "role")
	case name != clean:
		d.reportRenamed(m.get("role").value, "The task role", name, clean)
	}
}

// legacyReferences converts the names in a task to references. Before the
// commands, the runtime prepares data, scripts and storages in this order.
func (d *decoder) legacyReferences(job *hclspec.Job, role *hclspec.TaskRole, m *mapping, at place) {
	uses := []struct {
		key, field string
		to         *hclspec.Reference
	}{
		{"dockerimage", "image", &role.Image}, {"data", "data", &role.Data}, {"script", "script", &role.Script},
		{"storage", "output", &role.Output}, {"output", "output", &role.Output},
	}
	for _, u := range uses {
		e := m.get(u.key)
		if e.absent() {
			continue
		}
		here := at.attr(at.path.Attr(u.field), u.key)
		d.recordSource(here, e.value)
		*u.to = hclspec.Reference{Target: legacyName(d.decodeString(e.value, here)), Path: here.path}
		if u.field == "image" {
			continue
		}
		listed := at.path.Attr("prerequisites").Index(len(role.Prerequisites))
		d.sources[listed] = d.src.at(e.value)
		role.Prerequisites = append(role.Prerequisites, hclspec.Reference{Target: u.to.Target, Path: listed})
	}
	if role.Image.IsZero() {
		d.legacyImage(job, role, m, at)
	}
}

// legacyImage sets a missing image to the first image of the job, the default
// of the older format.
func (d *decoder) legacyImage(job *hclspec.Job, role *hclspec.TaskRole, m *mapping, at place) {
	for _, p := range job.Prerequisites {
		if p.Type == "dockerimage" {
			role.Image = hclspec.Reference{Target: p.Name, Path: at.path.Attr("image")}
			return
		}
	}
	if !d.hasUnnamed { // otherwise a prerequisite without a name may be an image
		d.missing(m.node, at, "dockerimage")
	}
}

func (d *decoder) legacyCompletion(role *hclspec.TaskRole, m *mapping, scope *legacyScope, at place) {
	read := func(key, field string) *int {
		e := m.get(key)
		if e.absent() {
			return nil
		}
		here := at.attr(at.path.Attr("completion").Attr(field), key)
		d.recordSource(here, e.value)
		count, ok := d.decodeInt(scope.scalar(e.value), here)
		if !ok {
			return nil
		}
		return &count
	}
	role.Completion.MinFailedInstances = read("minFailedTaskCount", "min_failed_instances")
	role.Completion.MinSucceededInstances = read("minSucceededTaskCount", "min_succeeded_instances")
	if role.Completion.MinSucceededInstances == nil {
		never := -1 // the older format waited for all tasks of all roles
		role.Completion.MinSucceededInstances = &never
	}
}

func (d *decoder) legacyResource(role *hclspec.TaskRole, m *mapping, scope *legacyScope, at place) {
	role.Resources = hclspec.Resources{Limits: hclspec.Limits{CPU: 1, MemoryMB: 100}} // defaults of the older format
	e := m.get("resource")
	if e == nil {
		d.missing(m.node, at, "resource")
		return
	}
	here := at.attr(at.path.Attr("resources"), "resource")
	d.sources[here.path] = d.src.at(e.key)
	resource, ok := d.mapping(e.value, here)
	if !ok {
		return
	}
	for _, inner := range resource.entries {
		switch inner.name {
		case "instances":
			d.legacyNumber(&role.Instances, inner, scope, at.attr(at.path.Attr("instances"), "resource.instances"))
		case "portList":
			d.legacyPorts(role, inner, scope, here)
		case "resourcePerInstance":
			d.legacyPerInstance(role, inner, scope, here)
		default:
			d.unknown(inner, here, []string{"instances", "resourcePerInstance", "portList"})
		}
	}
}

func (d *decoder) legacyNumber(to *int, e entry, scope *legacyScope, at place) {
	d.recordSource(at, e.value)
	if n, ok := d.decodeInt(scope.scalar(e.value), at); ok {
		*to = n
	}
}

func (d *decoder) legacyPerInstance(role *hclspec.TaskRole, e entry, scope *legacyScope, at place) {
	here := at.attr(at.path, "resourcePerInstance")
	m, ok := d.mapping(e.value, here)
	if !ok {
		return
	}
	targets := map[string]*int{"cpu": &role.Resources.CPU, "memoryMB": &role.Resources.MemoryMB, "gpu": &role.Resources.GPU, "shmMB": &role.ExtraContainerOptions.ShmMB}
	fields := map[string]string{"cpu": "cpu", "memoryMB": "memory_mb", "gpu": "gpu", "shmMB": "shm_mb"}
	for _, inner := range m.entries {
		to, known := targets[inner.name]
		if !known {
			d.unknown(inner, here, []string{"cpu", "memoryMB", "gpu", "shmMB"})
			continue
		}
		d.legacyNumber(to, inner, scope, here.attr(here.path.Attr(fields[inner.name]), inner.name))
	}
}

// legacyVariables are environment variables of the older format. The runtime
// does not set them, or sets them to "".
var legacyVariables = []string{"PAI_OUTPUT_DIR", "PAI_DATA_DIR", "PAI_CODE_DIR", "PAI_DEFAULT_FS_URI"}

// legacyCommand converts the commands. The older format joined the commands into
// one shell line, used different variable names and allowed unset variables.
// legacyCommand inserts a line that allows unset variables.
func (d *decoder) legacyCommand(role *hclspec.TaskRole, m *mapping, scope *legacyScope, at place) {
	e := m.get("command")
	here := at.attr(at.path.Attr("commands"), "command")
	if e == nil {
		d.missing(m.node, at, "command")
		return
	}
	d.sources[here.path] = d.src.at(e.key)
	items := []*yaml.Node{e.value}
	if e.value.Kind != yaml.ScalarNode {
		var ok bool
		if items, ok = d.list(e.value, here); !ok {
			return
		}
	}
	var commands []string
	for i, item := range items {
		text := d.decodeString(item, here.index(i))
		d.legacyVariable(item, text)
		commands = append(commands, scope.substitute(item, text))
	}
	role.Commands = append(legacyPreamble(commands), commands...)
	for i := range role.Commands {
		n := max(i-(len(role.Commands)-len(items)), 0)
		if len(items) > 0 {
			d.recordSource(here.index(i), items[n])
		}
	}
}

func legacyPreamble(commands []string) []string {
	lines := []string{"set +o nounset"}
	for _, c := range commands {
		if strings.Contains(c, "PAI_CURRENT_DIR") {
			return append(lines, `export PAI_CURRENT_DIR="$PWD"`)
		}
	}
	return lines
}

func (d *decoder) legacyVariable(n *yaml.Node, text string) {
	for _, name := range legacyVariables {
		if strings.Contains(text, name) {
			d.report(LegacyNoEqual.At(d.src.at(n), "The command uses %s, which is unset or empty in the task. Use a directory in the task or a storage instead.", name))
		}
	}
}
