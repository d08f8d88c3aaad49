// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

func (d *decoder) prerequisites(n *yaml.Node, at place) []*hclspec.Prerequisite {
	var found []*hclspec.Prerequisite
	d.eachPrerequisite(n, at, func(m *mapping, here place) {
		kind := prerequisiteType(d.src, m)
		here.path = d.uniquePath(at.path.Key(kind).Key(m.stringValue(d.src, "name")))
		found = append(found, d.prerequisite(m, kind, here))
	})
	return found
}

// eachPrerequisite calls read for each mapping in the list. It also records
// whether a prerequisite has no name.
func (d *decoder) eachPrerequisite(n *yaml.Node, at place, read func(*mapping, place)) {
	items, ok := d.list(n, at)
	d.hasUnnamed = d.hasUnnamed || !ok
	for i, item := range items {
		here := at.index(i)
		m, ok := d.mapping(item, here)
		if ok {
			read(m, here)
		}
		d.hasUnnamed = d.hasUnnamed || !ok || m.stringValue(d.src, "name") == ""
	}
}

// prerequisiteType returns the type as written. The default is storage for a
// plugin that mounts storages, otherwise script.
func prerequisiteType(src *source, m *mapping) string {
	if m.has("type") {
		return m.stringValue(src, "type")
	}
	if short, _ := contract.Plugin(m.stringValue(src, "plugin")); contract.IsStoragePlugin(short) {
		return "storage"
	}
	return "script"
}

func (d *decoder) prerequisite(m *mapping, kind string, at place) *hclspec.Prerequisite {
	at.item, at.open = true, false
	d.recordSource(at, m.node)
	d.protocolVersion(m, at)
	p := &hclspec.Prerequisite{}
	plain := m.without("protocolVersion", "plugin_params", "parameters", "template_variables")
	d.block(hclspec.PrerequisiteBlock, plain, at, reflect.ValueOf(p).Elem(), func(e entry) {
		if kind == "dockerimage" {
			d.unknown(e, at, protocolNames(hclspec.PrerequisiteBlock))
			return
		}
		d.parameter(p, e, at)
	})
	if !m.has("type") {
		p.Type = kind
	}
	for _, name := range []string{"parameters", "plugin_params"} {
		if e := d.optional(m, name, at); e != nil {
			d.pluginParams(p, *e, at, plain)
		}
	}
	if e := d.optional(m, "template_variables", at); e != nil {
		d.templateVariables(p, *e, at)
	}
	d.uri(p, m, at)
	return p
}

// parameter stores an unknown key as a plugin parameter.
func (d *decoder) parameter(p *hclspec.Prerequisite, e entry, at place) {
	here := at.attr(at.path.Attr("parameters").Key(e.name), e.name)
	if _, twice := p.Parameters[e.name]; twice {
		d.report(DuplicateKey.At(d.src.at(e.key), "%s is already set outside plugin_params. Remove one of the two values.", here.shown))
		return
	}
	if p.Parameters == nil {
		p.Parameters = map[string]any{}
	}
	p.Parameters[e.name] = d.dynamic(e.value, here)
}

// pluginParams decodes "parameters" or "plugin_params" in the proposal's
// format. The keys of a prerequisite, such as callbacks and retry, have the
// same meaning as in the prerequisite itself. All other keys are plugin
// parameters.
func (d *decoder) pluginParams(p *hclspec.Prerequisite, e entry, at place, outer *mapping) {
	here := at.attr(at.path, e.name)
	m, ok := d.mapping(e.value, here)
	if !ok {
		return
	}
	for _, inner := range m.entries {
		switch inner.name {
		case "callbacks", "failurePolicy", "retry", "fetch", "environment":
			if outer.has(inner.name) {
				d.report(DuplicateKey.At(d.src.at(inner.key), "%s.%s is already set outside %s. Remove one of the two values.", here.shown, inner.name, e.name))
				continue
			}
			f := hclspec.PrerequisiteBlock.ByProtocol(inner.name)
			d.field(f, inner, here.field(f), reflect.ValueOf(p).Elem().FieldByName(f.Go))
		default:
			d.parameter(p, inner, here)
		}
	}
}

// templateVariables decodes the declarations of template variables: mappings with a
// name, or bare names.
func (d *decoder) templateVariables(p *hclspec.Prerequisite, e entry, at place) {
	f := hclspec.PrerequisiteBlock.ByProtocol("template_variables")
	here := at.field(f)
	d.sources[here.path] = d.src.at(e.key)
	items, ok := d.list(e.value, here)
	if !ok {
		return
	}
	for i, item := range items {
		element := here.index(i)
		v := &hclspec.TemplateVariable{}
		if item.Kind == yaml.MappingNode {
			m := newMapping(d.src, item)
			element.path = d.uniquePath(here.path.Key(m.stringValue(d.src, "name")))
			d.recordSource(element, item)
			d.block(f.Block, m, element, reflect.ValueOf(v).Elem(), d.closed(f.Block, element))
		} else {
			v.Name = d.decodeString(item, element)
			v.Path = d.uniquePath(here.path.Key(v.Name))
			d.sources[v.Path] = d.src.at(item)
		}
		p.TemplateVariables = append(p.TemplateVariables, v)
	}
}

// uri reports a list where the protocol requires a string. For a script, uri
// keeps the whole list, because the proposal's format allows such lists.
func (d *decoder) uri(p *hclspec.Prerequisite, m *mapping, at place) {
	e := m.get("uri")
	if e.absent() || p.Type == "data" {
		return
	}
	if e.value.Kind != yaml.SequenceNode {
		return
	}
	switch p.Type {
	case "script":
		d.report(URIList.At(d.src.at(e.key), "%s.uri is a list. OpenPAI requires one string; only data prerequisites may have several addresses.", at.shown))
	default:
		d.wrongType(e.value, at.attr(at.path.Attr("uri"), "uri"), "one string (only data prerequisites may have several)")
		p.URI = p.URI[:min(len(p.URI), 1)]
	}
}

// event reports an event name from the first proposal, and replaces it with
// the current name.
func (d *decoder) event(c *hclspec.Callback, at place) {
	event, alias, ok := contract.Event(c.Event)
	if !ok || !alias {
		return
	}
	d.report(hclspec.OlderEventName.At(d.sources.Range(at.path.Attr("event")), "%s is an older name for the event %s.", c.Event, event))
	c.Event = event
}

// protocolVersion checks the key protocolVersion. The key has no effect in
// prerequisites and task roles.
func (d *decoder) protocolVersion(m *mapping, at place) {
	e := m.get("protocolVersion")
	if e == nil {
		return
	}
	if version, _, ok := parseInteger(e.value); ok && version == 2 {
		return
	}
	if e.value.Kind == yaml.ScalarNode && e.value.ShortTag() == "!!str" && strings.TrimSpace(e.value.Value) == "2" {
		return
	}
	where := "protocolVersion"
	if at.shown != "" {
		where = at.shown + ".protocolVersion"
	}
	d.report(UnsupportedProtocolVersion.At(d.src.at(e.value), "%s must be 2, but is %s.", where, d.describe(e.value, at)))
}
