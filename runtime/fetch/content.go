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

// content is a whole file that was obtained.
type content struct {
	file *os.File
	// sum is its SHA-256 in hex; empty where it was not declared and has not
	// been computed. verified says that this process has read it and that it
	// is right.
	sum      string
	verified bool
	// owned: nobody else uses the file, so that it may be moved away.
	owned bool
	// cached reports where it is in the cache.
	cached *object
	done   func()
}

func (c *content) close() {
	_ = c.file.Close()
	if c.done != nil {
		c.done()
	}
}

// openLocal opens a file of this machine. Such files are not cached.
func (j *job) openLocal() (*content, error) {
	info, err := os.Stat(j.address.Path) // to open a pipe may take for ever
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &sourceError{errors.New("there is no such file on this machine")}
	}
	if err != nil {
		return nil, &sourceError{err}
	}
	if !info.Mode().IsRegular() {
		return nil, &sourceError{errors.New("it is not a file")}
	}
	file, err := os.Open(j.address.Path)
	if err != nil {
		return nil, &sourceError{err}
	}
	return &content{file: file, sum: strings.ToLower(j.want.SHA256)}, nil
}

// verify reads a file whose sum is not certain.
func (c *content) verify(ctx context.Context) error {
	if c.verified || c.sum == "" {
		return nil
	}
	sum, err := checksum(ctx, c.file)
	if err != nil {
		return err
	}
	if err := c.compare(sum); err != nil {
		return err
	}
	c.verified = true
	_, err = c.file.Seek(0, io.SeekStart)
	return err
}

// compare checks a computed sum. A damaged object of the cache is removed.
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
	return &checksumError{fmt.Sprintf("the content has the sha256 %s, but %s is declared; check which of both is right", got, strings.ToLower(want))}
}

func checksum(ctx context.Context, r io.Reader) (string, error) {
	hash := sha256.New()
	if _, err := io.CopyBuffer(hash, contextReader{ctx, r}, make([]byte, copySize)); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// fileMatches reports whether the file exists with that sum.
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

// copySize is how much is read at once.
const copySize = 256 << 10

// contextReader is a reader that ends with the context.
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
