// SPDX-License-Identifier: MPL-2.0

package repository

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// requirement matches a direct requirement in go.mod: a line without a comment.
var requirement = regexp.MustCompile(`(?m)^(?:require )?\t?([a-z0-9.-]+\.[a-z]+/\S+) v\S+$`)

// explained matches a row for a module in contributing/dependencies.md.
var explained = regexp.MustCompile(`(?m)^\| ([a-z0-9.-]+\.[a-z]+/\S+) \|`)

// TestEveryDependencyIsExplained checks that go.mod and
// contributing/dependencies.md list the same dependencies.
func TestEveryDependencyIsExplained(t *testing.T) {
	t.Parallel()
	read := func(name ...string) string {
		text, err := os.ReadFile(filepath.Join(append([]string{"..", "..", ".."}, name...)...))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	page, modules := read("contributing", "dependencies.md"), read("go.mod")
	found := requirement.FindAllStringSubmatch(modules, -1)
	if len(found) < 20 {
		t.Fatalf("go.mod has %d direct requirements; the pattern is outdated", len(found))
	}
	for _, m := range found {
		if !strings.Contains(page, "| "+m[1]) {
			t.Errorf("contributing/dependencies.md has no row for %s", m[1])
		}
	}
	for _, m := range explained.FindAllStringSubmatch(page, -1) {
		if !strings.Contains(modules, m[1]) {
			t.Errorf("contributing/dependencies.md has a row for %s, which go.mod does not require", m[1])
		}
	}
}
