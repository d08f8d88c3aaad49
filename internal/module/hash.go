// SPDX-License-Identifier: MPL-2.0

package module

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/openpai/terraform-provider-openpai/internal/quantity"
)

// Limits of a package: number of files and total size in bytes.
const (
	MaxFiles = 10_000
	MaxBytes = 64 << 20
)

// Hash returns the hash of the files in a directory. The hash is "h1:" followed
// by a SHA-256 digest in hex. Its input is a sorted list of all files and links.
// Each entry contains the hash of the file's content or of the link's target.
// The hash does not depend on modes, times or empty directories. Hash ignores
// files and directories whose names are in skip, at any depth.
func Hash(dir string, skip ...string) (string, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", err
	}
	defer func() { _ = root.Close() }()
	t := &tally{root: root, sum: sha256.New(), skip: skip}
	if err := fs.WalkDir(root.FS(), ".", t.visit); err != nil { // in lexical order
		return "", err
	}
	return "h1:" + hex.EncodeToString(t.sum.Sum(nil)), nil
}

// tally is the state of one traversal of a directory.
type tally struct {
	root  *os.Root
	sum   hash.Hash
	skip  []string
	files int
	bytes int64
}

func (t *tally) visit(name string, e fs.DirEntry, err error) error {
	if err != nil {
		return err
	}
	for _, s := range t.skip {
		if e.Name() == s && e.IsDir() {
			return fs.SkipDir
		} else if e.Name() == s {
			return nil
		}
	}
	if t.files++; t.files > MaxFiles {
		return fmt.Errorf("it contains more than %d files", MaxFiles)
	}
	if !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) {
		return fmt.Errorf("invalid file name %q: must be printable UTF-8", name)
	}
	switch {
	case e.IsDir():
		return nil
	case e.Type()&fs.ModeSymlink != 0:
		return t.link(name)
	case e.Type().IsRegular():
		return t.file(name)
	}
	return fmt.Errorf("%s is not a file, directory or link; remove it", name)
}

func (t *tally) link(name string) error {
	target, err := t.root.Readlink(name)
	if err != nil {
		return err
	}
	// The hash of a link includes only the path of its target. The target must be
	// in the directory, because the hash includes all contents of the directory.
	if _, err := t.root.Stat(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the link %s leads out of the directory or is part of a cycle; change its target or remove the link", name)
	}
	t.line("link", sha256.Sum256([]byte(target)), name)
	return nil
}

func (t *tally) file(name string) error {
	f, err := t.root.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	content := sha256.New()
	n, err := io.Copy(content, io.LimitReader(f, MaxBytes-t.bytes+1))
	if err != nil {
		return err
	}
	if t.bytes += n; t.bytes > MaxBytes {
		return fmt.Errorf("the total size of its files exceeds %s", quantity.Bytes(MaxBytes))
	}
	t.line("file", [sha256.Size]byte(content.Sum(nil)), name)
	return nil
}

func (t *tally) line(kind string, sum [sha256.Size]byte, name string) {
	_, _ = fmt.Fprintf(t.sum, "%s %x %s\n", kind, sum, name)
}
