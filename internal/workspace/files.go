// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
)

// maxFileBytes is the maximum size of one configuration file. The largest known
// job file from a real cluster is much smaller than 1 MiB. Parsing an HCL file
// can require about 100 times the file size in memory.
const maxFileBytes = 2 << 20

// kind is the kind of a file. The file's extension determines it.
type kind int

const (
	kindOther kind = iota
	kindHCL
	kindYAML
	kindVariables
)

func kindOf(name string) kind {
	switch {
	case strings.HasSuffix(name, ".paivars.hcl"), strings.HasSuffix(name, ".paivars.hcl.json"):
		return kindVariables
	case strings.HasSuffix(name, ".pai.hcl"), strings.HasSuffix(name, ".pai.hcl.json"):
		return kindHCL
	case strings.HasSuffix(name, ".yaml"), strings.HasSuffix(name, ".yml"):
		return kindYAML
	}
	return kindOther
}

// IsJobFile reports whether a path has the extension of a job file in protocol
// YAML.
func IsJobFile(path string) bool { return kindOf(path) == kindYAML }

// listing contains the paths of a workspace's files, as users see them.
type listing struct {
	hcl       []string
	variables []string
}

// list returns configuration files, sorted by name. It skips names with a leading
// dot, because editors create temporary files with such names.
func list(dir string) (listing, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return listing{}, err
	}
	var found listing
	for _, e := range entries {
		if e.IsDir() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		path := filepath.Join(dir, e.Name())
		switch kindOf(e.Name()) {
		case kindHCL:
			found.hcl = append(found.hcl, path)
		case kindVariables:
			found.variables = append(found.variables, path)
		}
	}
	return found, nil
}

// read returns the content of a file. from is the range of the reference to the
// file. Without a reference, from is the zero value.
func read(path string, from hcl.Range) ([]byte, *hcl.Diagnostic) {
	f, err := openRegular(path)
	if err != nil {
		return nil, unreadable(path, from, err)
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, maxFileBytes+1))
	if err != nil {
		return nil, unreadable(path, from, err)
	}
	if len(src) > maxFileBytes {
		return nil, FileTooLarge.At(place(path, from), "%s is larger than %s. Put large text into separate files and read them with file().", path, quantity.Bytes(maxFileBytes))
	}
	return src, nil
}

// openRegular opens a regular file. It rejects pipes, sockets and devices, because
// reading them could block or never end.
func openRegular(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	return os.Open(path)
}

var errNotRegular = errors.New("it is not a regular file")

func unreadable(path string, from hcl.Range, err error) *hcl.Diagnostic {
	return hclspec.UnreadableFile.At(place(path, from), "%s cannot be read: %s.", path, cause(err))
}

// place returns from, or the start of the file if from is the zero value.
func place(path string, from hcl.Range) hcl.Range {
	if from.Filename != "" {
		return from
	}
	start := hcl.Pos{Line: 1, Column: 1}
	return hcl.Range{Filename: path, Start: start, End: start}
}

// cause returns the text of a file error without the file path.
func cause(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "it does not exist"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return fmt.Sprint(err)
}
