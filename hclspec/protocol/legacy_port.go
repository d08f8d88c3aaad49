package protocol

import "github.com/openpai/terraform-provider-openpai/hclspec"

// legacyPorts converts the list of port types to numbers of ports by label.
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
		role.Resources.Ports[label] = d.legacyPortCount(m, label, scope, here, i)
	}
}

// legacyPortLabel is the present spelling of the label of a port type.
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

// legacyPortCount is the number of ports of a type, and says that they do not
// begin where they did.
func (d *decoder) legacyPortCount(m *mapping, label string, scope *legacyScope, ports place, i int) int {
	begin, count := 0, 1
	if e := m.get("portNumber"); e != nil {
		d.legacyNumber(&count, *e, scope, ports.key(label))
	}
	if e := m.get("beginAt"); e != nil {
		d.legacyNumber(&begin, *e, scope, ports.index(i).attr(ports.path.Attr("beginAt"), "beginAt"))
		if begin != 0 {
			d.report(LegacyNoEqual.At(d.src.at(e.value), "The ports %q begin at %d. The protocol has no fixed ports: they are given out when the task starts, in PAI_CONTAINER_HOST_%s_PORT_LIST.", label, begin, label))
		}
	}
	return count
}
