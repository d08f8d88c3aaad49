// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// itemNodes returns nil if the first document is not an item.
func itemNodes(src *source, docs []*yaml.Node) []*yaml.Node {
	first := docs[0]
	switch first.Kind {
	case yaml.SequenceNode:
	case yaml.MappingNode:
		if !isItem(src, newMapping(src, first)) {
			return nil
		}
	default:
		return nil
	}
	items := []*yaml.Node{}
	for _, doc := range docs {
		if doc.Kind == yaml.SequenceNode {
			items = append(items, doc.Content...)
			continue
		}
		items = append(items, doc)
	}
	return items
}

// itemKeys are the keys that a prerequisite has and a job does not have.
var itemKeys = []string{"plugin", "plugin_params", "callbacks", "require", "uri", "requireStorages", "template_variables", "fetch", "failurePolicy", "auth"}

// isItem reports whether a mapping is a prerequisite.
func isItem(src *source, m *mapping) bool {
	if m.has("taskRoles", "tasks", "prerequisites") {
		return false
	}
	if m.has("type") {
		return slices.Contains(hclspec.PrerequisiteTypes, m.stringValue(src, "type"))
	}
	return m.has(itemKeys...)
}

func (d *decoder) items(nodes []*yaml.Node) []*hclspec.Prerequisite {
	var found []*hclspec.Prerequisite
	for i, n := range nodes {
		n = deref(n)
		at := place{shown: "item"}.index(i)
		m, ok := d.mapping(n, at)
		if !ok {
			continue
		}
		if m.has("taskRoles", "tasks") {
			d.report(MultipleDocuments.At(d.src.at(n), "%s contains both items and a job. Put the job into a separate file.", d.src.name))
			continue
		}
		found = append(found, d.item(m, at))
	}
	return found
}

func (d *decoder) item(m *mapping, at place) *hclspec.Prerequisite {
	name := m.stringValue(d.src, "name")
	if m.has("protocol_version") {
		name = legacyName(name)
	}
	kind := prerequisiteType(d.src, m)
	at.path = d.uniquePath(hclspec.Path(hclspec.NewAddress("prerequisite", kind, name)))
	if m.has("protocol_version") {
		return d.legacyItem(m, at)
	}
	return d.prerequisite(m, kind, at)
}

func (d *decoder) legacyItem(m *mapping, at place) *hclspec.Prerequisite {
	before := d.errors
	p := d.legacyPrerequisite(m, at)
	if d.errors == before {
		d.fields(hclspec.PrerequisiteBlock, reflectValue(p), at.path)
	}
	return p
}

// notAJob reports a mapping without the keys of a job or an item.
func (d *decoder) notAJob(m *mapping) {
	found := "nothing"
	if names := m.names(); len(names) > 0 {
		found = "the keys " + strings.Join(names[:min(len(names), 10)], ", ")
	}
	if e := m.get("job"); e != nil {
		d.report(NotAProtocolFile.At(d.src.at(e.key), "%s has %s at the top level, but neither taskRoles nor tasks. Move the keys under \"job\" to the top level.", d.src.name, found))
		return
	}
	d.report(NotAProtocolFile.At(d.src.at(m.node), "%s has %s at the top level. A job has taskRoles, or tasks in the older format; an item is a named prerequisite, or a list of named prerequisites.", d.src.name, found))
}
