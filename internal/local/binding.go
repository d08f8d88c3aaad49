package local

import (
	"crypto/rand"
	"fmt"
	"io"
	"math/big"
	"path/filepath"
	"time"

	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// binding is what a supervisor needs to know beyond the objects: where the
// storages are on this machine, and how long a conflict delays a retry.
type binding struct {
	// Mounts are those of each task role by its name in the Framework.
	Mounts   map[string][]mount `json:"mounts,omitempty"`
	MinDelay time.Duration      `json:"min_delay_ns"`
	MaxDelay time.Duration      `json:"max_delay_ns"`
}

// delay returns a random delay between the bounds.
func (b *binding) delay(random io.Reader) time.Duration {
	span := int64(b.MaxDelay - b.MinDelay)
	if span <= 0 {
		return b.MinDelay
	}
	n, err := rand.Int(random, big.NewInt(span))
	if err != nil {
		return b.MaxDelay
	}
	return b.MinDelay + time.Duration(n.Int64())
}

// mount is a storage of a task: a directory of this machine, and the path
// under which the task expects it.
type mount struct {
	Storage  string `json:"storage"`
	Source   string `json:"source"` // absolute
	Target   string `json:"target"`
	ReadOnly bool   `json:"read_only,omitempty"`
}

// inPlace reports whether the task finds the storage without any mount.
func (m mount) inPlace() bool { return m.Source == m.Target }

// mounts returns where the storages of a role are. The paths are not looked
// at. It fails for storages that are no directory of this machine.
func mounts(workspaceDir string, role *resolve.TaskRole) ([]mount, error) {
	var all []mount
	for _, m := range role.Mounts {
		if m.Declared == nil || m.Declared.HostPath == "" {
			return nil, fmt.Errorf("storage %s of task role %s is no directory of this machine; the local cluster needs a host_path", m.Storage, role.Name)
		}
		source := m.Declared.HostPath
		if !filepath.IsAbs(source) {
			source = filepath.Join(workspaceDir, source)
		}
		all = append(all, mount{
			Storage: m.Storage, Source: filepath.Join(source, filepath.FromSlash(m.SubPath)),
			Target: filepath.Clean(m.Path), ReadOnly: m.ReadOnly || m.Declared.ReadOnly,
		})
	}
	return all, nil
}
