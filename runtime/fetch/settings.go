// SPDX-License-Identifier: MPL-2.0

package fetch

import (
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// Settings reads the cache directory and its size limit, in bytes, from environment
// variables. The limit is 0 if it is not set. If the directory is not set, the
// cache is disabled.
func Settings(getenv func(name string) string) (dir string, bytes int64, err error) {
	if dir = getenv(contract.EnvFetchCache); dir != "" && !filepath.IsAbs(dir) {
		return "", 0, fmt.Errorf("the variable %s is %q; it must be an absolute path", contract.EnvFetchCache, dir)
	}
	text := getenv(contract.EnvFetchCacheMB)
	if text == "" {
		return dir, 0, nil
	}
	mb, err := strconv.ParseInt(text, 10, 40)
	if err != nil || mb <= 0 {
		return "", 0, fmt.Errorf("the variable %s is %q; it must be a positive integer (size in MiB)", contract.EnvFetchCacheMB, text)
	}
	return dir, mb << 20, nil
}
