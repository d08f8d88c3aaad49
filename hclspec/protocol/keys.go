// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"cmp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// closed returns a function that reports unknown keys, for blocks that do not
// store them.
func (d *decoder) closed(b *hclspec.Block, at place) func(entry) {
	return func(e entry) {
		if at.open || b.UnknownKeys == hclspec.UnknownKeysIgnored {
			d.report(IgnoredKey.At(d.src.at(e.key), "%s has no key %q.%s The key is ignored, as in OpenPAI.", at.shown, e.name, d.suggest(e.name, protocolNames(b))))
			return
		}
		d.unknown(e, at, protocolNames(b))
	}
}

func (d *decoder) unknown(e entry, at place, known []string) {
	where := at.shown
	where = cmp.Or(where, "A job")
	d.report(UnknownKey.At(d.src.at(e.key), "%s has no key %q.%s Known keys: %s.", where, e.name, d.suggest(e.name, known), strings.Join(known, ", ")))
}

// protocolNames lists the keys in the order of the table.
func protocolNames(b *hclspec.Block) []string {
	var names []string
	for _, f := range b.Fields {
		if f.Protocol != "" {
			names = append(names, f.Protocol)
		}
	}
	return names
}

func (d *decoder) missing(n *yaml.Node, at place, name string) {
	if at.shown == "" {
		d.report(MissingKey.At(d.src.at(n), "The job has no %s.", name))
		return
	}
	d.report(MissingKey.At(d.sources.Range(at.path), "%s has no %s.", at.shown, name))
}

// extrasAliases maps keys of "extras" in the early draft of protocol v2 to
// current keys. Source: microsoft/hivedscheduler: example/request/design.
var extrasAliases = map[string]string{"hivedscheduler": "hivedScheduler"}

// resolveAliases renames keys of the early draft, unless the current name is
// also present.
func (d *decoder) resolveAliases(m *mapping, at place, names map[string]string) *mapping {
	renamed := &mapping{node: m.node}
	for _, e := range m.entries {
		if present, old := names[e.name]; old && !m.has(present) {
			d.report(DraftSpelling.At(d.src.at(e.key), "OpenPAI ignores %s.%s, a spelling from an early draft. openpai reads it as %s; use that key.", at.shown, e.name, present))
			e.name = present
		}
		renamed.entries = append(renamed.entries, e)
	}
	return renamed
}
