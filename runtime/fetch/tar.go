// SPDX-License-Identifier: MPL-2.0

package fetch

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
)

// untar adds every entry of a tar stream to the tree. It reads to the end, so
// that the decompressor verifies the checksum.
func (t *tree) untar(r io.Reader) error {
	blocks := &blockReader{r: r}
	for in := tar.NewReader(blocks); ; {
		if err := t.drain(in); err != nil { // discards the rest of a skipped entry
			return err
		}
		header := (blocks.read + tarBlock - 1) / tarBlock * tarBlock
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			if blocks.read < header+tarBlock || blocks.zeros < tarBlock {
				return corruptArchive(errNoEndMark)
			}
			return t.drain(r)
		}
		if err != nil {
			return corruptArchive(err)
		}
		if h.Typeflag == tar.TypeXGlobalHeader {
			continue
		}
		e := entry{name: h.Name, mode: h.FileInfo().Mode(), link: h.Linkname, hard: h.Typeflag == tar.TypeLink, content: in}
		if err := t.add(e); err != nil {
			return corruptArchive(err)
		}
	}
}

// errNoEndMark is the error for a stream that ends between two entries. The
// standard library does not report this truncation.
var errNoEndMark = errors.New("the end mark of the tar archive is missing; the file is truncated")

// blockReader counts the bytes read from a stream. The field zeros is the
// number of zero bytes at the end of the data read so far.
type blockReader struct {
	r           io.Reader
	read, zeros int64
}

func (b *blockReader) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	b.read += int64(n)
	rest := len(bytes.TrimRight(p[:n], "\x00"))
	if rest > 0 {
		b.zeros = 0
	}
	b.zeros += int64(n - rest)
	return n, err
}

// drain discards a skipped entry, or data after the end of the archive. The data
// counts toward the budget, because skipped data can also contain a
// decompression bomb.
func (t *tree) drain(r io.Reader) error {
	buf := make([]byte, copySize)
	for {
		n, err := r.Read(buf)
		if e := t.budget.reserve(int64(n)); e != nil {
			return e
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return corruptArchive(err)
		}
	}
}
