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

// packers and fastPackers are pools of reusable compressors. A new compressor
// clears 1 MB of memory, which takes longer than compressing a record.
var (
	packers     = packersOf(gzip.DefaultCompression)
	fastPackers = packersOf(gzip.BestSpeed)
)

// fastLimit is the size in bytes below which pack compresses for speed. At the default
// level, a compressor clears 640 KiB of memory for each input. For a small input,
// clearing this memory takes longer than compressing the input. With the default
// level, the result is only 7% smaller than with the fastest level.
const fastLimit = 64 << 10

func packersOf(level int) *sync.Pool {
	return &sync.Pool{New: func() any {
		zw, err := gzip.NewWriterLevel(nil, level)
		if err != nil {
			panic("kubernetes: " + err.Error()) // the level is valid
		}
		return zw
	}}
}

// unpackers contains decompressors for reuse. A new decompressor allocates 40
// KiB, more than the size of a record.
var unpackers = sync.Pool{New: func() any { return new(gzip.Reader) }}

// pack compresses data deterministically.
func pack(text []byte) []byte {
	pool := packers
	if len(text) < fastLimit {
		pool = fastPackers
	}
	zw := pool.Get().(*gzip.Writer)
	defer pool.Put(zw)
	var out bytes.Buffer
	zw.Reset(&out)
	_, _ = zw.Write(text) // a buffer never fails
	_ = zw.Close()
	return out.Bytes()
}

// unpack returns nil for empty input.
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
		return nil, fmt.Errorf("decompress: the content exceeds %d bytes", maxUnpacked)
	}
	return text, nil
}
