// SPDX-License-Identifier: MPL-2.0

package fetch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// merge moves all entries from one directory to another. It atomically replaces
// existing files, and merges directories. If a file conflicts with a directory,
// merge returns an error and moves no entries. It does not follow links that
// point outside the target.
func merge(from, to string) error {
	target, err := os.OpenRoot(to)
	if err != nil {
		return err
	}
	defer func() { _ = target.Close() }()
	m := &merging{from: from, to: to, target: target}
	if err := m.each(".", m.conflict); err != nil {
		return err
	}
	return m.each(".", m.move)
}

type merging struct {
	from, to string
	target   *os.Root
}

// each calls visit for every entry in a directory. If visit returns true,
// each also processes the entries in this subdirectory.
func (m *merging) each(dir string, visit func(name string, e fs.DirEntry) (into bool, err error)) error {
	entries, err := os.ReadDir(filepath.Join(m.from, dir))
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		into, err := visit(name, e)
		if err == nil && into {
			err = m.each(name, visit)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (m *merging) conflict(name string, e fs.DirEntry) (into bool, err error) {
	there, err := m.target.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case there.IsDir() != e.IsDir():
		return false, fmt.Errorf("%s conflicts with %q in the archive; remove the existing file or directory, or unpack into a different directory", filepath.Join(m.to, name), name)
	}
	return e.IsDir(), nil
}

func (m *merging) move(name string, e fs.DirEntry) (into bool, err error) {
	if e.IsDir() {
		if _, err := m.target.Lstat(name); err == nil {
			return true, nil
		}
	}
	return false, m.rename(name)
}

func (m *merging) rename(name string) error {
	inside, err := filepath.Rel(m.to, m.from)
	if err != nil {
		return err
	}
	return m.target.Rename(path.Join(filepath.ToSlash(inside), name), name)
}
