// SPDX-License-Identifier: MPL-2.0

package module

import (
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/statedir"
)

// NewCache returns the cache of packages in a directory. The directory does not
// have to exist. Each entry of the cache is the directory of a package.
func NewCache(dir string) statedir.Cache {
	return statedir.Cache{Dir: dir, Entry: Name, Hash: func(path string) (string, error) { return Hash(path) }}
}

// nameLength is the number of hash characters in a directory name. The name is
// short because diagnostics show it. The cache compares the whole hash.
const nameLength = 16

// Name returns the name of the directory of a package.
func Name(hash string) string {
	name := strings.TrimPrefix(hash, "h1:")
	return name[:min(len(name), nameLength)]
}
