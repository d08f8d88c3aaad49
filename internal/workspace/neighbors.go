// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
)

// loadNeighbors reads the HCL files next to a job file, because a job file cannot
// contain marketplace blocks. It uses only the marketplaces, and the secrets and
// clusters to which they refer.
func (l *loader) loadNeighbors() {
	found, err := list(l.loaded.Dir)
	if err != nil || len(found.hcl) == 0 {
		return
	}
	n := &loader{options: l.options, shown: l.shown, loaded: &Loaded{
		Files: l.loaded.Files, Read: l.loaded.Read, Dir: l.loaded.Dir, environ: l.loaded.environ,
		Workspace: &hclspec.Workspace{Sources: hclspec.SourceMap{}},
	}}
	n.decode(found)
	ws := n.loaded.Workspace
	ws.Marketplaces = slices.DeleteFunc(ws.Marketplaces, func(m *hclspec.Marketplace) bool {
		return m.Source == "" && m.Kubernetes == nil // a variable without a value
	})
	l.loaded.neighbors, l.beside = ws, n.diags
}

// reportNeighbors reports errors in the HCL files next to a job file if the
// job refers to a marketplace and none is declared. An invalid file may
// declare the marketplace.
func (l *loader) reportNeighbors() {
	asks := slices.ContainsFunc(l.loaded.References(), func(r Reference) bool {
		ref, err := marketplace.ParseReference(r.Target)
		return err == nil && ref.URL == ""
	})
	if asks && l.beside.HasErrors() && len(l.loaded.declared()) == 0 {
		l.diags = append(l.diags, l.beside...)
	}
}
