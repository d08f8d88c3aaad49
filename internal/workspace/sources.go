// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"maps"
	"path/filepath"
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
)

// sourcesKey is the key for the marketplaces in a job file. The protocol has no
// field for marketplaces. Instead, the section marketplace.ExtrasKey of the job's
// extras contains a map from names to sources. Relative paths are relative to the
// file.
const sourcesKey = "sources"

// takeSources moves marketplaces from the job's extras to the workspace, as if
// the workspace declared the marketplaces. dir is the directory of the job
// file.
func (l *loader) takeSources(job *hclspec.Job, dir string) {
	about, _ := job.Extras[marketplace.ExtrasKey].(map[string]any)
	sources, _ := about[sourcesKey].(map[string]any)
	if len(sources) == 0 {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		source, _ := sources[name].(string)
		if source == "" {
			continue
		}
		l.loaded.embedded = append(l.loaded.embedded, &hclspec.Marketplace{
			Name: name, Path: hclspec.Path("marketplace").Attr(name), Source: marketplace.SourceFrom(source, dir, l.loaded.Dir),
		})
	}
	job.Extras = withAbout(job.Extras, sourcesKey, nil)
}

// withAbout returns a copy of extras with key set to value in the marketplace
// section. It removes key if value is nil. It removes maps that become empty.
func withAbout(extras map[string]any, key string, value any) map[string]any {
	about, _ := extras[marketplace.ExtrasKey].(map[string]any)
	about = maps.Clone(about)
	extras = maps.Clone(extras)
	if about == nil {
		about = map[string]any{}
	}
	if extras == nil {
		extras = map[string]any{}
	}
	if about[key] = value; value == nil {
		delete(about, key)
	}
	if extras[marketplace.ExtrasKey] = about; len(about) == 0 {
		delete(extras, marketplace.ExtrasKey)
	}
	if len(extras) == 0 {
		return nil
	}
	return extras
}

// Used returns the marketplaces to which the references in the workspace
// refer.
func (l *Loaded) Used() []*hclspec.Marketplace {
	asked := map[string]bool{}
	for _, r := range l.References() {
		if ref, err := marketplace.ParseReference(r.Target); err == nil && ref.URL == "" {
			asked[ref.From] = true
		}
	}
	return slices.DeleteFunc(l.declared(), func(m *hclspec.Marketplace) bool { return !asked[""] && !asked[m.Name] })
}

// WithSources returns a copy of a job that can be written to a file in dir.
// The copy's extras contain the marketplaces that the job uses. The second
// result lists the marketplaces in a cluster, which extras cannot contain.
func (l *Loaded) WithSources(job *hclspec.Job, dir string) (*hclspec.Job, []*hclspec.Marketplace) {
	only := *l
	only.Workspace = &hclspec.Workspace{Name: l.Workspace.Name, Jobs: []*hclspec.Job{job}, Prerequisites: l.Workspace.Prerequisites, Marketplaces: l.Workspace.Marketplaces}
	sources := map[string]any{}
	var apart []*hclspec.Marketplace
	for _, m := range only.Used() {
		if m.Kubernetes != nil {
			apart = append(apart, m)
			continue
		}
		sources[m.Name] = marketplace.SourceFrom(m.Source, l.Dir, filepath.Clean(dir))
	}
	if len(sources) == 0 {
		return job, apart
	}
	kept := *job
	kept.Extras = withAbout(job.Extras, sourcesKey, sources)
	return &kept, apart
}
