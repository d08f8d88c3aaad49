// SPDX-License-Identifier: MPL-2.0

//go:build e2e && acc

package e2e

import (
	"archive/tar"
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// shellRuntime pushes a runtime image that contains a shell. The tests have no
// network access: .ci/tools downloads the Debian packages.
func shellRuntime(t *testing.T) string {
	t.Helper()
	kept := filepath.Join(os.Getenv("KUBEBUILDER_ASSETS"), "debian")
	mirror := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, filepath.Join(kept, filepath.Base(r.URL.Path)))
	}))
	defer mirror.Close()
	ref, err := pushRuntime([]string{"OPENPAI_DEBIAN_MIRROR=" + mirror.URL}, images+"/openpai-runtime:shell", "--shell")
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

// withFile adds a program to an image and pushes the result.
func withFile(t *testing.T, base, target, file, text string) string {
	t.Helper()
	var packed bytes.Buffer
	w := tar.NewWriter(&packed)
	if err := w.WriteHeader(&tar.Header{Name: file, Typeflag: tar.TypeReg, Mode: 0o755, Size: int64(len(text))}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	layer, err := layerOf(packed.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	from, to := mustReference(t, base), mustReference(t, target)
	image, err := remote.Image(from, remote.WithPlatform(v1.Platform{OS: "linux", Architecture: machine}))
	if err != nil {
		t.Fatal(err)
	}
	if image, err = mutate.AppendLayers(image, layer); err != nil {
		t.Fatal(err)
	}
	if err := remote.Write(to, image); err != nil {
		t.Fatal(err)
	}
	return target
}

func copyImage(t *testing.T, from, to string) {
	t.Helper()
	image, err := remote.Image(mustReference(t, from), remote.WithPlatform(v1.Platform{OS: "linux", Architecture: machine}))
	if err != nil {
		t.Fatal(err)
	}
	if err := remote.Write(mustReference(t, to), image); err != nil {
		t.Fatal(err)
	}
}

func mustReference(t *testing.T, text string) name.Reference {
	t.Helper()
	ref, err := name.ParseReference(text)
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

func TestAnInitPluginScriptSetsVariablesOfTheTask(t *testing.T) {
	image := withFile(t, shellRuntime(t), images+"/openpai-runtime:site", "etc/openpai/init.d/10-site", `#!/bin/sh
set -eu
echo "DATASETS=/mnt/$(echo SETS | tr A-Z a-z)" >"$PAI_RUNTIME_DIR/env"
`)
	s := newSpaceWith(t, image, "plugin", job(`echo "the data is in $DATASETS"`))
	s.must(0, "apply", "--auto-approve")
	finished := s.follow()
	s.must(0, "wait")
	finished()
	if out := s.must(0, "logs"); !strings.Contains(out, "the data is in /mnt/sets") {
		t.Errorf("logs:\n%s", out)
	}
	s.must(0, "destroy", "--auto-approve")
}
