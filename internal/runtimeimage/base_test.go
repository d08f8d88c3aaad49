// SPDX-License-Identifier: MPL-2.0

package runtimeimage

import (
	"archive/tar"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/internal/runtimeimage/debian"
	"github.com/openpai/terraform-provider-openpai/internal/runtimeimage/debian/debtest"
)

// archiveWith starts a mirror that returns the package for every path.
func archiveWith(t *testing.T, files map[string]string) (debian.Archive, debian.Package) {
	t.Helper()
	deb := debtest.Package(t, files)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(deb) }))
	t.Cleanup(s.Close)
	sum := sha256.Sum256(deb)
	return debian.Archive{Mirrors: []string{s.URL}}, debian.Package{Path: "a.deb", SHA256: hex.EncodeToString(sum[:])}
}

// headers returns the entries and file contents of a layer.
func headers(t *testing.T, layer v1.Layer) (byName map[string]*tar.Header, text map[string]string) {
	t.Helper()
	stream, err := layer.Uncompressed()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stream.Close() }()
	byName, text = map[string]*tar.Header{}, map[string]string{}
	for r := tar.NewReader(stream); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return byName, text
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if byName[h.Name] != nil {
			t.Errorf("%s is there twice", h.Name)
		}
		byName[h.Name], text[h.Name] = h, string(content)
	}
}

func TestTheSmallBaseIsARootWithAShell(t *testing.T) {
	t.Parallel()
	archive, pkg := archiveWith(t, map[string]string{busyboxFile: "the shell", copyrightFile: "who wrote it"})
	image, err := shellImage(t.Context(), archive, pkg)
	if err != nil {
		t.Fatal(err)
	}
	layers, err := image.Layers()
	if err != nil || len(layers) != 1 {
		t.Fatalf("%d layers, error %v", len(layers), err)
	}
	found, text := headers(t, layers[0])
	for name, want := range map[string]string{
		"bin/busybox": "the shell", "usr/share/doc/busybox-static/copyright": "who wrote it",
	} {
		if text[name] != want {
			t.Errorf("%s has %q", name, text[name])
		}
	}
	for name, mode := range map[string]int64{"bin/": 0o755, "bin/busybox": 0o755, "etc/passwd": 0o644, "etc/group": 0o644, "root/": 0o700, "usr/share/doc/busybox-static/source": 0o644} {
		if h := found[name]; h == nil || h.Mode != mode || h.Uid != 0 || h.Gid != 0 || h.ModTime.Unix() != 0 {
			t.Errorf("%s: %+v", name, h)
		}
	}
	for _, name := range []string{"bin/sh", "bin/cat", "usr/bin/env", "usr/bin/awk", "usr/bin/[", "sbin/ip"} {
		if h := found[name]; h == nil || h.Typeflag != tar.TypeSymlink || h.Linkname != busyboxFile {
			t.Errorf("%s: %+v", name, h)
		}
	}
}

func TestAPackageThatCannotBeHadSaysWhatToDo(t *testing.T) {
	t.Parallel()
	archive, pkg := archiveWith(t, map[string]string{busyboxFile: "", copyrightFile: ""})
	pkg.SHA256 = strings.Repeat("0", 64)
	_, err := shellImage(t.Context(), archive, pkg)
	for _, part := range []string{"fetch the Debian package a.deb", archive.Mirrors[0], MirrorVariable, "RUNTIME_BASE=IMAGE", "--base IMAGE"} {
		if err == nil || !strings.Contains(phrase.Error(err), part) {
			t.Errorf("the error does not contain %q: %v", part, err)
		}
	}
	archive, pkg = archiveWith(t, map[string]string{"/bin/other": ""})
	if _, err := shellImage(t.Context(), archive, pkg); err == nil || !strings.Contains(err.Error(), "does not contain the file /bin/busybox") {
		t.Errorf("build a base from a package without the shell: %v", err)
	}
	if _, err := shellIndex(t.Context(), archive, map[string]string{"riscv64": ""}); err == nil || !strings.Contains(err.Error(), "no base image with a shell is available for the architecture riscv64") {
		t.Errorf("build a base for an architecture without a package: %v", err)
	}
}
