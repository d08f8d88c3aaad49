// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
)

// directory reads item files below a directory. It skips hidden directories and
// rejects symbolic links.
type directory struct {
	path    string
	written string // as declared
	limits  Limits
}

// Address implements [Source].
func (d *directory) Address() string { return d.written }

// Items implements [Source].
func (d *directory) Items(ctx context.Context, _ Query) (*Listing, error) {
	root, err := os.OpenRoot(d.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, failed(hclspec.MarketplaceUnreachable, fs.ErrNotExist, "cannot read the directory %s", d.path)
	case errors.Is(err, fs.ErrPermission):
		return nil, failure(hclspec.MarketplaceNotPermitted, "this user may not read %s", d.path)
	case err != nil:
		return nil, failed(hclspec.MarketplaceUnreachable, err, "cannot open %s", d.path)
	}
	defer func() { _ = root.Close() }()
	w := &walk{directory: d, root: root, listing: &Listing{}}
	err = fs.WalkDir(root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return w.visit(name, e, err)
	})
	return w.listing, err
}

// walk is the state of one directory traversal.
type walk struct {
	*directory
	root    *os.Root
	listing *Listing
	files   int
	bytes   int64
}

func (w *walk) problem(e *Error) { w.listing.Problems = append(w.listing.Problems, e) }

func (w *walk) visit(name string, e fs.DirEntry, err error) error {
	switch {
	case err != nil:
		w.problem(failed(hclspec.MarketplaceNotPermitted, err, "%s cannot be read", path.Join(w.path, name)))
		if e != nil && e.IsDir() {
			return fs.SkipDir
		}
		return nil
	case name == ".":
		return nil
	case strings.HasPrefix(e.Name(), "."):
		if e.IsDir() {
			return fs.SkipDir
		}
		return nil
	case e.Type()&fs.ModeSymlink != 0:
		w.problem(failure(UnsafeItem, "%s is a symbolic link; replace it with a file", name))
		return nil
	case e.IsDir() || !IsItemFile(name):
		return nil
	case !e.Type().IsRegular():
		w.problem(failure(UnsafeItem, "%s is not a regular file", name))
		return nil
	}
	if w.files++; w.files > w.limits.Files {
		return failure(hclspec.ItemTooLarge, "%s has more than %d item files", w.path, w.limits.Files)
	}
	src, problem := w.read(name)
	if problem != nil {
		w.problem(problem)
		return nil
	}
	if w.bytes += int64(len(src)); w.bytes > w.limits.ListBytes {
		return failure(hclspec.ItemTooLarge, "the total size of the item files in %s exceeds %s", w.path, quantity.Bytes(w.limits.ListBytes))
	}
	w.listing.AddFile(name, w.place(name), src)
	return nil
}

func (w *walk) place(name string) string { return strings.TrimSuffix(w.written, "/") + "//" + name }

func (w *walk) read(name string) ([]byte, *Error) {
	f, err := w.root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, failed(hclspec.MarketplaceNotPermitted, err, "%s cannot be read", name)
	}
	defer f.Close()
	src, err := bounded(f, w.limits.FileBytes)
	if errors.Is(err, errTooLarge) {
		return nil, failure(hclspec.ItemTooLarge, "%s is larger than %s", name, quantity.Bytes(w.limits.FileBytes))
	}
	if err != nil {
		return nil, failed(hclspec.MarketplaceNotPermitted, err, "%s cannot be read", name)
	}
	return src, nil
}

var errTooLarge = errors.New("too large")

// bounded returns errTooLarge if r contains more than limit bytes.
func bounded(r io.Reader, limit int64) ([]byte, error) {
	src, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(src)) > limit {
		return nil, errTooLarge
	}
	return src, err
}

// Files returns the item files in a directory, or name if it is a file.
func Files(name string) ([]string, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("read the items of %s: %w", name, err)
	}
	if !info.IsDir() {
		return []string{name}, nil
	}
	var files []string
	err = filepath.WalkDir(name, func(file string, e fs.DirEntry, err error) error {
		hidden := file != name && strings.HasPrefix(e.Name(), ".")
		switch {
		case err != nil:
			return err
		case e.IsDir() && hidden:
			return fs.SkipDir
		case e.Type().IsRegular() && !hidden && IsItemFile(file):
			files = append(files, file)
		}
		return nil
	})
	return files, err
}
