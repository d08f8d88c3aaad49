// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"fmt"
	"maps"
	"path"
	"strings"
)

// runtimeDirectory is the directory of the runtime in a container. Source:
// microsoft/openpai-runtime: src/runtime.d.
const runtimeDirectory = "/usr/local/pai"

// mounts checks the mounts of a job and its task roles. planner/resolve adds
// the storages of prerequisites later.
func (v *validator) mounts(job *Job) {
	everywhere := v.mountList(fmt.Sprintf("Job %q", job.Name), job.Module, job.Storage, map[string]*StorageUse{})
	for _, role := range job.TaskRoles {
		v.mountList(fmt.Sprintf("Task role %q of job %q", role.Name, job.Name), job.Module, role.Storage, maps.Clone(everywhere))
	}
}

// mountList adds each mount to used, with its path as the key. It reports
// different storages at one path.
func (v *validator) mountList(owner string, module Address, uses []*StorageUse, used map[string]*StorageUse) map[string]*StorageUse {
	for _, use := range uses {
		if !v.storageUse(owner, module, use) {
			continue
		}
		where := mountPath(use)
		other := used[where]
		if other != nil && !v.sameStorage(module, other, use) {
			v.report(StorageConflict, use.Path, "%s mounts the storages %q and %q at the same path %s. Give one of them a different mount path.", owner, other.Name, use.Name, where)
			continue
		}
		used[where] = use
	}
	return used
}

func (v *validator) sameStorage(module Address, a, b *StorageUse) bool {
	first, second := v.ws.StorageIn(module, a.Name), v.ws.StorageIn(module, b.Name)
	return first == second && StorageName(a.Name) == StorageName(b.Name)
}

func (v *validator) storageUse(owner string, module Address, use *StorageUse) bool {
	name := StorageName(use.Name)
	if name != use.Name && v.ws.StorageIn(module, use.Name) == nil {
		v.report(UnknownStorage, use.Path, "%s mounts %s, which no storage block declares.%s", owner, use.Name, Suggest(name, v.storageNames()))
		return false
	}
	where := mountPath(use)
	switch {
	case strings.Contains(where, "<%"), strings.Contains(where, "{{"):
		return false
	case !strings.HasPrefix(where, "/"):
		v.report(InvalidMountPath, use.Path, "%s mounts the storage %q at %q. A mount path must begin with /.", owner, use.Name, where)
		return false
	case where == "/", where == runtimeDirectory, strings.HasPrefix(where, runtimeDirectory+"/"), strings.HasPrefix(runtimeDirectory, where+"/"):
		v.report(InvalidMountPath, use.Path, "%s mounts the storage %q at %s, which would hide the runtime directory %s. Choose a different mount path.", owner, use.Name, where, runtimeDirectory)
		return false
	}
	return true
}

func mountPath(use *StorageUse) string {
	if use.MountPath == "" {
		return "/mnt/" + StorageName(use.Name)
	}
	return path.Clean(use.MountPath)
}
