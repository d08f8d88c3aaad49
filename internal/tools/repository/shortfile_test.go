// SPDX-License-Identifier: MPL-2.0

package repository

import (
	"bytes"
	"go/build/constraint"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// minLines is the minimum number of lines in a Go file.
const minLines = 40

// mayBeShort maps each permitted short file to the reason for the permission.
// It omits files whose content makes the reason obvious.
var mayBeShort = map[string]string{}

// mayBeShortNames matches conventional names of files that may be short.
var mayBeShortNames = regexp.MustCompile(`^(doc|main|main_test|catalog|catalog_\w+)\.go$|_fuzz_test\.go$|^fuzz_test\.go$`)

// onSystem matches names of files that Go compiles only for one operating
// system.
var onSystem = regexp.MustCompile(`_(linux|darwin|windows)(_test)?\.go$`)

// TestShortFilesAreMerged reports short files: their declarations belong in
// the file that uses them. It ignores generated files, and files with tests,
// with embedded files, or for one system or build. It also does not report
// the only file of a package.
func TestShortFilesAreMerged(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	unused := map[string]bool{}
	for path := range mayBeShort {
		unused[path] = true
	}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || mayBeShortNames.MatchString(d.Name()) || onSystem.MatchString(d.Name()) {
			return err
		}
		text, err := os.ReadFile(path)
		if n := bytes.Count(text, []byte("\n")); err != nil || n >= minLines || limitedByBuild(text) || hasCompanion(t, path) {
			return err
		}
		within, err := filepath.Rel(root, path)
		delete(unused, filepath.ToSlash(within))
		if mayBeShort[filepath.ToSlash(within)] == "" {
			t.Errorf("%s has fewer than %d lines; merge it into the file that it serves", within, minLines)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for path := range unused {
		t.Errorf("%s needs no exception", path)
	}
}

// limitedByBuild reports whether a file has a build constraint, embeds files or
// is generated.
func limitedByBuild(text []byte) bool {
	for line := range bytes.Lines(text) {
		switch s := string(bytes.TrimSpace(line)); {
		case constraint.IsGoBuild(s), strings.HasPrefix(s, "//go:embed "), strings.HasPrefix(s, "// Code generated "):
			return true
		}
	}
	return false
}

// hasCompanion reports whether a file has a test file, is a test file, or is
// alone in its package.
func hasCompanion(t *testing.T, path string) bool {
	t.Helper()
	if stem, isTest := strings.CutSuffix(path, "_test.go"); isTest {
		return len(productFilesOf(t, stem+".go")) > 0 || len(productFilesOf(t, stem+"_*.go")) > 0
	}
	_, err := os.Stat(strings.TrimSuffix(path, ".go") + "_test.go")
	return err == nil || len(productFilesOf(t, filepath.Join(filepath.Dir(path), "*.go"))) == 1
}

// productFilesOf omits tests and doc.go.
func productFilesOf(t *testing.T, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(paths, func(p string) bool {
		return strings.HasSuffix(p, "_test.go") || filepath.Base(p) == "doc.go"
	})
}
