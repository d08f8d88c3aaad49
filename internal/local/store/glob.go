// SPDX-License-Identifier: MPL-2.0

package store

import (
	"io/fs"
	"os"
	"path/filepath"
)

// Glob returns the sorted paths of the files below dir that match a pattern. The
// pattern is relative to dir. Unlike [filepath.Glob], it does not interpret
// special characters in dir, because users choose dir. It panics on a malformed
// pattern.
func Glob(dir, pattern string) []string {
	names, err := fs.Glob(os.DirFS(dir), pattern)
	if err != nil {
		panic(err)
	}
	for i, name := range names {
		names[i] = filepath.Join(dir, filepath.FromSlash(name))
	}
	return names
}
