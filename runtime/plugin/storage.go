// SPDX-License-Identifier: MPL-2.0

//go:build unix

package plugin

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"

	"golang.org/x/sys/unix"

	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// checkMount checks that a storage is mounted with the declared access. It
// accepts a writable storage that is declared as read-only.
func checkMount(m runspec.Mount) error {
	info, err := os.Stat(m.Path)
	switch {
	case err != nil:
		return fmt.Errorf("storage %s is not mounted at %s: %w", m.Storage, m.Path, err)
	case !info.IsDir():
		return fmt.Errorf("storage %s: %s is not a directory", m.Storage, m.Path)
	case m.ReadOnly:
		if err := unix.Access(m.Path, unix.R_OK|unix.X_OK); err != nil {
			return fmt.Errorf("storage %s at %s cannot be read: %w", m.Storage, m.Path, err)
		}
	default:
		if err := unix.Access(m.Path, unix.W_OK|unix.X_OK); err != nil {
			return fmt.Errorf("cannot write to storage %s at %s: %w", m.Storage, m.Path, err)
		}
	}
	return nil
}

// CheckMounts returns an error for every storage that is not mounted as declared.
func CheckMounts(mounts []runspec.Mount) error {
	var errs []error
	for _, m := range mounts {
		errs = append(errs, checkMount(m))
	}
	return errors.Join(errs...)
}

// storage checks a storage plugin's mounts when the step runs. The mounts exist
// before the task starts, but earlier steps may have changed the storage.
func (s *Set) storage(_ context.Context, t Task, step *runspec.Step) Result {
	p := newParameters(t, step)
	at := cmp.Or(p.stringValue("mountPath"), p.stringValue("mountPoint"))
	if r := p.result(); !r.ok() {
		return r
	}
	found := false
	for _, m := range t.Attempt().Spec.Mounts {
		if at != "" && path.Clean(at) != path.Clean(m.Path) {
			continue
		}
		found = true
		if err := checkMount(m); err != nil {
			return failed("failed: %v", err)
		}
	}
	if !found {
		t.Warn("plugin " + step.Plugin + " of " + step.Address + " does not mount a storage in this task")
	}
	return Result{}
}
