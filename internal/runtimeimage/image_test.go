// SPDX-License-Identifier: MPL-2.0

package runtimeimage

import (
	"archive/tar"
	"errors"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/random"
)

func programs(t *testing.T) map[string]string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{}
	for _, arch := range []string{"amd64", "arm64"} {
		files[arch] = filepath.Join(dir, arch)
		if err := os.WriteFile(files[arch], []byte("program for "+arch), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

func digest(t *testing.T, index v1.ImageIndex) string {
	t.Helper()
	d, err := index.Digest()
	if err != nil {
		t.Fatal(err)
	}
	return d.String()
}

func TestTheSameProgramsGiveTheSameDigest(t *testing.T) {
	t.Parallel()
	first, err := Build(programs(t), Options{Version: "v1"})
	if err != nil {
		t.Fatal(err)
	}
	files := programs(t)
	second, err := Build(files, Options{Version: "v1"})
	if err != nil {
		t.Fatal(err)
	}
	if digest(t, first) != digest(t, second) {
		t.Errorf("%s and %s", digest(t, first), digest(t, second))
	}
	if err := os.WriteFile(files["arm64"], []byte("another"), 0o600); err != nil {
		t.Fatal(err)
	}
	if third, err := Build(files, Options{Version: "v1"}); err != nil || digest(t, third) == digest(t, first) {
		t.Errorf("another program produces the same digest, error %v", err)
	}
}

func TestAPushedImageCanBePulledAgain(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(s.Close)
	host := strings.TrimPrefix(s.URL, "http://")
	index, err := Build(programs(t), Options{})
	if err != nil {
		t.Fatal(err)
	}
	ref, err := Push(t.Context(), host+"/openpai/runtime:1", index)
	if err != nil || ref != host+"/openpai/runtime@"+digest(t, index) {
		t.Fatalf("%s, %v", ref, err)
	}
	again, err := Pull(t.Context(), ref)
	if err != nil || digest(t, again) != digest(t, index) {
		t.Fatal(err)
	}
	for _, arch := range []string{"amd64", "arm64"} {
		image, err := baseImage(again, arch)
		if err != nil {
			t.Fatal(err)
		}
		checkImage(t, image, arch, 1)
	}
}

func TestBuildAddsALayerToTheBaseImage(t *testing.T) {
	t.Parallel()
	lower, err := random.Image(100, 2)
	if err != nil {
		t.Fatal(err)
	}
	base := mutate.AppendManifests(empty.Index, mutate.IndexAddendum{Add: lower, Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: "amd64"}}})
	files := programs(t)
	if _, err := Build(files, Options{Base: base}); err == nil || !strings.Contains(err.Error(), "does not support linux/arm64") {
		t.Errorf("build with a base for only one processor: %v", err)
	}
	delete(files, "arm64")
	index, err := Build(files, Options{Base: base})
	if err != nil {
		t.Fatal(err)
	}
	image, err := baseImage(index, "amd64")
	if err != nil {
		t.Fatal(err)
	}
	checkImage(t, image, "amd64", 3)
}

func checkImage(t *testing.T, image v1.Image, arch string, layers int) {
	t.Helper()
	config, err := image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	if config.Architecture != arch || config.OS != "linux" || !slices.Equal(config.Config.Cmd, []string{"openpai-runtime", "init"}) || len(config.Config.Entrypoint) > 0 {
		t.Errorf("%s: %+v", arch, config)
	}
	all, err := image.Layers()
	if err != nil || len(all) != layers {
		t.Fatalf("%d layers, error %v", len(all), err)
	}
	stream, err := all[len(all)-1].Uncompressed()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stream.Close() }()
	var names []string
	for r := tar.NewReader(stream); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, h.Name)
		switch h.Name {
		case "usr/local/bin/openpai-runtime":
			if text, err := io.ReadAll(r); string(text) != "program for "+arch || err != nil || h.Mode != 0o755 {
				t.Errorf("program %q, mode %o, error %v", text, h.Mode, err)
			}
		case "etc/ssl/certs/ca-certificates.crt":
			if text, err := io.ReadAll(r); strings.Count(string(text), "BEGIN CERTIFICATE") < 50 || err != nil {
				t.Errorf("certificates of %d bytes, error %v", len(text), err)
			}
		}
	}
	want := []string{"etc/", "etc/openpai/", "etc/openpai/init.d/", "tmp/", "etc/ssl/", "etc/ssl/certs/", "etc/ssl/certs/ca-certificates.crt", "usr/", "usr/local/", "usr/local/bin/", "usr/local/bin/openpai-runtime"}
	if !slices.Equal(names, want) {
		t.Errorf("files %q", names)
	}
}
