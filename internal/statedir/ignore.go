// SPDX-License-Identifier: MPL-2.0

package statedir

import (
	"os"
	"path/filepath"

	"github.com/openpai/terraform-provider-openpai/internal/atomicfile"
)

// IgnoreFile returns the path of the file that excludes a state directory from version
// control.
func IgnoreFile(dir string) string { return filepath.Join(dir, ".gitignore") }

// Ignore excludes a state directory from version control. It does nothing if the file
// exists, or if the directory is missing or a symbolic link.
func Ignore(dir string) error {
	if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
		return nil
	}
	name := IgnoreFile(dir)
	if _, err := os.Lstat(name); err == nil {
		return nil
	}
	return atomicfile.Write(name, []byte("*\n"), 0o644)
}
