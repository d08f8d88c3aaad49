// SPDX-License-Identifier: MPL-2.0

package local

import (
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
	"github.com/openpai/terraform-provider-openpai/runtime"
)

// storages reports storages that tasks cannot access at the mount path.
func (c *jobChecker) storages() hcl.Diagnostics {
	var diags hcl.Diagnostics
	reported := map[string]bool{}
	for _, role := range c.job.TaskRoles {
		for _, mount := range role.Mounts {
			if reported[mount.Storage] {
				continue
			}
			if d := c.storage(role, mount); d != nil {
				reported[mount.Storage] = true
				diags = append(diags, d)
			}
		}
	}
	return diags
}

func (c *jobChecker) storage(role *resolve.TaskRole, mount *resolve.Mount) *hcl.Diagnostic {
	where, address := c.at(role, "storage"), c.job.Address
	variable := runtime.StorageVariable(mount.Storage)
	switch {
	case mount.Declared == nil:
		return StorageUnavailable.At(where,
			"The storage %s has no directory on this machine, but task role %s of %s mounts it at %s for %s. %s",
			mount.Storage, role.Name, address, mount.Path, strings.Join(mount.By, ", "), message.Hint{Kind: message.HintStorageDirectory, Name: mount.Storage, Sentence: true})
	case mount.Declared.HostPath == "":
		return StorageUnavailable.At(where,
			"The storage %s in task role %s of %s is not a directory on this machine. Set host_path in the declaration of the storage.", mount.Storage, role.Name, address)
	case filepath.Join(mount.Declared.HostPath, mount.SubPath) == filepath.Clean(mount.Path) || c.machine.canMount():
		return nil
	case writesPath(role, mount.Path):
		return MountImpossible.At(where,
			"Task role %s of %s uses the path %s of storage %s, but this machine does not support private mounts. Use %s instead of the path.",
			role.Name, address, mount.Path, mount.Storage, variable)
	default:
		return MountByVariable.At(where,
			"The path %s is not mounted in the tasks of %s. The variable %s contains the directory of storage %s.", mount.Path, address, variable, mount.Storage)
	}
}

// writesPath searches scripts, environment variables, download destinations
// and plugin parameters for the path.
func writesPath(role *resolve.TaskRole, path string) bool {
	path = strings.TrimSuffix(path, "/")
	values := scripts(role)
	for _, value := range role.Environment {
		values = append(values, value)
	}
	for _, s := range role.Steps {
		for _, f := range s.Fetch {
			values = append(values, f.To)
		}
		for _, value := range s.Environment {
			values = append(values, value)
		}
		values = append(values, parameterStrings(s.Parameters)...)
	}
	for _, text := range values {
		if strings.Contains(text, path) {
			return true
		}
	}
	return false
}

// parameterStrings returns the strings in plugin parameters at any depth.
func parameterStrings(value any) []string {
	switch v := value.(type) {
	case string:
		return []string{v}
	case []any:
		var all []string
		for _, element := range v {
			all = append(all, parameterStrings(element)...)
		}
		return all
	case map[string]any:
		var all []string
		for _, element := range v {
			all = append(all, parameterStrings(element)...)
		}
		return all
	}
	return nil
}
