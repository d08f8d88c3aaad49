// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

var legacyPrerequisiteKeys = []string{"protocol_version", "name", "type", "version", "contributor", "description", "uri", "usage", "command"}

// legacyPrerequisite converts a prerequisite or component of the older format.
// Implied actions (download, check out, mount) become commands.
func (d *decoder) legacyPrerequisite(m *mapping, at place) *hclspec.Prerequisite {
	d.recordSource(at, m.node)
	d.legacyVersion(m, at)
	p := &hclspec.Prerequisite{Path: at.path}
	d.legacyPrerequisiteKeys(m, at)
	p.Name, p.Type = d.legacyPrerequisiteName(m, at), d.legacyPrerequisiteType(m, at)
	p.Version = d.legacyText(m, "version", at)
	p.Contributor = d.legacyText(m, "contributor", at)
	p.Description = d.legacyText(m, "description", at)
	e, command := m.get("uri"), d.optional(m, "command", at)
	switch {
	case e != nil:
		p.URI = d.legacyURIs(e.value, at)
	case command == nil:
		d.missing(m.node, at, "uri")
		return p
	}
	if command != nil && p.Type != "dockerimage" {
		d.legacyStartCommands(p, m, command, at)
		return p
	}
	if p.Type == "dockerimage" {
		p.URI = p.URI[:min(len(p.URI), 1)]
		return p
	}
	if p.Name != "" && e.value.Kind == yaml.ScalarNode && (p.Type == "data" || p.Type == "script") {
		d.report(LegacyDirectory.At(d.src.at(e.value), "The task puts the content of %s into a file or directory below %s/. Some OpenPAI releases accept a string here and put the content directly into %s. Change commands that expect the content there.", at.shown+".uri", p.Name, p.Name))
	}
	d.legacyCallbacks(p, at)
	if p.Type != "data" && len(p.URI) > 1 {
		p.URI = p.URI[:1] // the other URIs are in the commands
	}
	return p
}

func (d *decoder) legacyPrerequisiteKeys(m *mapping, at place) {
	for _, e := range m.entries {
		switch {
		case e.name == "usage":
			d.report(LegacyNoEqual.At(d.src.at(e.key), "%s.usage documents the script for its users. The protocol has no equivalent, so the key was dropped.", at.shown))
		case !slices.Contains(legacyPrerequisiteKeys, e.name):
			d.unknown(e, at, legacyPrerequisiteKeys)
		}
	}
}

func (d *decoder) legacyPrerequisiteName(m *mapping, at place) string {
	name := d.legacyRequired(m, "name", at)
	clean := legacyName(name)
	if clean != name {
		d.reportRenamed(m.get("name").value, "The prerequisite", name, clean)
	}
	return clean
}

func (d *decoder) legacyPrerequisiteType(m *mapping, at place) string {
	before := d.errors
	kind := legacyType(d.legacyRequired(m, "type", at))
	if d.errors == before {
		f := *hclspec.PrerequisiteBlock.Field("type")
		here := at.field(&f)
		f.Name = here.shown
		d.report(hclspec.CheckField(&f, kind, here.path, d.sources)...)
	}
	return kind
}

// legacyURIs decodes a list of URIs, or a string of comma-separated URIs.
func (d *decoder) legacyURIs(n *yaml.Node, at place) []string {
	here := at.attr(at.path.Attr("uri"), "uri")
	d.recordSource(here, n)
	if n.Kind == yaml.SequenceNode {
		return d.stringList(n, here)
	}
	var uris []string
	for _, uri := range strings.Split(d.decodeString(n, here), ",") {
		if uri = strings.TrimSpace(uri); uri != "" {
			d.recordSource(here.index(len(uris)), n)
			uris = append(uris, uri)
		}
	}
	return uris
}

// legacyCallbacks adds a callback that prepares the directory of a
// prerequisite. For an output with an HDFS URI, a second callback saves the
// output files to HDFS.
func (d *decoder) legacyCallbacks(p *hclspec.Prerequisite, at place) {
	start := []string{"mkdir -p " + shellQuote(p.Name)}
	var end []string
	for i, uri := range p.URI {
		before, after, ok := legacyTransfer(p, uri)
		if !ok {
			here := at.path.Attr("uri").Index(i)
			d.report(LegacyUnsupportedURI.At(d.sources.Range(here), "%s.uri must be an http, https, hdfs or git address, or an absolute path, but is %q. For other addresses, write a callback that prepares the content.", at.shown, uri))
			continue
		}
		if strings.HasPrefix(uri, "hdfs://") {
			d.report(LegacyNeedsHDFS.At(d.sources.Range(at.path.Attr("uri").Index(i)), "%s.uri is %q, which the task copies with the hdfs program. Use an image that contains this program.", at.shown, uri))
		}
		start, end = append(start, before...), append(end, after...)
	}
	p.Plugin = pluginPrefix + contract.PluginCmd
	p.Callbacks = append(p.Callbacks, d.legacyCallback(at, contract.EventTaskStarts, start))
	if len(end) > 0 {
		p.Callbacks = append(p.Callbacks, d.legacyCallback(at, contract.EventTaskSucceeds, end))
	}
}

func (d *decoder) legacyCallback(at place, event string, commands []string) *hclspec.Callback {
	path := at.path.Attr("callback").Key(event)
	d.sources[path] = d.sources.Range(at.path.Attr("uri"))
	return &hclspec.Callback{Event: event, Path: path, Commands: commands}
}

// legacyStartCommands decodes the commands of an older draft. These shell
// lines fetch the data, so no other commands are added.
func (d *decoder) legacyStartCommands(p *hclspec.Prerequisite, m *mapping, e *entry, at place) {
	here := at.attr(at.path.Attr("callback").Key(contract.EventTaskStarts).Attr("commands"), "command")
	scope := d.legacyScope(m, d.legacyParameters)
	items := []*yaml.Node{e.value}
	if e.value.Kind != yaml.ScalarNode {
		var ok bool
		if items, ok = d.list(e.value, here); !ok {
			return
		}
	}
	var commands []string
	for i, item := range items {
		commands = append(commands, scope.substitute(item, d.decodeString(item, here.index(i))))
	}
	preamble := legacyPreamble(commands)
	commands = append(preamble, commands...)
	for i := range commands {
		d.sources[here.index(i).path] = d.src.at(e.key)
		if i >= len(preamble) {
			d.recordSource(here.index(i), items[i-len(preamble)])
		}
	}
	p.Plugin = pluginPrefix + contract.PluginCmd
	path := at.path.Attr("callback").Key(contract.EventTaskStarts)
	d.sources[path] = d.src.at(e.key)
	p.Callbacks = []*hclspec.Callback{{Event: contract.EventTaskStarts, Path: path, Commands: commands}}
}
