// SPDX-License-Identifier: MPL-2.0

package module

import (
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/statedir"
)

// NewCache returns the package cache in a directory. The directory does not
// have to exist. Each cache entry is a directory with the files of one
// package.
func NewCache(dir string) statedir.Cache {
	return statedir.Cache{Dir: dir, Entry: Name, Hash: func(path string) (string, error) { return Hash(path) }}
}

// nameLength is the number of hash characters in a directory name. The name is
// short because diagnostics show it. [statedir.Cache] nevertheless verifies
// the complete hash of the content.
const nameLength = 16

// Name returns the directory name for the hash of a package.
func Name(hash string) string {
	name := strings.TrimPrefix(hash, "h1:")
	return name[:min(len(name), nameLength)]
}
