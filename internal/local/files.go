// SPDX-License-Identifier: MPL-2.0

package local

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/internal/locator"
	"github.com/openpai/terraform-provider-openpai/internal/template"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// CheckFiles returns a diagnostic for each file in the workspace directory dir
// that a job fetches and that does not exist. It skips files on a storage of the
// task role, because the job itself may write them.
func CheckFiles(job *resolve.Job, dir string, sources hclspec.SourceMap) hcl.Diagnostics {
	var diags hcl.Diagnostics
	reported := map[string]bool{}
	for _, role := range job.TaskRoles {
		for _, step := range role.Steps {
			for _, f := range step.Fetch {
				if !locator.IsRelative(f.URL) || len(template.Tags(f.URL)) > 0 || reported[f.URL] || onStorageOf(role, dir, f.URL) {
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

// fetchRange returns the range of the address, or that of the job if the address
// is in another file, as in a marketplace.
func fetchRange(job *resolve.Job, f *resolve.Fetch, sources hclspec.SourceMap) hcl.Range {
	if at := sources.Range(f.Path.Attr("url")); at.Filename != "" || job.Declared == nil {
		return at
	}
	return sources.Range(job.Declared.Path)
}

// missing describes the problem with a file of the workspace; "" if there is
// none.
func missing(dir, file string) string {
	if !filepath.IsLocal(file) {
		return "which is not below the directory of the workspace, where files cannot be fetched from. Copy it into the workspace, or write its absolute path."
	}
	info, err := os.Stat(filepath.Join(dir, file))
	if err == nil && !info.Mode().IsRegular() {
		return "which is not a regular file. Pack a directory into an archive, and fetch that with extract = true."
	}
	f, err := os.Open(filepath.Join(dir, file))
	switch {
	case os.IsNotExist(err):
		return "which does not exist in the workspace."
	case os.IsPermission(err):
		return "which may not be read by this user."
	case err != nil:
		return "which cannot be read."
	}
	_ = f.Close()
	return ""
}

// onStorageOf reports whether a file of the workspace is in a directory that the
// task role mounts as a storage.
func onStorageOf(role *resolve.TaskRole, dir, file string) bool {
	mounts, err := mounts(dir, role)
	if err != nil {
		return false
	}
	for _, m := range mounts {
		if below, err := filepath.Rel(m.Source, filepath.Join(dir, file)); err == nil && below != ".." && !strings.HasPrefix(below, ".."+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// mounts returns the mounts of the storages of a role, without checking the
// paths. It fails for a storage that is not a local directory.
func mounts(workspaceDir string, role *resolve.TaskRole) ([]store.Mount, error) {
	var all []store.Mount
	for _, m := range role.Mounts {
		if m.Declared == nil || m.Declared.HostPath == "" {
			return nil, fmt.Errorf("storage %s of task role %s is not a directory of this machine; the local cluster needs a host_path", m.Storage, role.Name)
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
