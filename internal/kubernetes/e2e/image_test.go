// SPDX-License-Identifier: MPL-2.0

//go:build e2e && acc

package e2e

import (
	"archive/tar"
	"bytes"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// programs is the list of local programs that the images contain. The
// commands of jobs use these programs.
var programs = []string{"sh", "bash", "awk", "cat", "chmod", "cksum", "cut", "env", "hostname", "id", "ls", "mkdir", "mv", "rm", "seq", "sleep", "tee", "tr", "wc"}

// serveImages starts a registry on the loopback interface. It serves two
// images that contain local programs: shell, and pause, which only sleeps.
func serveImages() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	go func() { _ = http.Serve(l, registry.New(registry.Logger(log.New(io.Discard, "", 0)))) }()
	address := l.Addr().String()
	layer, err := machineLayer()
	if err != nil {
		return "", err
	}
	for image, config := range map[string]v1.Config{
		"shell": {Cmd: []string{"/bin/bash"}, Env: []string{"PATH=/usr/bin:/bin"}},
		"pause": {Cmd: []string{"/usr/bin/sleep", "infinity"}},
	} {
		if err := push(address+"/"+image+":e2e", layer, config); err != nil {
			return "", err
		}
	}
	return address, nil
}

func push(reference string, layer v1.Layer, config v1.Config) error {
	image, err := mutate.AppendLayers(empty.Image, layer)
	if err != nil {
		return err
	}
	file, err := image.ConfigFile()
	if err != nil {
		return err
	}
	file = file.DeepCopy()
	file.OS, file.Architecture, file.Config = "linux", machine, config
	if image, err = mutate.ConfigFile(image, file); err != nil {
		return err
	}
	ref, err := name.ParseReference(reference)
	if err != nil {
		return err
	}
	return remote.Write(ref, image)
}

// machineLayer returns a layer with local programs and their libraries.
func machineLayer() (v1.Layer, error) {
	files := map[string]string{} // path in the image -> local path
	for _, p := range programs {
		file, err := exec.LookPath(p)
		if err != nil {
			return nil, fmt.Errorf("find %s for the image: %w", p, err)
		}
		files["/usr/bin/"+p] = file
		libraries, err := librariesOf(file)
		if err != nil {
			return nil, err
		}
		for _, l := range libraries {
			files[l] = l
		}
	}
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, dir := range []string{"tmp", "root", "etc"} {
		if err := w.WriteHeader(&tar.Header{Name: dir + "/", Typeflag: tar.TypeDir, Mode: 0o1777}); err != nil {
			return nil, err
		}
	}
	if err := w.WriteHeader(&tar.Header{Name: "bin", Typeflag: tar.TypeSymlink, Linkname: "usr/bin", Mode: 0o777}); err != nil {
		return nil, err
	}
	for in, here := range files {
		text, err := os.ReadFile(here)
		if err != nil {
			return nil, err
		}
		if err := w.WriteHeader(&tar.Header{Name: strings.TrimPrefix(in, "/"), Typeflag: tar.TypeReg, Mode: 0o755, Size: int64(len(text))}); err != nil {
			return nil, err
		}
		if _, err := w.Write(text); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return layerOf(out.Bytes())
}

func layerOf(archive []byte) (v1.Layer, error) {
	return tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(archive)), nil })
}

var absolute = regexp.MustCompile(`/\S+`)

// librariesOf returns the libraries that the dynamic linker loads for a program.
func librariesOf(file string) ([]string, error) {
	out, err := exec.Command("ldd", file).CombinedOutput()
	if err != nil {
		if strings.Contains(string(out), "not a dynamic executable") {
			return nil, nil
		}
		return nil, fmt.Errorf("ldd %s: %w: %s", file, err, out)
	}
	var all []string
	for line := range strings.Lines(string(out)) {
		if found := absolute.FindAllString(line, -1); len(found) > 0 {
			all = append(all, filepath.Clean(found[len(found)-1]))
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}
