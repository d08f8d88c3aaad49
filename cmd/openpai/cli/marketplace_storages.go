// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
	"github.com/openpai/terraform-provider-openpai/internal/template"
)

// maxMountRows and maxMountVisits limit the storage table. Each item can pass
// new values to its requirements, so the number of combinations can become
// very large.
const (
	maxMountRows   = 200
	maxMountVisits = 2000
)

// maxFilled is the maximum length of a name or path in the table; no system has longer
// paths.
const maxFilled = 4096

// storages prints the storages that the item and its requirements mount. It fills in
// default values and the values that a requirement sets. Other variables remain
// placeholders.
func (c card) storages(f *marketplace.Found) {
	rows, cut := c.mounts(f)
	if len(rows) == 0 && !cut {
		return
	}
	fmt.Fprintln(c.out, "\nStorages:")
	indented(c.out, rows)
	if cut {
		fmt.Fprintln(c.out, "  (incomplete list)")
	}
}

// mounts returns one row per mount: storage, path, and mounting item. cut is
// true if rows were omitted.
func (c card) mounts(f *marketplace.Found) (rows [][]string, cut bool) {
	m := &mountRows{card: c, listed: map[string]bool{}, visited: map[string]bool{}}
	m.add(f, defaults(f.Item), []string{f.Address})
	return m.rows, m.cut
}

// mountRows collects distinct rows, each with a storage, its mount path and
// the item that mounts it.
type mountRows struct {
	card
	rows    [][]string
	listed  map[string]bool // by row
	visited map[string]bool // by item and values
	cut     bool            // a limit was reached
}

// add adds the storages of f and its requirements. values contains a value for
// each variable of f. way is the path from the shown item to f.
func (m *mountRows) add(f *marketplace.Found, values map[string]string, way []string) {
	visit := fmt.Sprintf("%s%q", f.Address, values)
	if m.visited[visit] {
		return
	}
	m.visited[visit] = true
	m.cut = m.cut || len(m.visited) > maxMountVisits
	for _, u := range storagesOf(f.Item) {
		name := filled(u.Name, values)
		m.row(name, filled(cmp.Or(u.MountPath, "/mnt/"+name), values), f.Address)
	}
	for _, r := range requirementsOf(f.Item) {
		needed := m.closure.Item(cmp.Or(m.closure.Siblings[f.Address][r.Target], m.closure.References[r.Target]))
		if m.cut || needed == nil || slices.Contains(way, needed.Address) {
			continue
		}
		input := defaults(needed.Item)
		for name, value := range r.With {
			text, _ := template.Text(value)
			input[name] = filled(text, values)
		}
		m.add(needed, input, append(slices.Clone(way), needed.Address))
	}
}

func (m *mountRows) row(cells ...string) {
	key := strings.Join(cells, "\x00")
	switch {
	case m.listed[key]:
	case len(m.rows) == maxMountRows:
		m.cut = true
	default:
		m.listed[key] = true
		m.rows = append(m.rows, cells)
	}
}

// filled replaces template variables. If the result could be longer than maxFilled,
// it returns the text unchanged.
func filled(text string, values map[string]string) string {
	longest := 0
	for _, v := range values {
		longest = max(longest, len(v))
	}
	if len(text)+strings.Count(text, "{{")*longest > maxFilled {
		return text
	}
	text, _ = template.Fill(text, values, func(string) bool { return true })
	return text
}

func defaults(i *marketplace.Item) map[string]string {
	values := map[string]string{}
	if i.Prerequisite == nil {
		return values
	}
	for _, v := range i.Prerequisite.TemplateVariables {
		if v.Default != nil {
			values[v.Name] = *v.Default
		}
	}
	return values
}

// requirementsOf returns references to the required items. A reference
// includes values for the variables of the required item.
func requirementsOf(i *marketplace.Item) []hclspec.Reference {
	if i.Prerequisite != nil {
		return i.Prerequisite.Require
	}
	var all []hclspec.Reference
	for _, p := range slices.Concat(i.Job.Prerequisites, i.Job.ReferencePrerequisites) {
		all = append(all, p.Require...)
	}
	for _, role := range i.Job.TaskRoles {
		all = append(all, role.Prerequisites...)
	}
	return all
}

// storagesOf lists the storages that an item itself mounts.
func storagesOf(i *marketplace.Item) []hclspec.StorageUse {
	if i.Prerequisite != nil {
		return mountsOf(i.Prerequisite)
	}
	var all []hclspec.StorageUse
	for _, p := range i.Job.Prerequisites {
		all = append(all, mountsOf(p)...)
	}
	for _, u := range i.Job.Storage {
		all = append(all, *u)
	}
	return all
}

func mountsOf(p *hclspec.Prerequisite) []hclspec.StorageUse {
	var all []hclspec.StorageUse
	for _, u := range p.RequireStorages {
		all = append(all, *u)
	}
	if short, _ := contract.Plugin(p.Plugin); !contract.IsStoragePlugin(short) {
		return all
	}
	for _, keys := range [][2]string{{"name", "mountPath"}, {"config", "mountPoint"}} {
		if name, ok := p.Parameters[keys[0]].(string); ok {
			path, _ := p.Parameters[keys[1]].(string)
			all = append(all, hclspec.StorageUse{Name: name, MountPath: path})
		}
	}
	return all
}
