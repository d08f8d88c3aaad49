//go:build unix

package runtime

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// extract unpacks a zip or tar archive (also .gz, .bz2) into dir. Kinds are
// told by content. Nothing is written outside dir, whatever the archive says:
// an entry that tries is an error.
func extract(ctx context.Context, archive, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	in := bufio.NewReader(untilDone{ctx, f})
	head, _ := in.Peek(4)
	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		info, err := f.Stat()
		if err != nil {
			return err
		}
		return unzip(ctx, f, info.Size(), root)
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		z, err := gzip.NewReader(in)
		if err != nil {
			return err
		}
		return untar(z, root)
	case bytes.HasPrefix(head, []byte("BZh")):
		return untar(bzip2.NewReader(in), root)
	}
	return untar(in, root)
}

func untar(r io.Reader, root *os.Root) error {
	for in := tar.NewReader(r); ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("it is no zip or tar archive, or is damaged: %w", err)
		}
		if err := place(root, entry{name: h.Name, mode: h.FileInfo().Mode(), link: h.Linkname, hard: h.Typeflag == tar.TypeLink, content: in}); err != nil {
			return err
		}
	}
}

func unzip(ctx context.Context, f io.ReaderAt, size int64, root *os.Root) error {
	z, err := zip.NewReader(f, size)
	if err != nil {
		return err
	}
	for _, file := range z.File {
		if err := unzipOne(ctx, file, root); err != nil {
			return err
		}
	}
	return nil
}

func unzipOne(ctx context.Context, file *zip.File, root *os.Root) error {
	content, err := file.Open()
	if err != nil {
		return fmt.Errorf("%q: %w", file.Name, err)
	}
	defer func() { _ = content.Close() }()
	e := entry{name: file.Name, mode: file.Mode(), content: untilDone{ctx, content}}
	if e.mode&fs.ModeSymlink != 0 {
		target, err := io.ReadAll(io.LimitReader(content, 4096))
		if err != nil {
			return err
		}
		e.link = string(target)
	}
	return place(root, e)
}

// entry is one entry of an archive.
type entry struct {
	name    string
	mode    fs.FileMode
	link    string
	hard    bool
	content io.Reader
}

func place(root *os.Root, e entry) error {
	name := path.Clean(strings.TrimSuffix(e.name, "/"))
	if !filepath.IsLocal(name) {
		return fmt.Errorf("%q would be outside of the directory", e.name)
	}
	if name == "." {
		return nil
	}
	if parent := path.Dir(name); parent != "." {
		if err := root.MkdirAll(parent, 0o755); err != nil {
			return err
		}
	}
	switch {
	case e.hard:
		return placeLink(root, name, e, path.Clean(e.link))
	case e.mode.IsDir():
		return root.MkdirAll(name, 0o755)
	case e.mode&fs.ModeSymlink != 0:
		return placeLink(root, name, e, path.Join(path.Dir(name), e.link))
	case e.mode.IsRegular():
		return placeFile(root, name, e)
	}
	return fmt.Errorf("%q is neither a file, a directory nor a link", e.name)
}

// placeLink makes a link whose target, seen from the directory, stays inside.
func placeLink(root *os.Root, name string, e entry, target string) error {
	if path.IsAbs(e.link) || !filepath.IsLocal(target) {
		return fmt.Errorf("the link %q leads out of the directory, to %q", e.name, e.link)
	}
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if e.hard {
		return root.Link(target, name)
	}
	return root.Symlink(e.link, name)
}

func placeFile(root *os.Root, name string, e entry) error {
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, e.mode.Perm()&0o755|0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, e.content)
	return errors.Join(err, f.Close())
}
