// SPDX-License-Identifier: MPL-2.0

package task

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/locator"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"github.com/openpai/terraform-provider-openpai/runtime/fetch"
)

// PlaceFetches resolves the relative paths of downloads against the workspace
// directory, which is not the directory in which a task starts. It rejects paths
// that lead out of the workspace directory, and keeps absolute paths and URLs.
func PlaceFetches(spec *runspec.Spec, workspaceDir string) (*runspec.Spec, error) {
	placed := *spec
	placed.Steps = slices.Clone(spec.Steps)
	for i := range placed.Steps {
		step := &placed.Steps[i]
		step.Fetch = slices.Clone(step.Fetch)
		for j := range step.Fetch {
			f := &step.Fetch[j]
			if !locator.IsRelative(f.URL) {
				continue
			}
			if !filepath.IsLocal(f.URL) {
				return nil, fmt.Errorf("%s fetches %s, which is not below the workspace directory", step.Address, f.URL)
			}
			f.URL = filepath.Join(workspaceDir, f.URL)
		}
	}
	return &placed, nil
}

// fetchCache returns the directory for downloads: the one that the user shares
// between workspaces, else that of the workspace.
func fetchCache(l *Launch) (dir string, bytes int64, err error) {
	dir, bytes, err = fetch.Settings(func(name string) string {
		for _, entry := range l.Environ {
			if value, ok := strings.CutPrefix(entry, name+"="); ok {
				return value
			}
		}
		return ""
	})
	dir = cmp.Or(dir, l.FetchCache)
	return dir, bytes, err
}
