//go:build unix

package runtime

import (
	"errors"
	"fmt"
	"os"

	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"golang.org/x/sys/unix"
)

// checkMounts reports every storage that is not there as declared.
func checkMounts(mounts []runspec.Mount) error {
	var errs []error
	for _, m := range mounts {
		info, err := os.Stat(m.Path)
		switch {
		case err != nil:
			errs = append(errs, fmt.Errorf("storage %s is not mounted at %s: %w", m.Storage, m.Path, err))
		case !info.IsDir():
			errs = append(errs, fmt.Errorf("storage %s: %s is not a directory", m.Storage, m.Path))
		case !m.ReadOnly:
			if err := unix.Access(m.Path, unix.W_OK); err != nil {
				errs = append(errs, fmt.Errorf("storage %s at %s cannot be written: %w", m.Storage, m.Path, err))
			}
		}
	}
	return errors.Join(errs...)
}
