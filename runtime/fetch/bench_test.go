// SPDX-License-Identifier: MPL-2.0

//go:build unix

package fetch

import (
	"archive/tar"
	"bytes"
	"io"
	"net/http"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// BenchmarkFetch fetches 64 MiB from a local server as a file, as a tar archive of
// 64 files, and from the cache.
func BenchmarkFetch(b *testing.B) {
	const total = 64 << 20
	file, sum := "/f", sumOfBody(b, total)
	archive := tarOfBody(b, 64, total/64)
	archiveSum, err := checksum(b.Context(), bytes.NewReader(archive))
	if err != nil {
		b.Fatal(err)
	}
	s := newServer(b, total, func(_ int, w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != file {
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(archive))
		}
		return r.URL.Path != file
	})
	for name, c := range map[string]struct {
		extract, cached bool
	}{"download": {}, "download and unpack": {extract: true}, "from the cache": {cached: true}, "from the cache and unpack": {extract: true, cached: true}} {
		b.Run(name, func(b *testing.B) {
			f := newFetcher("")
			if c.cached {
				f.Cache = b.TempDir()
			}
			request := want(s.URL+file, "", sum)
			if c.extract {
				request.URL, request.SHA256, request.Extract = s.URL+"/archive", archiveSum, true
			}
			b.SetBytes(total)
			for i := 0; b.Loop(); i++ {
				request.To = filepath.Join(b.TempDir(), strconv.Itoa(i))
				if err := f.Fetch(b.Context(), request); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func tarOfBody(b *testing.B, files int, each int64) []byte {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for i := range files {
		if err := w.WriteHeader(&tar.Header{Name: strconv.Itoa(i), Size: each, Mode: 0o644, Typeflag: tar.TypeReg}); err != nil {
			b.Fatal(err)
		}
		if _, err := io.Copy(w, &body{size: each}); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	return out.Bytes()
}
