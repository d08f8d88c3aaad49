// SPDX-License-Identifier: MPL-2.0

package local

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/internal/locator"
	"github.com/openpai/terraform-provider-openpai/internal/template"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// CheckFiles returns a diagnostic for each missing file that a job fetches from
// dir. It skips files on a storage of the task role, because the job itself may
// write these files.
func CheckFiles(job *resolve.Job, dir string, sources hclspec.SourceMap) hcl.Diagnostics {
	var diags hcl.Diagnostics
	reported := map[string]bool{}
	for _, role := range job.TaskRoles {
		for _, step := range role.Steps {
			for _, f := range step.Fetch {
				if !locator.IsRelative(f.URL) || len(template.Tags(f.URL)) > 0 || reported[f.URL] || OnStorage(role, dir, filepath.Join(dir, f.URL)) {
					continue
				}
				if problem := missing(dir, f.URL); problem != "" {
					reported[f.URL] = true
					diags = append(diags, hclspec.UnreadableFile.At(fetchRange(job, f, sources), "%s of %s fetches %s, %s", step.Address, job.Address, f.URL, problem))
				}
			}
		}
	}
	return diags
}

// fetchRange returns the source range of the fetch address. If the address is
// outside the configuration, such as in an item file, fetchRange returns the
// range of the job.
func fetchRange(job *resolve.Job, f *resolve.Fetch, sources hclspec.SourceMap) hcl.Range {
	if at := sources.Range(f.Path.Attr("url")); at.Filename != "" || job.Declared == nil {
		return at
	}
	return sources.Range(job.Declared.Path)
}

// missing describes why a file cannot be fetched. It returns "" if the file can
// be fetched.
func missing(dir, file string) string {
	if !filepath.IsLocal(file) {
		return "which is outside the workspace directory. Copy the file into the workspace, or use its absolute path."
	}
	info, err := os.Stat(filepath.Join(dir, file))
	if err == nil && !info.Mode().IsRegular() {
		return "which is not a regular file. To fetch a directory, pack it into an archive and set extract = true."
	}
	f, err := os.Open(filepath.Join(dir, file))
	switch {
	case os.IsNotExist(err):
		return "which does not exist in the workspace."
	case os.IsPermission(err):
		return "which this user may not read."
	case err != nil:
		return "which cannot be read."
	}
	_ = f.Close()
	return ""
}

// OnStorage reports whether a file is in a storage directory that the task role
// mounts. dir is the workspace directory.
func OnStorage(role *resolve.TaskRole, dir, file string) bool {
	mounts, err := mounts(dir, role)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(mounts, func(m store.Mount) bool { return isBelow(m.Source, file) || isBelow(m.Target, file) })
}

func isBelow(dir, file string) bool {
	path, err := filepath.Rel(dir, file)
	return err == nil && filepath.IsLocal(path)
}

// mounts returns the mounts of a role, without checking their paths. It
// returns an error for a storage that is not a local directory.
func mounts(workspaceDir string, role *resolve.TaskRole) ([]store.Mount, error) {
	var all []store.Mount
	for _, m := range role.Mounts {
		if m.Declared == nil || m.Declared.HostPath == "" {
			return nil, fmt.Errorf("storage %s of task role %s is not a directory on this machine; the local cluster requires a host_path", m.Storage, role.Name)
		}
		source := m.Declared.HostPath
		if !filepath.IsAbs(source) {
			source = filepath.Join(workspaceDir, source)
		}
		all = append(all, store.Mount{
			Storage: m.Storage, Source: filepath.Join(source, filepath.FromSlash(m.SubPath)),
			Target: filepath.Clean(m.Path), ReadOnly: m.ReadOnly || m.Declared.ReadOnly,
		})
	}
	return all, nil
}
