// SPDX-License-Identifier: MPL-2.0

package debian

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/ulikunitz/xz"
)

// Files returns the contents of files in a package. The names are absolute
// paths. Files fails if a file does not exist or is not a regular file.
func Files(deb []byte, names ...string) (map[string][]byte, error) {
	packed, err := member(deb, "data.tar.xz")
	if err != nil {
		return nil, err
	}
	unpacked, err := xz.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("unpack data.tar.xz: %w", err)
	}
	missing := map[string]bool{}
	for _, name := range names {
		missing[name] = true
	}
	files := map[string][]byte{}
	for r := tar.NewReader(unpacked); len(missing) > 0; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("unpack data.tar.xz: %w", err)
		}
		name := path.Join("/", h.Name)
		if !missing[name] || h.Typeflag != tar.TypeReg {
			continue
		}
		if files[name], err = io.ReadAll(r); err != nil {
			return nil, fmt.Errorf("unpack %s: %w", name, err)
		}
		delete(missing, name)
	}
	for _, name := range names {
		if missing[name] {
			return nil, fmt.Errorf("the package does not contain the file %s", name)
		}
	}
	return files, nil
}

// A package is an ar archive. It consists of a magic line and members, each with a
// fixed-width header.
const (
	arMagic    = "!<arch>\n"
	arHeader   = 60
	arSizeFrom = 48
	arSizeTo   = 58
)

// member returns the content of a member of an ar archive.
func member(deb []byte, name string) ([]byte, error) {
	rest, found := bytes.CutPrefix(deb, []byte(arMagic))
	if !found {
		return nil, errors.New("this is not a Debian package")
	}
	for len(rest) >= arHeader {
		header := rest[:arHeader]
		rest = rest[arHeader:]
		size, err := strconv.Atoi(strings.TrimSpace(string(header[arSizeFrom:arSizeTo])))
		if err != nil || size < 0 || size > len(rest) {
			return nil, errors.New("the Debian package is damaged")
		}
		if strings.TrimRight(string(header[:16]), " /") == name {
			return rest[:size], nil
		}
		rest = rest[min(size+size%2, len(rest)):]
	}
	return nil, fmt.Errorf("the Debian package does not contain %s", name)
}
