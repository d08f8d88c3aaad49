// SPDX-License-Identifier: MPL-2.0

package statedir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Cache is a directory that stores files or whole directories under the hash of
// their content.
type Cache struct {
	Dir string
	// Entry returns the name of the entry for a hash.
	Entry func(hash string) string
	// Hash computes the hash of an entry. It returns an error if openpai cannot
	// have written the entry.
	Hash func(path string) (string, error)
}

// ErrMissing means that the cache does not contain the content.
var ErrMissing = errors.New("not in the cache")

// ErrChanged means that the cached content does not match its hash.
var ErrChanged = errors.New("changed in the cache")

// Path returns the path of the entry for a hash, whether or not the entry exists.
func (c Cache) Path(hash string) string { return filepath.Join(c.Dir, c.Entry(hash)) }

// Get returns the path of the content with the given hash. It always verifies the
// hash, because users may accidentally modify the directory.
func (c Cache) Get(hash string) (string, error) {
	path := c.Path(hash)
	switch info, err := os.Lstat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return "", ErrMissing
	case err != nil:
		return "", fmt.Errorf("read the cached content %s: %w", hash, err)
	case info.Mode()&fs.ModeSymlink != 0:
		return "", ErrChanged
	}
	if found, err := c.Hash(path); err != nil || found != hash {
		return "", ErrChanged
	}
	return path, nil
}

// Put moves a file or directory into the cache, and returns the hash. The path
// must be on the same file system as the cache. Put replaces a damaged entry.
func (c Cache) Put(path string) (string, error) {
	hash, err := c.Hash(path)
	if err != nil {
		return "", err
	}
	if _, err := c.Get(hash); err == nil {
		return hash, nil
	}
	if err := c.Prepare(); err != nil {
		return "", err
	}
	if err := os.RemoveAll(c.Path(hash)); err != nil {
		return "", fmt.Errorf("replace damaged content: %w", err)
	}
	if err := os.Rename(path, c.Path(hash)); err != nil {
		if _, other := c.Get(hash); other == nil {
			return hash, nil // another process stored the content at the same time
		}
		return "", fmt.Errorf("store content under its hash: %w", err)
	}
	return hash, nil
}

// Prepare creates the directory. It fails if the directory or its parent is a
// symbolic link.
func (c Cache) Prepare() error {
	for _, dir := range []string{filepath.Dir(c.Dir), c.Dir} {
		if isLink(dir) {
			return fmt.Errorf("%s is a symbolic link; remove it", dir)
		}
	}
	if err := os.MkdirAll(c.Dir, 0o755); err != nil {
		return fmt.Errorf("create the cache %s: %w", c.Dir, err)
	}
	return nil
}

// Stage creates a temporary directory in the cache. Callers use this
// directory to prepare content for [Cache.Put].
func (c Cache) Stage() (string, error) {
	if err := c.Prepare(); err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(c.Dir, ".fetch-")
	if err != nil {
		return "", fmt.Errorf("create the cache %s: %w", c.Dir, err)
	}
	return dir, nil
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}
