package fetch

import (
	"archive/tar"
	"errors"
	"io"
)

// untar adds every entry of a tar stream. It reads to the end of the stream,
// so that the check sum of the compression is checked as well.
func (t *tree) untar(r io.Reader) error {
	for in := tar.NewReader(r); ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return t.drain(r)
		}
		if err != nil {
			return damaged(err)
		}
		if h.Typeflag == tar.TypeXGlobalHeader {
			continue
		}
		e := entry{name: h.Name, mode: h.FileInfo().Mode(), link: h.Linkname, hard: h.Typeflag == tar.TypeLink, content: in}
		if err := t.add(e); err != nil {
			return damaged(err)
		}
	}
}

// drain reads what follows the end of the archive, which counts as content: a
// bomb may be there, too.
func (t *tree) drain(r io.Reader) error {
	buf := make([]byte, copySize)
	for {
		n, err := r.Read(buf)
		if e := t.left.take(int64(n)); e != nil {
			return e
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return damaged(err)
		}
	}
}
