// SPDX-License-Identifier: MPL-2.0

package fetch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// stagingPattern is the name pattern for files that Fetch prepares next to
// the target.
const stagingPattern = ".fetch-*"

func (j *job) place(ctx context.Context, c *content) error {
	if j.tree {
		if err := c.verify(ctx); err != nil {
			return err
		}
		return j.placeTree(ctx, c)
	}
	if c.owned && c.verified {
		if err := c.file.Chmod(0o644); err != nil {
			return err
		}
		return os.Rename(c.file.Name(), j.target)
	}
	return j.copyTo(ctx, c)
}

// copyTo verifies a copy next to the target before renaming the copy.
func (j *job) copyTo(ctx context.Context, c *content) (err error) {
	tmp, err := os.CreateTemp(filepath.Dir(j.target), stagingPattern)
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, tmp.Close()); err != nil {
			_ = os.Remove(tmp.Name())
		}
	}()
	hash := sha256.New()
	if _, err := io.CopyBuffer(io.MultiWriter(tmp, hash), contextReader{ctx, c.file}, make([]byte, copySize)); err != nil {
		return err
	}
	sum := hex.EncodeToString(hash.Sum(nil))
	if err := c.compare(sum); err != nil {
		return err
	}
	c.sum = sum
	if err := tmp.Chmod(0o644); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), j.target)
}

// placeTree moves the unpacked directory in one step if the target does not exist.
// Otherwise, it moves the files into the target one by one.
func (j *job) placeTree(ctx context.Context, c *content) error {
	tmp, err := os.MkdirTemp(j.staging(), stagingPattern)
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(tmp) }()
	if err := os.Chmod(tmp, 0o755); err != nil {
		return err
	}
	if err := j.unpack(ctx, c.file, tmp); err != nil {
		return err
	}
	return j.publishTree(tmp)
}

func (j *job) publishTree(tmp string) error {
	if _, err := os.Lstat(j.target); errors.Is(err, fs.ErrNotExist) {
		if err := os.Rename(tmp, j.target); err == nil || !errors.Is(err, fs.ErrExist) && !errors.Is(err, syscall.ENOTEMPTY) {
			return err
		}
	}
	if filepath.Dir(tmp) != j.target {
		inside := filepath.Join(j.target, filepath.Base(tmp))
		if err := os.Rename(tmp, inside); err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(inside) }()
		tmp = inside
	}
	return merge(tmp, j.target)
}
