// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/plainjson"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// fieldChanges lists changed fields: first of the job, then of its task roles
// in order, then of removed task roles.
func fieldChanges(wanted *resolve.Job, before *applied) []FieldChange {
	d := difference{before: before, wanted: wanted, after: map[hclspec.Path]leaf{}}
	var order []hclspec.Path
	for _, l := range leaves(wanted) {
		d.after[l.path] = l
		order = append(order, l.path)
	}
	// Removed fields come last, sorted by path.
	for _, p := range slices.Sorted(maps.Keys(before.hashes)) {
		if _, stays := d.after[p]; !stays {
			order = append(order, p)
		}
	}
	d.walk(order)
	slices.SortStableFunc(d.changes, func(a, b FieldChange) int {
		return roleRank(a.Path, wanted) - roleRank(b.Path, wanted)
	})
	return d.changes
}

// Differences lists the fields that a plan shows as changed between two
// versions of a job.
func Differences(before, after *resolve.Job) []FieldChange {
	fields := fieldChanges(after, newApplied(&LiveJob{Applied: before}))
	setCauses(fields, after, before)
	return fields
}

type difference struct {
	before  *applied
	wanted  *resolve.Job
	after   map[hclspec.Path]leaf
	changes []FieldChange
}

func (d *difference) walk(order []hclspec.Path) {
	lists := map[hclspec.Path]bool{}
	for _, p := range order {
		list, element := listElement(p)
		switch {
		case element && !lists[list]:
			lists[list] = true
			d.list(list)
		case element:
		case isOrder(p):
			d.order(p)
		default:
			d.scalar(p)
		}
	}
}

func (d *difference) scalar(p hclspec.Path) {
	if d.before.hashes[p] == d.afterHash(p) {
		return
	}
	c := d.change(p, p)
	if l, ok := d.after[p]; ok && c.Before == nil && c.BeforeKnown && d.before.has(enclosing(p)) {
		c.Before = zeroOf(l.value)
	}
	if l := d.after[p]; l.zero {
		c.After = zeroOf(l.value)
	}
	d.changes = append(d.changes, c)
}

// change returns the change to a field. before is the path of the field in
// the applied job, and after is the path in the declared job. A path is "" if
// the job does not have the field.
func (d *difference) change(before, after hclspec.Path) FieldChange {
	c := FieldChange{Path: after, BeforeKnown: true, AfterKnown: true}
	if after == "" {
		c.Path = before
	}
	if d.before.hashes[before] != "" {
		c.Before, c.BeforeKnown = d.before.value(before)
	}
	if l, ok := d.after[after]; ok && !l.zero {
		c.After = l.value
	}
	c.Effect = effect(c.Path, d.wanted)
	return c
}

// list aligns the elements of the applied and the declared list at p, and
// compares the aligned elements.
func (d *difference) list(p hclspec.Path) {
	before := d.hashList(p, func(p hclspec.Path) string { return d.before.hashes[p] })
	after := d.hashList(p, d.afterHash)
	for _, pair := range align(before, after) {
		var from, to hclspec.Path
		if pair.before >= 0 {
			from = p.Index(pair.before)
		}
		if pair.after >= 0 {
			to = p.Index(pair.after)
		}
		if from == "" || to == "" || before[pair.before] != after[pair.after] {
			d.changes = append(d.changes, d.change(from, to))
		}
	}
}

func (d *difference) hashList(p hclspec.Path, hash func(hclspec.Path) string) []string {
	var list []string
	for {
		h := hash(p.Index(len(list)))
		if h == "" {
			return list
		}
		list = append(list, h)
	}
}

// order adds a change if named elements are in a different order. It ignores
// added and removed elements, which are separate changes.
func (d *difference) order(p hclspec.Path) {
	if d.before.hashes[p] == d.afterHash(p) {
		return
	}
	c := d.change(p, p)
	before, after := stringsOf(c.Before), stringsOf(c.After)
	if c.BeforeKnown && slices.Equal(common(before, after), common(after, before)) {
		return
	}
	if !c.BeforeKnown && !d.sameElements(p, after) {
		return
	}
	d.changes = append(d.changes, c)
}

// sameElements reports whether the applied elements have exactly the given
// names.
func (d *difference) sameElements(p hclspec.Path, names []string) bool {
	list := strings.TrimSuffix(string(p), "_order")
	was := map[string]bool{}
	for path := range d.before.hashes {
		if key, ok := elementKey(string(path), list); ok {
			was[key] = true
		}
	}
	for _, n := range names {
		if !was[n] {
			return false
		}
	}
	return len(was) == len(names)
}

func (d *difference) afterHash(p hclspec.Path) string {
	if l, ok := d.after[p]; ok && !l.zero {
		return fieldHash(plainjson.MustMarshal(l.value))
	}
	return ""
}

// listElement returns the list of the element at path p.
func listElement(p hclspec.Path) (list hclspec.Path, ok bool) {
	open := strings.LastIndexByte(string(p), '[')
	if open < 0 || !strings.HasSuffix(string(p), "]") {
		return "", false
	}
	_, err := strconv.Atoi(string(p[open+1 : len(p)-1]))
	return p[:open], err == nil
}

// elementKey returns the key k if the path begins with list["k"].
func elementKey(path, list string) (string, bool) {
	rest, ok := strings.CutPrefix(path, list+"[")
	if !ok {
		return "", false
	}
	quoted, err := strconv.QuotedPrefix(rest)
	if err != nil {
		return "", false
	}
	key, err := strconv.Unquote(quoted)
	return key, err == nil
}

// isOrder reports whether p is the order of a list whose elements have
// separate paths.
func isOrder(p hclspec.Path) bool {
	return p == "task_role_order" || strings.HasPrefix(string(p), "task_role[") && strings.HasSuffix(string(p), "].prerequisites")
}

// enclosing returns the innermost keyed object of a field, or "" for the job.
func enclosing(p hclspec.Path) hclspec.Path {
	return p[:strings.LastIndexByte(string(p), ']')+1]
}

// zeroOf returns the zero value that plans show: nil for a string, because
// plans show an empty string as absent.
func zeroOf(value any) any {
	switch value.(type) {
	case json.Number:
		return json.Number("0")
	case bool:
		return false
	}
	return nil
}

func roleRank(p hclspec.Path, job *resolve.Job) int {
	name, ok := elementKey(string(p), "task_role")
	if !ok {
		return -1
	}
	for i, role := range job.TaskRoles {
		if role.Name == name {
			return i
		}
	}
	return len(job.TaskRoles)
}

func stringsOf(value any) []string {
	list, _ := value.([]any)
	all := make([]string, 0, len(list))
	for _, v := range list {
		if s, ok := v.(string); ok {
			all = append(all, s)
		}
	}
	return all
}

// common returns the elements of a that are also in b, in a's order.
func common(a, b []string) []string {
	inB := make(map[string]bool, len(b))
	for _, s := range b {
		inB[s] = true
	}
	kept := make([]string, 0, len(a))
	for _, s := range a {
		if inB[s] {
			kept = append(kept, s)
		}
	}
	return kept
}
