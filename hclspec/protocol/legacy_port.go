// SPDX-License-Identifier: MPL-2.0

package protocol

import "github.com/openpai/terraform-provider-openpai/hclspec"

// legacyPorts converts the list of port types to port counts and first ports
// by label.
func (d *decoder) legacyPorts(role *hclspec.TaskRole, e entry, scope *legacyScope, at place) {
	here := at.attr(at.path.Attr("ports"), "portList")
	d.sources[here.path] = d.src.at(e.key)
	items, ok := d.list(e.value, here)
	if !ok {
		return
	}
	for i, item := range items {
		m, ok := d.mapping(item, here.index(i))
		if !ok {
			continue
		}
		label := d.legacyPortLabel(m, here.index(i))
		if label == "" {
			continue
		}
		if _, twice := role.Resources.Ports[label]; twice {
			d.report(hclspec.DuplicateDeclaration.At(d.src.at(m.get("label").value), "The port label %q of the task role %q is declared twice. Rename or remove one.", label, role.Name))
		}
		if role.Resources.Ports == nil {
			role.Resources.Ports = map[string]int{}
		}
		role.Resources.Ports[label] = d.legacyPortCount(m, label, scope, here)
		d.legacyFixedPort(role, m, label, scope, here.index(i).attr(at.path.Attr("fixed_ports").Key(label), "beginAt"))
	}
}

// legacyPortLabel returns the current spelling of a label.
func (d *decoder) legacyPortLabel(m *mapping, at place) string {
	label := m.stringValue(d.src, "label")
	if label == "" {
		d.missing(m.node, at, "label")
		return ""
	}
	clean := legacyRole(label)
	if clean != label {
		d.reportRenamed(m.get("label").value, "The port label", label, clean)
	}
	return clean
}

func (d *decoder) legacyPortCount(m *mapping, label string, scope *legacyScope, ports place) int {
	count := 1
	if e := m.get("portNumber"); e != nil {
		d.legacyNumber(&count, *e, scope, ports.key(label))
	}
	return count
}

// legacyFixedPort decodes the first port of a port type; 0 requests free ports.
func (d *decoder) legacyFixedPort(role *hclspec.TaskRole, m *mapping, label string, scope *legacyScope, at place) {
	e := m.get("beginAt")
	if e == nil {
		return
	}
	first := 0
	d.legacyNumber(&first, *e, scope, at)
	if first == 0 {
		return
	}
	if role.Resources.FixedPorts == nil {
		role.Resources.FixedPorts = map[string]int{}
	}
	role.Resources.FixedPorts[label] = first
}
