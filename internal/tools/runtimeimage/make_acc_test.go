// SPDX-License-Identifier: MPL-2.0

//go:build acc

package main

import (
	"bytes"
	"cmp"
	"context"
	"debug/elf"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"

	"github.com/openpai/terraform-provider-openpai/internal/runtimeimage"
)

// dist is the directory that contains both images, which TestMain builds with make.
// printed is the output of make.
var dist, printed string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		var err error
		if dist, err = os.MkdirTemp("", "openpai-runtime-image-"); err != nil {
			panic(err)
		}
		defer func() { _ = os.RemoveAll(dist) }()
		if printed, err = makeImages(context.Background(), dist); err != nil {
			fmt.Fprintf(os.Stderr, "make runtime-image: %v\n%s", err, printed)
			return 1
		}
		return m.Run()
	}())
}

// command runs a program at the root of the repository.
func command(ctx context.Context, env []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = filepath.Join("..", "..", "..")
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// makeImages returns the output of "make runtime-image", with dist replaced by
// DIST.
func makeImages(ctx context.Context, dist string, variables ...string) (string, error) {
	out, err := command(ctx, nil, "make", append([]string{"-s", "runtime-image", "DIST=" + dist, "VERSION=v1"}, variables...)...)
	return strings.ReplaceAll(out, dist, "DIST"), err
}

// packages returns the cache directory for Debian packages.
func packages() string {
	cache := cmp.Or(os.Getenv("XDG_CACHE_HOME"), filepath.Join(os.Getenv("HOME"), ".cache"))
	return filepath.Join(cache, "terraform-provider-openpai", "tools", "debian")
}

func image(t *testing.T, dir, arch string) v1.Image {
	t.Helper()
	index, err := layout.ImageIndexFromPath(dir)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := index.IndexManifest()
	if err != nil || len(manifest.Manifests) != 1 || !strings.Contains(printed, filepath.Base(dir)+" "+manifest.Manifests[0].Digest.String()) {
		t.Fatalf("want exactly one index in the layout, with the digest that make printed; got %+v, error %v", manifest, err)
	}
	if index, err = index.ImageIndex(manifest.Manifests[0].Digest); err != nil {
		t.Fatal(err)
	}
	if manifest, err = index.IndexManifest(); err != nil {
		t.Fatal(err)
	}
	for _, m := range manifest.Manifests {
		if m.Platform.OS == "linux" && m.Platform.Architecture == arch {
			image, err := index.Image(m.Digest)
			if err != nil {
				t.Fatal(err)
			}
			return image
		}
	}
	t.Fatalf("%s has no image for %s", dir, arch)
	return nil
}

func unpack(t *testing.T, image v1.Image) string {
	t.Helper()
	root := t.TempDir()
	files := mutate.Extract(image)
	defer func() { _ = files.Close() }()
	cmd := exec.CommandContext(t.Context(), "tar", "--extract", "--preserve-permissions", "--no-same-owner", "--directory", root)
	cmd.Stdin = files
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("tar: %v\n%s", err, out)
	}
	return root
}

func TestMakeGivesTheSameImagesFromAnotherMirror(t *testing.T) {
	if strings.Count(printed, "sha256:") != 2 {
		t.Fatalf("make printed %s", printed)
	}
	var mu sync.Mutex
	var asked []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, r.URL.Path)
		http.ServeFile(w, r, filepath.Join(packages(), filepath.Base(r.URL.Path)))
	}))
	t.Cleanup(s.Close)
	again, err := makeImages(t.Context(), t.TempDir(), "TOOLS="+t.TempDir(), runtimeimage.MirrorVariable+"="+s.URL+"/debian")
	if err != nil || again != printed {
		t.Errorf("first\n%s\nthen\n%s, error %v", printed, again, err)
	}
	if len(asked) != 2 || !strings.HasPrefix(asked[0], "/debian/pool/main/b/busybox/busybox-static_") {
		t.Errorf("the mirror received requests for %q", asked)
	}
}

func TestTheImagesAreForBothProcessors(t *testing.T) {
	applets, err := os.ReadFile(filepath.Join("..", "..", "runtimeimage", "applets.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for arch, machine := range map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64} {
		static := unpack(t, image(t, filepath.Join(dist, "runtime-static"), arch))
		if _, err := os.Stat(filepath.Join(static, "bin")); err == nil {
			t.Errorf("%s: the static image has /bin", arch)
		}
		shell := unpack(t, image(t, filepath.Join(dist, "runtime-shell"), arch))
		for _, program := range []string{static + "/usr/local/bin/openpai-runtime", shell + "/usr/local/bin/openpai-runtime", shell + "/bin/busybox"} {
			if got := machineOf(t, program); got != machine {
				t.Errorf("%s: %s is for %s", arch, program, got)
			}
		}
		text, err := os.ReadFile(filepath.Join(shell, "bin", "busybox"))
		if err != nil {
			t.Fatal(err)
		}
		for file := range strings.FieldsSeq(string(applets)) {
			if !bytes.Contains(text, []byte("\x00"+filepath.Base(file)+"\x00")) {
				t.Errorf("%s: busybox has no %s", arch, file)
			}
		}
	}
}

func machineOf(t *testing.T, program string) elf.Machine {
	t.Helper()
	f, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			t.Errorf("%s needs libraries", program)
		}
	}
	return f.Machine
}

func TestWithoutDebianTheErrorSaysWhatToDo(t *testing.T) {
	mirror := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(mirror.Close)
	// Requests to other hosts use a proxy that does not exist.
	env := []string{runtimeimage.MirrorVariable + "=" + mirror.URL + "/debian", "HTTPS_PROXY=http://127.0.0.1:1", "https_proxy=http://127.0.0.1:1"}
	builder := filepath.Join(t.TempDir(), "build")
	if out, err := command(t.Context(), nil, "go", "build", "-o", builder, "./internal/tools/runtimeimage"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := command(t.Context(), env, builder, "-shell", "-out", t.TempDir(), "amd64="+filepath.Join(dist, "openpai-runtime-linux-amd64"))
	if err == nil {
		t.Fatal("there is an image")
	}
	for _, part := range []string{
		"fetch the Debian package busybox-static_", mirror.URL + "/debian/pool/main/b/busybox/", "404 Not Found",
		"https://snapshot.debian.org/archive/debian/", "proxyconnect", runtimeimage.MirrorVariable, "RUNTIME_BASE=IMAGE",
	} {
		if !strings.Contains(out, part) {
			t.Errorf("the error does not contain %q:\n%s", part, out)
		}
	}
}
