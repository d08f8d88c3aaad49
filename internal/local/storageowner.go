// SPDX-License-Identifier: MPL-2.0

package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// createdStorage is the record of a directory that openpai created for a
// storage. It identifies the storage's owner.
type createdStorage struct {
	Address    hclspec.Address  `json:"address"`
	Directory  string           `json:"directory"`
	DeclaredBy planner.Declarer `json:"declared_by"`
	// Creating is true until the directory exists.
	Creating bool `json:"creating,omitempty"`
}

// CreateStorage implements cluster.StorageOwner. If the directory already exists,
// CreateStorage records no owner. openpai then never deletes the directory.
func (c *Cluster) CreateStorage(ctx context.Context, s *hclspec.Storage) (created bool, err error) {
	dir := c.storageDirectory(s)
	file := c.layout.StorageFile(dir)
	if dir == "" || isDirectory(dir) && !store.Exists(file) {
		return false, nil
	}
	release, err := c.acquire()
	if err != nil {
		return false, err
	}
	defer release()
	switch owned, err := c.HasOwner(ctx, s); {
	case err != nil:
		return false, err
	case owned:
		return false, cluster.ErrStorageTaken
	}
	now := createdStorage{Address: s.Address(), Directory: dir, DeclaredBy: planner.DeclaredByTerraform, Creating: true}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return false, fmt.Errorf("create the directory for storage records: %w", err)
	}
	if err := store.WriteJSON(file, now); err != nil {
		return false, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return false, errors.Join(err, os.Remove(file))
	}
	now.Creating = false
	return true, store.WriteJSON(file, now)
}

// HasOwner implements cluster.StorageOwner.
func (c *Cluster) HasOwner(_ context.Context, s *hclspec.Storage) (bool, error) {
	dir := c.storageDirectory(s)
	if dir == "" || !isDirectory(dir) {
		return false, nil
	}
	var created createdStorage
	err := store.ReadJSON(c.layout.StorageFile(dir), &created)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return created.Address != "" && !created.Creating, err
}

// IsOwned implements cluster.StorageOwner.
func (c *Cluster) IsOwned(ctx context.Context, s *hclspec.Storage) (bool, error) {
	return c.HasOwner(ctx, s)
}

// ReleaseStorage implements cluster.StorageOwner.
func (c *Cluster) ReleaseStorage(_ context.Context, s *hclspec.Storage) error {
	return c.forgetStorage(s, func(string) error { return nil })
}

// RemoveStorage implements cluster.StorageOwner. It deletes the directory and its
// content.
func (c *Cluster) RemoveStorage(_ context.Context, s *hclspec.Storage) error {
	return c.forgetStorage(s, os.RemoveAll)
}

// forgetStorage calls do for the directory, and then removes the ownership
// record.
func (c *Cluster) forgetStorage(s *hclspec.Storage, do func(dir string) error) error {
	dir := c.storageDirectory(s)
	file := c.layout.StorageFile(dir)
	if dir == "" {
		return nil
	}
	if !store.Exists(file) { // the directory existed before, or an earlier version created it
		return do(dir)
	}
	release, err := c.acquire()
	if err != nil {
		return err
	}
	defer release()
	if err := do(dir); err != nil {
		return err
	}
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	_ = os.Remove(filepath.Dir(file)) // fails if the directory is not empty
	return nil
}

// storageDirectory returns the absolute path of a storage's directory, or "" if
// the storage is not a directory.
func (c *Cluster) storageDirectory(s *hclspec.Storage) string {
	if s.HostPath == "" || filepath.IsAbs(s.HostPath) {
		return s.HostPath
	}
	return filepath.Join(c.dir, s.HostPath)
}

func isDirectory(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.IsDir()
}
