// SPDX-License-Identifier: MPL-2.0

package module

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Cache is the directory that stores packages by the hash of their content.
type Cache string

// ErrMissing is returned if the cache does not have a package.
var ErrMissing = errors.New("not in the cache")

// ErrChanged is returned if a cached package does not match its hash.
var ErrChanged = errors.New("changed in the cache")

// nameLength is the number of characters of a hash in the name of a directory.
// Diagnostics show the name, and Get compares the whole hash.
const nameLength = 16

// Name returns the name of the directory of a package.
func Name(hash string) string {
	name := strings.TrimPrefix(hash, "h1:")
	return name[:min(len(name), nameLength)]
}

// Path returns the directory of a package, whether it exists or not.
func (c Cache) Path(hash string) string { return filepath.Join(string(c), Name(hash)) }

// Get returns the directory of a package. It verifies the hash each time, because
// the directory may be modified by mistake.
func (c Cache) Get(hash string) (string, error) {
	dir := c.Path(hash)
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", ErrMissing
	case err != nil:
		return "", fmt.Errorf("read the cached module %s: %w", hash, err)
	case !info.IsDir():
		return "", ErrChanged // not written by this program
	}
	if found, err := Hash(dir); err != nil || found != hash {
		return "", ErrChanged
	}
	return dir, nil
}

// put moves a directory into the cache and returns its hash. It replaces a
// damaged package.
func (c Cache) put(dir string) (string, error) {
	hash, err := Hash(dir)
	if err != nil {
		return "", err
	}
	if _, err := c.Get(hash); err == nil {
		return hash, nil
	}
	if err := os.RemoveAll(c.Path(hash)); err != nil {
		return "", fmt.Errorf("replace a damaged module: %w", err)
	}
	if err := os.Rename(dir, c.Path(hash)); err != nil {
		if _, other := c.Get(hash); other == nil {
			return hash, nil // another process stored it at the same time
		}
		return "", fmt.Errorf("store a module: %w", err)
	}
	return hash, nil
}

// stage creates a temporary directory in the cache. It does not follow symbolic
// links, which a repository or an archive may contain instead of the cache.
func (c Cache) stage() (string, error) {
	for _, dir := range []string{filepath.Dir(string(c)), string(c)} {
		if info, err := os.Lstat(dir); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return "", fmt.Errorf("%s is a symbolic link; remove it", dir)
		}
	}
	if err := os.MkdirAll(string(c), 0o755); err != nil {
		return "", fmt.Errorf("create the cache of modules: %w", err)
	}
	dir, err := os.MkdirTemp(string(c), ".fetch-")
	if err != nil {
		return "", fmt.Errorf("create the cache of modules: %w", err)
	}
	return dir, nil
}
