package local

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// placeFetches turns the relative paths of downloads into files of the
// workspace directory, which is not where a task starts. Paths that lead out
// of it are refused; absolute ones and addresses stay as they are.
func placeFetches(spec *runspec.Spec, workspaceDir string) (*runspec.Spec, error) {
	placed := *spec
	placed.Steps = slices.Clone(spec.Steps)
	for i := range placed.Steps {
		step := &placed.Steps[i]
		step.Fetch = slices.Clone(step.Fetch)
		for j := range step.Fetch {
			f := &step.Fetch[j]
			if filepath.IsAbs(f.URL) || strings.Contains(f.URL, "://") {
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
