// SPDX-License-Identifier: MPL-2.0

package fetch

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// ErrNotArchive reports that the file to unpack is not an archive.
var ErrNotArchive = errors.New("it is not an archive")

// windowBytes is the maximum window size of a zstd frame. It equals the
// window size of zstd --long=27. The limit is necessary because the window
// must fit in memory.
const windowBytes = 128 << 20

// unpack unpacks a zip or tar archive into an empty directory. A tar archive may be
// compressed with gzip, bzip2 or zstd. If a compressed file is not an archive,
// unpack writes the decompressed file without the suffix. The content, not the
// name, determines the format.
func (j *job) unpack(ctx context.Context, file *os.File, dir string) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	t, err := newTree(ctx, dir, j.want.Strip, j.Limits.budget(info.Size()))
	if err != nil {
		return err
	}
	defer t.close()
	if err = j.unpackInto(t, file, info.Size()); err == nil {
		err = t.finish()
	}
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("the archive cannot be unpacked: %w", err)
	}
	return err
}

func (j *job) unpackInto(t *tree, file *os.File, size int64) error {
	in := bufio.NewReaderSize(contextReader{t.ctx, file}, copySize)
	head, err := in.Peek(8)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if foreign := unsupportedFormat(head); foreign != "" {
		return fmt.Errorf("it is a %s file, which this runtime cannot read; use tar, tar.gz, tar.bz2, tar.zst or zip, or unpack it in a callback", foreign)
	}
	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return t.unzip(file, size)
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		z, err := gzip.NewReader(in)
		if err != nil {
			return corruptArchive(err)
		}
		return j.unpackStream(t, z, ".gz")
	case bytes.HasPrefix(head, []byte("BZh")):
		return j.unpackStream(t, bzip2.NewReader(in), ".bz2")
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")):
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(windowBytes))
		if err != nil {
			return corruptArchive(err)
		}
		defer z.Close()
		return j.unpackStream(t, z, ".zst")
	}
	return j.unpackStream(t, in, "")
}

// unsupportedFormat returns the name of a known format that cannot be unpacked,
// or "".
func unsupportedFormat(head []byte) string {
	for magic, kind := range map[string]string{"\xfd7zXZ\x00": "xz", "7z\xbc\xaf\x27\x1c": "7-Zip", "Rar!": "RAR", "\x1f\x9d": "compress (.Z)", "LZIP": "lzip"} {
		if bytes.HasPrefix(head, []byte(magic)) {
			return kind
		}
	}
	return ""
}

// unpackStream unpacks decompressed data. suffix is the compression's file
// suffix, or "" if the file is not compressed.
func (j *job) unpackStream(t *tree, r io.Reader, suffix string) error {
	in := bufio.NewReaderSize(r, copySize)
	if head, _ := in.Peek(tarBlock); isTar(head) {
		return t.untar(in)
	}
	if suffix == "" {
		return fmt.Errorf("%w; omit extract to fetch it unchanged", ErrNotArchive)
	}
	name := strings.TrimSuffix(j.address.Name, suffix)
	if name == "" || strings.HasPrefix(name, ".") {
		name = "content"
	}
	if err := t.add(entry{name: path.Base(name), content: in, mode: 0o644}); err != nil {
		return corruptArchive(err)
	}
	return nil
}

const tarBlock = 512

// isTar reports whether head is the start of a tar archive, which may be empty.
// It verifies the header checksum, because older formats have no magic number.
func isTar(head []byte) bool {
	if len(head) < tarBlock {
		return false
	}
	_, err := tar.NewReader(bytes.NewReader(head)).Next()
	return err == nil || errors.Is(err, io.EOF) && len(bytes.Trim(head, "\x00")) == 0 || errors.Is(err, io.ErrUnexpectedEOF)
}

// corruptArchive wraps a decompressor error.
func corruptArchive(err error) error {
	var known *archiveError
	if errors.As(err, &known) {
		return err
	}
	return fmt.Errorf("it is damaged: %w", err)
}

// archiveError is an error that corruptArchive returns unchanged.
type archiveError struct{ error }

func archiveErrorf(format string, args ...any) error {
	return &archiveError{fmt.Errorf(format, args...)}
}
