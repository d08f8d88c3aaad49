// SPDX-License-Identifier: MPL-2.0

package fetch

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// entry is one entry of an archive.
type entry struct {
	name    string
	mode    fs.FileMode
	link    string
	hard    bool
	content io.Reader
}

// nameBytes is the maximum length of a path, in bytes. It is PATH_MAX on Linux.
const nameBytes = 4096

// tree is a directory into which an archive is unpacked. It rejects entries
// that lead outside the directory.
type tree struct {
	ctx    context.Context
	root   *os.Root
	strip  int
	budget *budget
	links  []string
	buf    []byte
	parents
}

// parents caches the name of the last parent directory that the tree created.
type parents struct{ last string }

func newTree(ctx context.Context, dir string, strip int, limit *budget) (*tree, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &tree{ctx: ctx, root: root, strip: strip, budget: limit, buf: make([]byte, copySize)}, nil
}

func (t *tree) close() { _ = t.root.Close() }

// add writes one entry.
func (t *tree) add(e entry) error {
	if err := t.budget.entry(); err != nil {
		return &archiveError{err}
	}
	name, inside := clean(e.name)
	if !inside {
		return archiveErrorf("%q would be outside the directory", shorten(e.name))
	}
	if name = stripped(name, t.strip); name == "" {
		return nil
	}
	if err := t.parent(name); err != nil {
		return err
	}
	switch {
	case e.hard:
		return t.hardLink(name, e)
	case e.mode.IsDir():
		return t.directory(name)
	case e.mode&fs.ModeSymlink != 0:
		return t.symlink(name, e)
	case e.mode.IsRegular():
		return t.file(name, e)
	}
	return archiveErrorf("%q is neither a file nor a directory nor a link", shorten(e.name))
}

// clean returns false if the path of the entry is outside the tree.
func clean(name string) (string, bool) {
	cleaned := path.Clean(strings.TrimRight(name, "/"))
	if name == "" || len(name) > nameBytes || strings.HasPrefix(name, "/") || strings.Contains(name, "\x00") {
		return "", false
	}
	return cleaned, filepath.IsLocal(cleaned)
}

// stripped returns a path without its first n elements. It returns "" for "." and
// for shorter paths.
func stripped(name string, n int) string {
	for range n {
		_, name, _ = strings.Cut(name, "/")
	}
	if name == "." {
		return ""
	}
	return name
}

func shorten(name string) string {
	if len(name) > 200 {
		return name[:200] + "..."
	}
	return name
}

func (t *tree) parent(name string) error {
	dir := path.Dir(name)
	if dir == "." || dir == t.last {
		return nil
	}
	if err := t.root.MkdirAll(dir, 0o755); err != nil {
		return t.obstacleError(dir, err)
	}
	t.last = dir
	return nil
}

func (t *tree) directory(name string) error {
	if err := t.root.MkdirAll(name, 0o755); err != nil {
		return t.obstacleError(name, err)
	}
	return nil
}

func (t *tree) obstacleError(name string, err error) error {
	return archiveErrorf("%q cannot be created: %w", shorten(name), err)
}

// removeObstacle removes an earlier entry with the same name.
func (t *tree) removeObstacle(name string) error {
	t.last = ""
	if err := t.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return t.obstacleError(name, err)
	}
	return nil
}

// symlink creates a link whose target must be inside the tree.
func (t *tree) symlink(name string, e entry) error {
	if strings.HasPrefix(e.link, "/") || !filepath.IsLocal(path.Join(path.Dir(name), e.link)) {
		return archiveErrorf("the link %q leads out of the directory, to %q", shorten(e.name), shorten(e.link))
	}
	if err := t.removeObstacle(name); err != nil {
		return err
	}
	t.links = append(t.links, name)
	if err := t.root.Symlink(e.link, name); err != nil {
		return t.obstacleError(name, err)
	}
	return nil
}

func (t *tree) hardLink(name string, e entry) error {
	target, inside := clean(e.link)
	if target = stripped(target, t.strip); !inside || target == "" {
		return archiveErrorf("the link %q leads out of the directory, to %q", shorten(e.name), shorten(e.link))
	}
	if target == name {
		return nil
	}
	info, err := t.root.Lstat(target)
	if err != nil || !info.Mode().IsRegular() {
		return archiveErrorf("%q is a link to %q, which is not an earlier file in the archive", shorten(e.name), shorten(e.link))
	}
	if err := t.removeObstacle(name); err != nil {
		return err
	}
	if err := t.root.Link(target, name); err != nil {
		return t.obstacleError(name, err)
	}
	return nil
}

func (t *tree) file(name string, e entry) error {
	f, err := t.create(name, e.mode.Perm()&0o755|0o600)
	if err != nil {
		return err
	}
	return errors.Join(t.fill(f, e.content), f.Close())
}

func (t *tree) create(name string, mode fs.FileMode) (*os.File, error) {
	f, err := t.root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if !errors.Is(err, fs.ErrExist) {
		if err != nil {
			return nil, t.obstacleError(name, err)
		}
		return f, nil
	}
	if err := t.removeObstacle(name); err != nil {
		return nil, err
	}
	if f, err = t.root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode); err != nil {
		return nil, t.obstacleError(name, err)
	}
	return f, nil
}

func (t *tree) fill(f *os.File, content io.Reader) error {
	for {
		n, err := content.Read(t.buf)
		if e := t.budget.reserve(int64(n)); e != nil {
			return &archiveError{e}
		}
		if _, e := f.Write(t.buf[:n]); e != nil {
			return &archiveError{e}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// finish rejects links whose final target is outside the directory. A check of
// the direct target is not sufficient, because the direct target can also be a
// link.
func (t *tree) finish() error {
	for _, name := range t.links {
		if info, err := t.root.Lstat(name); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			continue // another entry replaced it
		}
		if _, err := t.root.Stat(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return archiveErrorf("the link %q leads out of the directory or is part of a cycle", shorten(name))
		}
	}
	return nil
}
