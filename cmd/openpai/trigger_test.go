// SPDX-License-Identifier: MPL-2.0

//go:build unix

package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func (r *runner) changed(before, after string) []string {
	r.t.Helper()
	return strings.Fields(git(r.t, r.origin, "diff", "--name-only", before, after))
}

// triggers reports whether a file matches the path filter of a pipeline.
// Without a filter, every push matches.
func triggers(t *testing.T, filter, files []string) bool {
	t.Helper()
	return len(filter) == 0 || slices.ContainsFunc(files, func(file string) bool {
		return slices.ContainsFunc(filter, func(pattern string) bool { return matchesPath(t, pattern, file) })
	})
}

// matchesPath evaluates a GitHub or GitLab pattern. ** matches any number of
// directories, and * matches within one name.
func matchesPath(t *testing.T, pattern, file string) bool {
	t.Helper()
	expression := regexp.QuoteMeta(pattern)
	for _, r := range [][2]string{{`\*\*/`, `(?:.*/)?`}, {`\*\*`, `.*`}, {`\*`, `[^/]*`}} {
		expression = strings.ReplaceAll(expression, r[0], r[1])
	}
	matched, err := regexp.MatchString("^(?:"+expression+")$", file)
	if err != nil {
		t.Fatal(err)
	}
	return matched
}

func TestPathPatternsMatchLikeGitHub(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		pattern, file string
		want          bool
	}{
		"a file":                      {"jobs/**", "jobs/a.pai.hcl", true},
		"a file in a subdirectory":    {"jobs/**", "jobs/x/a.pai.hcl", true},
		"another directory":           {"jobs/**", "policies/a.pai.hcl", false},
		"a file, without a directory": {"jobs/**/*", "jobs/a.pai.hcl", true},
		"* does not match a slash":    {"jobs/*", "jobs/x/a.pai.hcl", false},
	} {
		if got := matchesPath(t, tt.pattern, tt.file); got != tt.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
