// SPDX-License-Identifier: MPL-2.0

package runtimeimage

import (
	"archive/tar"
	"bytes"
	"encoding/pem"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// Paths in the image.
const (
	programFile = "/usr/local/bin/openpai-runtime"
	// certificatesFile is the first path at which Go programs look for certificates.
	certificatesFile = "/etc/ssl/certs/ca-certificates.crt"
	// pluginDir is the directory to which image authors add init plugins.
	pluginDir = "/etc/openpai/init.d"
)

func newLayer(program []byte) (v1.Layer, error) {
	return layerOf(
		entry{path: pluginDir, mode: 0o755},
		entry{path: "/tmp", mode: 0o777 | fs.ModeSticky},
		entry{path: certificatesFile, mode: 0o644, content: certificates()},
		entry{path: programFile, mode: 0o755, content: program},
	)
}

func layerOf(entries ...entry) (v1.Layer, error) {
	text, err := archive(entries...)
	if err != nil {
		return nil, err
	}
	return tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil },
		tarball.WithMediaType(types.OCILayer))
}

// entry is an entry of a layer. An entry with link is a symbolic link. An
// entry without link and content is a directory. All others are files.
type entry struct {
	path    string
	mode    fs.FileMode
	content []byte
	link    string
}

// header returns a tar header. The modification time is the Unix epoch, for
// reproducible builds.
func (e entry) header() *tar.Header {
	h := &tar.Header{
		Name: strings.TrimPrefix(e.path, "/"), Mode: int64(e.mode.Perm()), ModTime: time.Unix(0, 0), Format: tar.FormatUSTAR,
		Typeflag: tar.TypeReg, Size: int64(len(e.content)),
	}
	switch {
	case e.link != "":
		h.Typeflag, h.Linkname, h.Mode = tar.TypeSymlink, e.link, 0o777
	case e.content == nil:
		h.Typeflag, h.Name = tar.TypeDir, h.Name+"/"
	}
	if e.mode&fs.ModeSticky != 0 {
		h.Mode |= 0o1000
	}
	return h
}

// archive returns a tar archive of the entries and their parent directories.
// Everything belongs to root.
func archive(entries ...entry) ([]byte, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	made := map[string]bool{}
	var put func(e entry) error
	put = func(e entry) error {
		if parent := path.Dir(e.path); parent != "/" && !made[parent] {
			if err := put(entry{path: parent, mode: 0o755}); err != nil {
				return err
			}
		}
		made[e.path] = true
		if err := w.WriteHeader(e.header()); err != nil {
			return err
		}
		_, err := w.Write(e.content)
		return err
	}
	for _, e := range entries {
		if err := put(e); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

// certificates returns the certificates of the authorities that Mozilla trusts
// without constraints. A certificate file cannot express constraints.
func certificates() []byte {
	var out bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint == nil {
			_ = pem.Encode(&out, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}) // a buffer never fails
		}
	}
	return out.Bytes()
}
