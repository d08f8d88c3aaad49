// SPDX-License-Identifier: MPL-2.0

package repository

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/openpai/terraform-provider-openpai/internal/tools/spelling"
)

// TestIdentifiersAreSpelledAsInTheUnitedStates checks every identifier that
// the module declares or uses, and the file names.
func TestIdentifiersAreSpelledAsInTheUnitedStates(t *testing.T) {
	seen := map[string]bool{}
	check := func(where, name string) {
		if seen[name] {
			return
		}
		seen[name] = true
		for _, word := range words(name) {
			if american := spelling.American(word); american != "" {
				t.Errorf("%s: %q in %s is British; write %s…", where, word, name, american)
			}
		}
	}
	root, fset := filepath.Join("..", "..", ".."), token.NewFileSet()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		check(path, strings.TrimSuffix(d.Name(), ".go"))
		file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				check(fset.Position(id.Pos()).String(), id.Name)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func words(identifier string) []string {
	var all []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			all = append(all, strings.ToLower(string(word)))
		}
		word = nil
	}
	runes := []rune(identifier)
	for i, r := range runes {
		switch {
		case r == '_' || unicode.IsDigit(r):
			end()
			continue
		case unicode.IsUpper(r) && i > 0 && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			end()
		}
		word = append(word, r)
	}
	end()
	return all
}

func TestAnIdentifierIsSplitIntoWords(t *testing.T) {
	for identifier, want := range map[string]string{
		"parseHTTPAnswer": "parse http answer",
		"APIServers":      "api servers",
		"job_status_test": "job status test",
		"Row33Values":     "row values",
		"_":               "",
	} {
		if got := strings.Join(words(identifier), " "); got != want {
			t.Errorf("%s: %q, want %q", identifier, got, want)
		}
	}
}
