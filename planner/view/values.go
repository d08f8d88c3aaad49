// SPDX-License-Identifier: MPL-2.0

package view

import (
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// maxValues limits the instances in a group whose values are shown, including
// the first instance.
const maxValues = 12

// maxValuesSize is the maximum size of the shown values, in bytes. The limit does
// not include the first instance. Without a limit, long scripts would hide other
// changes.
const maxValuesSize = 10_000

// particularGroups returns the field changes of p. If other instances differ
// in the same fields, each field has one line per instance: ["1"]: "seed 1"
// -> "seed 2".
func particularGroups(p planner.Particular) []group {
	if len(p.Alike) == 0 {
		return grouped(p.Fields)
	}
	var all []group
	at := map[hclspec.Path]int{}
	add := func(instances []planner.Member) {
		created := instances[0].Change.Action == planner.Create
		for _, g := range grouped(instances[0].Particular) {
			path := planner.WithoutInstance(g.path)
			if path == "name" && created {
				continue // the names of instances always differ
			}
			i, known := at[path]
			if !known {
				i = len(all)
				at[path] = i
				all = append(all, group{path: path, symbol: g.symbol, effect: g.effect})
			}
			all[i].lines = append(all[i].lines, g.instance(keys(instances))...)
		}
	}
	add(p.Members)
	for _, m := range withValues(p) {
		add([]planner.Member{m})
	}
	return all
}

// withValues returns the instances with shown values, except the first
// instance.
func withValues(p planner.Particular) []planner.Member {
	few := p.Alike[:min(len(p.Alike), maxValues-1)]
	size := 0
	for i, m := range few {
		for _, g := range grouped(m.Particular) {
			size += len(g.inline)
			for _, l := range g.lines {
				size += len(l.text)
			}
		}
		if size > maxValuesSize {
			return few[:i]
		}
	}
	return few
}

// withoutValues returns a sentence about the instances whose values are not
// shown, or "".
func withoutValues(p planner.Particular) string {
	rest := p.Alike[len(withValues(p)):]
	if len(rest) == 0 {
		return ""
	}
	return "The values of " + quantity.Count(len(rest), "more instance") + " are not shown: " + Jobs(addresses(rest)) + "."
}

// instance returns the difference on the line of the key if possible,
// otherwise on the lines below the key.
func (g group) instance(key string) []diffLine {
	if len(g.lines) == 0 {
		return []diffLine{{g.symbol, key + g.inline}}
	}
	sides := map[string][]string{}
	for _, l := range g.lines {
		sides[l.symbol] = append(sides[l.symbol], l.text)
	}
	before, after := sides["-"], sides["+"]
	if len(before)+len(after) != len(g.lines) || len(before) > 1 || len(after) > 1 {
		all := []diffLine{{" ", key + ":"}}
		for _, l := range g.lines {
			all = append(all, diffLine{l.symbol, "  " + l.text})
		}
		return all
	}
	var values []string
	for _, text := range slices.Concat(before, after) {
		values = append(values, `"`+strings.ReplaceAll(text, `"`, `\"`)+`"`) // no further escapes: the text is already escaped
	}
	return []diffLine{{g.symbol, key + ": " + strings.Join(values, " -> ")}}
}

// keys returns the for_each keys of instances, such as ["1"] or [1-3].
func keys(instances []planner.Member) string {
	of := clean(string(instances[0].Change.Address.Declaration()))
	return strings.TrimPrefix(Jobs(addresses(instances)), of)
}
