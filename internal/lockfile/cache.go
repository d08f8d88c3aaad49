// SPDX-License-Identifier: MPL-2.0

package lockfile

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/atomicfile"
	"github.com/openpai/terraform-provider-openpai/internal/statedir"
)

// Cache stores the contents of items by hash.
type Cache struct{ files statedir.Cache }

// NewCache returns the cache in a directory. The directory does not have to exist.
func NewCache(dir string) Cache {
	return Cache{statedir.Cache{
		Dir: dir, Hash: hashFile,
		Entry: func(hash string) string { return strings.TrimPrefix(hash, "h1:") + ".yaml" },
	}}
}

// Get returns the content with the given hash. The error is [statedir.ErrMissing]
// if the cache does not contain the hash. The error is [statedir.ErrChanged] if
// the cached content has a different hash.
func (c Cache) Get(hash string) ([]byte, error) {
	path, err := c.files.Get(hash)
	if err != nil {
		return nil, err
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the cached item %s: %w", hash, err)
	}
	return content, nil
}

// Put stores content under its hash.
func (c Cache) Put(content []byte) error {
	if err := c.files.Prepare(); err != nil {
		return err
	}
	return atomicfile.Write(c.files.Path(hashOf(content)), content, 0o644)
}

// hashFile returns the hash of a file. It accepts only regular files, up to
// the maximum size of an item.
func hashFile(path string) (string, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() || info.Size() > maxBytes {
		return "", errors.New("it must be a regular file and must not exceed the maximum item size")
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	return hashOf(content), nil
}

func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return "h1:" + hex.EncodeToString(sum[:])
}
