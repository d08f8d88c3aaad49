// SPDX-License-Identifier: MPL-2.0

package repository

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mayDeclare lists the packages that declare catalog entries. hclspec declares
// the entries that several packages report. An entry that only one package
// reports is declared in that package.
var mayDeclare = []string{
	"cmd/openpai/cli", "hclspec", "hclspec/protocol", "hclspec/syntax", "internal/local", "internal/lockfile", "internal/marketplace",
	"internal/operation", "internal/policytest", "internal/workspace", "planner", "planner/policy", "planner/render", "planner/resolve", "provider", "provider/shape",
}

// declarers lists the functions that add entries to the catalog.
var declarers = []string{"DefineError", "DefineWarning"}

func TestEntriesAreDeclaredWhereTheyAreReported(t *testing.T) {
	packages := productFiles(t)
	declared := declarations(t, packages)
	users := map[string][]string{}
	for name, files := range packages {
		for entry := range usedIn(files, name, declared) {
			users[entry] = append(users[entry], name)
		}
	}
	for entry, at := range declared {
		others := slices.DeleteFunc(slices.Sorted(slices.Values(users[entry])), func(name string) bool { return name == at })
		switch {
		case len(users[entry]) == 0:
			t.Errorf("no package reports %s", entry)
		case at == "hclspec" && len(users[entry]) == 1 && len(others) == 1:
			t.Errorf("only %s reports %s; define it there", others[0], entry)
		case at != "hclspec" && len(others) > 0:
			t.Errorf("%s is defined in %s, but %s reports it, too; define it in hclspec", entry, at, strings.Join(others, " and "))
		}
	}
}

// declarations maps each entry to its declaring package.
func declarations(t *testing.T, packages map[string][]*ast.File) map[string]string {
	t.Helper()
	declared := map[string]string{}
	for name, files := range packages {
		for _, entry := range entriesIn(files) {
			if first, twice := declared[entry]; twice {
				t.Errorf("%s and %s declare an entry %s", first, name, entry)
			}
			declared[entry] = name
		}
	}
	found := slices.Sorted(maps.Values(declared))
	if found = slices.Compact(found); !slices.Equal(found, mayDeclare) {
		t.Errorf("entries are declared in %v, but only %v may declare entries", found, mayDeclare)
	}
	return declared
}

// productFiles parses the files of every package except tools and tests.
func productFiles(t *testing.T) map[string][]*ast.File {
	t.Helper()
	root, packages := filepath.Join("..", "..", ".."), map[string][]*ast.File{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		within, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil || strings.HasPrefix(filepath.ToSlash(within), "internal/tools") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		packages[filepath.ToSlash(within)] = append(packages[filepath.ToSlash(within)], file)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return packages
}

func entriesIn(files []*ast.File) []string {
	var names []string
	forEachVar(files, func(name *ast.Ident, value ast.Expr) {
		call, ok := value.(*ast.CallExpr)
		if ok && slices.Contains(declarers, calledName(call)) {
			names = append(names, name.Name)
		}
	})
	return names
}

func forEachVar(files []*ast.File, visit func(name *ast.Ident, value ast.Expr)) {
	for _, file := range files {
		for _, d := range file.Decls {
			group, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range group.Specs {
				v, ok := spec.(*ast.ValueSpec)
				for i := 0; ok && i < min(len(v.Names), len(v.Values)); i++ {
					visit(v.Names[i], v.Values[i])
				}
			}
		}
	}
}

func calledName(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// usedIn returns the entries that a package uses, without declarations. Other
// packages use a qualified name, such as package.Entry.
func usedIn(files []*ast.File, in string, declared map[string]string) map[string]bool {
	used, declaring := map[string]bool{}, map[*ast.Ident]bool{}
	forEachVar(files, func(name *ast.Ident, _ ast.Expr) { declaring[name] = true })
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.SelectorExpr:
				at, ok := declared[x.Sel.Name]
				if from, isName := x.X.(*ast.Ident); ok && isName && from.Name == filepath.Base(at) {
					used[x.Sel.Name] = true
				}
			case *ast.Ident:
				if declared[x.Name] == in && !declaring[x] {
					used[x.Name] = true
				}
			}
			return true
		})
	}
	return used
}
