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

// PlaceFetches turns the relative paths of downloads into files of the
// workspace directory, which is not where a task starts. Paths that lead out
// of it are refused; absolute ones and addresses stay as they are.
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

// fetchCache is where downloads are kept: in a directory that the user shares
// between workspaces, else in that of the workspace.
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
