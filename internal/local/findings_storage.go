package local

import (
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
	"github.com/openpai/terraform-provider-openpai/runtime"
)

// storageFindings reports storages that tasks cannot reach, or only through
// their variable.
func storageFindings(job *resolve.Job, m machine) hcl.Diagnostics {
	var diags hcl.Diagnostics
	reported := map[string]bool{}
	for _, role := range job.TaskRoles {
		for _, mount := range role.Mounts {
			if reported[mount.Storage] {
				continue
			}
			if d := mountFinding(job, role, mount, m); d != nil {
				reported[mount.Storage] = true
				diags = append(diags, d)
			}
		}
	}
	return diags
}

func mountFinding(job *resolve.Job, role *resolve.TaskRole, mount *resolve.Mount, m machine) *hcl.Diagnostic {
	switch {
	case mount.Declared == nil || mount.Declared.HostPath == "":
		return hclspec.LocalStorageKind.At(hcl.Range{},
			"Storage %s of task role %s of %s is no directory of this machine. Declare it with host_path.", mount.Storage, role.Name, job.Address)
	case filepath.Join(mount.Declared.HostPath, mount.SubPath) == filepath.Clean(mount.Path) || m.canMount():
		return nil
	case writesPath(role, mount.Path):
		return hclspec.LocalMountImpossible.At(hcl.Range{},
			"Task role %s of %s writes the path %s of storage %s, and this machine permits no private mounts. Use %s in place of the path.",
			role.Name, job.Address, mount.Path, mount.Storage, runtime.StorageVariable(mount.Storage))
	default:
		return hclspec.LocalMountByVariable.At(hcl.Range{},
			"Nothing is at %s in the tasks of %s; %s names the directory of storage %s.", mount.Path, job.Address, runtime.StorageVariable(mount.Storage), mount.Storage)
	}
}

// writesPath reports whether a role has the path in anything that runs.
func writesPath(role *resolve.TaskRole, path string) bool {
	path = strings.TrimSuffix(path, "/")
	texts := append([]string{}, role.Commands...)
	for _, value := range role.Environment {
		texts = append(texts, value)
	}
	for _, s := range role.Steps {
		for _, c := range s.Callbacks {
			texts = append(texts, c.Commands...)
		}
		for _, f := range s.Fetch {
			texts = append(texts, f.To)
		}
		for _, value := range s.Environment {
			texts = append(texts, value)
		}
		texts = append(texts, parameterTexts(s.Parameters)...)
	}
	for _, text := range texts {
		if strings.Contains(text, path) {
			return true
		}
	}
	return false
}

// parameterTexts collects the texts of plugin parameters, at any depth.
func parameterTexts(value any) []string {
	switch v := value.(type) {
	case string:
		return []string{v}
	case []any:
		var all []string
		for _, element := range v {
			all = append(all, parameterTexts(element)...)
		}
		return all
	case map[string]any:
		var all []string
		for _, element := range v {
			all = append(all, parameterTexts(element)...)
		}
		return all
	}
	return nil
}
