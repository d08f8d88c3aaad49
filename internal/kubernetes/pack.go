// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"sync"
)

// maxUnpacked limits the uncompressed size of a record.
const maxUnpacked = 16 << 20

// packers holds compressors for reuse. A new compressor clears a megabyte of memory,
// which takes longer than compressing a record.
var packers = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

// unpackers holds decompressors for reuse. A new decompressor allocates 40 KiB, more
// than a record contains.
var unpackers = sync.Pool{New: func() any { return new(gzip.Reader) }}

// pack compresses data deterministically.
func pack(text []byte) []byte {
	zw := packers.Get().(*gzip.Writer)
	defer packers.Put(zw)
	var out bytes.Buffer
	zw.Reset(&out)
	_, _ = zw.Write(text) // a buffer never fails
	_ = zw.Close()
	return out.Bytes()
}

// unpack decompresses a record; it returns nil for empty input.
func unpack(packed []byte) ([]byte, error) {
	if len(packed) == 0 {
		return nil, nil
	}
	zr := unpackers.Get().(*gzip.Reader)
	defer unpackers.Put(zr)
	if err := zr.Reset(bytes.NewReader(packed)); err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(zr, maxUnpacked+1))
	if err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	if len(text) > maxUnpacked {
		return nil, fmt.Errorf("decompress: it has more than %d bytes", maxUnpacked)
	}
	return text, nil
}
