// SPDX-License-Identifier: MPL-2.0

package lockfile

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/atomicfile"
)

// Cache is the directory that stores the contents of items by hash.
type Cache string

// ErrMissing is returned if the cache does not have the content.
var ErrMissing = errors.New("not in the cache")

// ErrChanged is returned if the cached content does not match its hash.
var ErrChanged = errors.New("changed in the cache")

// Get returns the content with the given hash. It verifies the hash each time,
// because the cache directory may be modified by mistake.
func (c Cache) Get(hash string) ([]byte, error) {
	info, err := os.Lstat(c.path(hash))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, ErrMissing
	case err == nil && (!info.Mode().IsRegular() || info.Size() > maxBytes):
		return nil, ErrChanged // not written by this program
	}
	content, err := os.ReadFile(c.path(hash))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read the cached item %s: %w", hash, err)
	case hashOf(content) != hash:
		return nil, ErrChanged
	}
	return content, nil
}

// Put stores content under its hash.
func (c Cache) Put(content []byte) error {
	if err := os.MkdirAll(string(c), 0o755); err != nil {
		return fmt.Errorf("make the cache of items: %w", err)
	}
	return atomicfile.Write(c.path(hashOf(content)), content, 0o644)
}

func (c Cache) path(hash string) string {
	return filepath.Join(string(c), strings.TrimPrefix(hash, "h1:")+".yaml")
}

func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return "h1:" + hex.EncodeToString(sum[:])
}
