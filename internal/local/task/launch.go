// SPDX-License-Identifier: MPL-2.0

package task

import (
	"fmt"
	"os"

	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// Launch is the input of a task process. The supervisor records this input before
// it starts the process. The input does not contain secrets.
type Launch struct {
	Spec       *runspec.Spec `json:"spec"`
	Index      int           `json:"index"`
	Attempt    int           `json:"attempt"`
	JobAttempt int           `json:"job_attempt"`
	PodUID     string        `json:"pod_uid"`
	Environ    []string      `json:"environ"`
	Self       runspec.Host  `json:"self"`
	SecretsDir string        `json:"secrets_dir"`
	HostsFile  string        `json:"hosts_file"`
	// FetchDir is the workspace directory. Relative download paths resolve
	// against this directory.
	FetchDir   string `json:"fetch_dir"`
	FetchCache string `json:"fetch_cache"`
	PluginDir  string `json:"plugin_dir"`
	// Mounts are the mounts that the task must create itself.
	Mounts []store.Mount `json:"mounts,omitempty"`
	// Cgroup is the cgroup directory of the task, or "" if there is none.
	Cgroup string `json:"cgroup,omitempty"`
}

// Environment returns the environment that a task inherits from the supervisor.
// The supervisor itself has inherited only permitted variables.
func Environment() []string { return AllowedEnvironment(os.Environ()) }

// Ports returns the ports that each task of the spec's role needs.
func Ports(spec *runspec.Spec) []runspec.Port {
	for _, r := range spec.Roles {
		if r.Name == spec.Role {
			return r.Ports
		}
	}
	return nil
}

// PlaceMounts creates missing storage directories. It determines how the task
// accesses each storage: in place or through a private mount. If canMount returns
// false, the environment variable of the storage contains the source directory.
func PlaceMounts(spec *runspec.Spec, mounts []store.Mount, canMount func() bool) (*runspec.Spec, []store.Mount, error) {
	placed := *spec
	placed.Mounts = append([]runspec.Mount{}, spec.Mounts...)
	var made []store.Mount
	for i, m := range mounts {
		if err := os.MkdirAll(m.Source, 0o755); err != nil {
			return nil, nil, fmt.Errorf("create the directory of storage %s: %w", m.Storage, err)
		}
		switch {
		case m.InPlace():
		case canMount():
			made = append(made, m)
		case i < len(placed.Mounts):
			placed.Mounts[i].Path = m.Source
		}
	}
	return &placed, made, nil
}

// RoleOf returns the role of a launched task. If the spec does not contain the
// role, RoleOf returns the zero Role.
func RoleOf(l *Launch) runspec.Role {
	for _, r := range l.Spec.Roles {
		if r.Name == l.Spec.Role {
			return r
		}
	}
	return runspec.Role{}
}
