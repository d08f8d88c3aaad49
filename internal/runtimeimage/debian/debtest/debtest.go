// SPDX-License-Identifier: MPL-2.0

package debtest

import (
	"archive/tar"
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ulikunitz/xz"
)

// Package returns a Debian package that contains the given files. The keys of files
// are absolute paths.
func Package(t testing.TB, files map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	out.WriteString("!<arch>\n")
	member(&out, "debian-binary", []byte("2.0\n"))
	member(&out, "control.tar.xz", []byte("odd")) // odd length, so that the next member begins after a padding byte
	member(&out, "data.tar.xz", data(t, files))
	return out.Bytes()
}

func member(out *bytes.Buffer, name string, content []byte) {
	fmt.Fprintf(out, "%-16s%-12d%-6d%-6d%-8o%-10d`\n", name, 0, 0, 0, 0o100644, len(content))
	out.Write(content)
	if len(content)%2 == 1 {
		out.WriteByte('\n')
	}
}

func data(t testing.TB, files map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	packed, err := xz.NewWriter(&out)
	if err != nil {
		t.Fatal(err)
	}
	w := tar.NewWriter(packed)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		h := &tar.Header{Name: "." + name, Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(files[name]))}
		if strings.HasSuffix(name, "/") {
			h.Typeflag = tar.TypeDir
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(files[name])); err != nil {
			t.Fatal(err)
		}
	}
	for _, finish := range []func() error{w.Close, packed.Close} {
		if err := finish(); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}
