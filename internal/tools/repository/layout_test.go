// SPDX-License-Identifier: MPL-2.0

package repository

import (
	"bytes"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// maxLines is the maximum number of lines in a Go file.
const maxLines = 400

// license is the start of each Go file: a license identifier
// (https://spdx.dev) and an empty line.
const license = "// SPDX-License-Identifier: MPL-2.0\n\n"

// TestEveryFileFollowsTheLayout checks three rules of CONTRIBUTING.md: a doc.go in
// every package, a limit for file lengths, and license identifiers.
func TestEveryFileFollowsTheLayout(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	documented := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "bin") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if n := bytes.Count(text, []byte("\n")); n > maxLines {
			t.Errorf("%s has %d lines, more than %d", path, n, maxLines)
		}
		if !bytes.HasPrefix(text, []byte(license)) {
			t.Errorf("%s does not start with %q and a blank line", path, strings.TrimSpace(license))
		}
		if strings.HasSuffix(name, "_test.go") {
			return nil
		}
		dir := filepath.Dir(path)
		documented[dir] = documented[dir] || name == "doc.go" && hasPackageComment(t, path, text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir, ok := range documented {
		if !ok {
			t.Errorf("%s has no doc.go with a package comment", dir)
		}
	}
}

func hasPackageComment(t *testing.T, path string, text []byte) bool {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		t.Error(err)
		return false
	}
	return f.Doc != nil && strings.TrimSpace(f.Doc.Text()) != ""
}
