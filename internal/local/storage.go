package local

import (
	"fmt"
	"path/filepath"

	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// mounts returns where the storages of a role are. The paths are not looked
// at. It fails for storages that are no directory of this machine.
func mounts(workspaceDir string, role *resolve.TaskRole) ([]store.Mount, error) {
	var all []store.Mount
	for _, m := range role.Mounts {
		if m.Declared == nil || m.Declared.HostPath == "" {
			return nil, fmt.Errorf("storage %s of task role %s is no directory of this machine; the local cluster needs a host_path", m.Storage, role.Name)
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
