// SPDX-License-Identifier: MPL-2.0

package fetch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// content is a complete file.
type content struct {
	file *os.File
	// sum is the SHA-256 in hex, or "" if the sum was neither declared nor
	// computed. verified is set if this process has checked that the file has
	// this sum.
	sum      string
	verified bool
	// owned is set if no other process uses the file. Such a file may be moved.
	owned bool
	// cached is the object in the cache, or nil if the content is not cached.
	cached *object
	// commit is the commit of a fetched git tree.
	commit string
	done   func()
}

func (c *content) close() {
	_ = c.file.Close()
	if c.done != nil {
		c.done()
	}
}

// openLocal opens a local file, which is never cached.
func (j *job) openLocal() (*content, error) {
	info, err := os.Stat(j.address.Path) // opening a named pipe could block forever
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &sourceError{errors.New("the file does not exist on this machine")}
	}
	if err != nil {
		return nil, &sourceError{withoutPath(err)}
	}
	if !info.Mode().IsRegular() {
		return nil, &sourceError{errors.New("it is not a regular file")}
	}
	file, err := os.Open(j.address.Path)
	if err != nil {
		return nil, &sourceError{withoutPath(err)}
	}
	return &content{file: file, sum: strings.ToLower(j.want.SHA256)}, nil
}

// withoutPath removes the absolute path, because the request's URL already
// precedes the error.
func withoutPath(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// verify checks a file's sum unless this process has already verified the file.
// If a local file has no declared sum, verify only computes the sum.
func (c *content) verify(ctx context.Context) error {
	if c.verified {
		return nil
	}
	sum, err := checksum(ctx, c.file)
	if err != nil {
		return err
	}
	if err := c.compare(sum); err != nil {
		return err
	}
	c.sum, c.verified = sum, true
	_, err = c.file.Seek(0, io.SeekStart)
	return err
}

// compare removes a damaged object from the cache.
func (c *content) compare(sum string) error {
	switch {
	case c.sum == "" || sum == c.sum:
		return nil
	case c.cached != nil:
		c.cached.remove()
		return errCorrupt
	}
	return mismatch(sum, c.sum)
}

func mismatch(got, want string) error {
	return &checksumError{fmt.Sprintf("the content has the sha256 %s, but the declared sha256 is %s; check which of them is correct", got, strings.ToLower(want))}
}

func checksum(ctx context.Context, r io.Reader) (string, error) {
	hash := sha256.New()
	if _, err := io.CopyBuffer(hash, contextReader{ctx, r}, make([]byte, copySize)); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

func fileMatches(ctx context.Context, name, sum string) bool {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	got, err := checksum(ctx, f)
	return err == nil && strings.EqualFold(got, sum)
}

// copySize is the buffer size for reading.
const copySize = 256 << 10

// contextReader is a reader that fails when the context ends.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (u contextReader) Read(p []byte) (int, error) {
	if u.ctx.Err() != nil {
		return 0, context.Cause(u.ctx)
	}
	return u.r.Read(p)
}
