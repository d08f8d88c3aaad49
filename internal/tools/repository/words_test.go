// SPDX-License-Identifier: MPL-2.0

package repository

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// frontEnds lists packages whose messages may contain names of commands and
// flags. Packages in lower layers serve every front end, so their messages
// must not contain such names. Messages from tools and test servers are not
// for users of the front ends.
var frontEnds = []string{"cmd", "provider", "internal/tools", "internal/kubernetes/apitest"}

// mayName maps a file to the reason why its strings may contain commands and
// flags.
var mayName = map[string]string{
	"hclspec/protocol/legacy_transfer.go": "arguments of git and curl",
	"hclspec/syntax/download.go":          "arguments of git, curl and wget",
	"internal/marketplace/archive.go":     "arguments of git",
	"internal/marketplace/git.go":         "arguments of git",
	"internal/gitstate/state.go":          "arguments of git",
	"internal/lockfile/write.go":          "the head of the lock file",
	"planner/view/others.go":              "the changes in a Terraform plan, and the names of the front ends",
	"planner/view/summary.go":             "the jobs that Terraform declares in the workspace",
	"runtime/fetch/git.go":                "arguments of git",
	"runtime/plugin/git.go":               "arguments of git",
	"runtime/plugin/tensorboard.go":       "arguments of tensorboard",
}

var (
	flag      = regexp.MustCompile(`(^|[^A-Za-z0-9_-])--[a-z][a-z-]*`)
	terraform = regexp.MustCompile(`Terraform|(^|[^-/.])\bterraform [a-z]`)
)

// Lower layers return facts, which the front ends turn into sentences. A command
// or flag of one front end in a lower layer's message is wrong for users of the
// other front end.
func TestTextsBelowTheFrontEndsNameNoCommand(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "..")
	names := map[string]*regexp.Regexp{"command": commandNames(t, root), "flag": flag, "Terraform": terraform}
	unused := map[string]bool{}
	for file := range mayName {
		unused[file] = true
	}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		within, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		within = filepath.ToSlash(within)
		switch {
		case d.IsDir() && (isFrontEnd(within) || d.Name() == "testdata"):
			return fs.SkipDir
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		exception := exceptionFor(within)
		for _, l := range literals(t, name) {
			for what, pattern := range names {
				if found := pattern.FindString(l.text); found != "" && exception == "" {
					t.Errorf("%s:%d contains a %s (%q); use a fact of internal/message", within, l.line, what, strings.TrimSpace(found))
				} else if found != "" {
					delete(unused, exception)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for file := range unused {
		t.Errorf("the exception %s is not needed", file)
	}
}

func isFrontEnd(dir string) bool {
	for _, f := range frontEnds {
		if dir == f {
			return true
		}
	}
	return false
}

// exceptionFor returns the [mayName] pattern that matches the path or base
// name, or "".
func exceptionFor(file string) string {
	for pattern := range mayName {
		if ok, _ := path.Match(pattern, file); ok {
			return pattern
		}
		if ok, _ := path.Match(pattern, path.Base(file)); ok {
			return pattern
		}
	}
	return ""
}

type literal struct {
	text string
	line int
}

// literals returns string literals, except for imports and tags.
func literals(t *testing.T, name string) []literal {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var all []literal
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec, *ast.StructType:
			return false
		case *ast.BasicLit:
			if n.Kind == token.STRING {
				text, err := strconv.Unquote(n.Value)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, literal{text, files.Position(n.Pos()).Line})
			}
		}
		return true
	})
	return all
}

// commandNames returns a pattern for "openpai" and a command in docs/guides/cli.md.
func commandNames(t *testing.T, root string) *regexp.Regexp {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(root, "docs", "guides", "cli.md"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^#+ openpai ([a-z-]+)`).FindAllStringSubmatch(string(page), -1) {
		names = append(names, m[1])
	}
	if len(names) < 10 {
		t.Fatalf("docs/guides/cli.md has only the commands %q", names)
	}
	return regexp.MustCompile(`openpai (` + strings.Join(names, "|") + `)\b`)
}
