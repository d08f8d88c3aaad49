// SPDX-License-Identifier: MPL-2.0

package repository

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// british maps British word stems to American ones. The linter checks whole words
// in comments and strings. This list is for the words in identifiers.
var british = map[string]string{
	"analys(e|ed|es|er|ers|ing)": "analyz", "artefact": "artifact", "authoris": "authoriz", "behaviour": "behavior",
	"cancell(ed|ing|er|able)": "cancel", "canonicalis": "canonicaliz", "capitalis": "capitaliz", "catalogue": "catalog",
	"categoris": "categoriz", "centre": "center", "colour": "color", "customis": "customiz", "defence": "defense",
	"deserialis": "deserializ", "dialled": "dialed", "dialling": "dialing", "dialogue": "dialog", "favour": "favor", "finalis": "finaliz",
	"fulfil(s|ment)?$": "fulfill", "generalis": "generaliz", "grey": "gray", "harbour": "harbor", "honour": "honor",
	"initialis": "initializ", "judgement": "judgment", "labell(ed|ing|er)": "label", "licence": "license", "localis": "localiz",
	"marshall(ed|ing|er)": "marshal", "materialis": "materializ", "maximis": "maximiz", "memoris": "memoriz", "minimis": "minimiz",
	"misspelt": "misspelled", "modell(ed|ing|er)": "model", "neighbour": "neighbor", "normalis": "normaliz", "offence": "offense", "optimis": "optimiz",
	"organis(e|ed|es|er|ing|ation)": "organiz", "parallelis(e|ed|es|ing|ation)": "paralleliz", "prioritis": "prioritiz", "programme$": "program",
	"randomis": "randomiz", "realis(e|ed|es|ing|ation)": "realiz", "recognis": "recogniz", "sanitis": "sanitiz", "serialis": "serializ",
	"signall(ed|ing|er)": "signal", "specialis": "specializ", "spelt": "spelled", "standardis": "standardiz", "summaris": "summariz",
	"synchronis": "synchroniz", "tokenis": "tokeniz", "travell(ed|ing|er)": "travel", "unmarshall(ed|ing|er)": "unmarshal",
	"utilis": "utiliz", "virtualis": "virtualiz", "visualis": "visualiz",
}

// TestIdentifiersAreSpelledAsInTheUnitedStates checks every identifier that
// the module declares or uses, and the file names.
func TestIdentifiersAreSpelledAsInTheUnitedStates(t *testing.T) {
	forms := map[*regexp.Regexp]string{}
	for stem, american := range british {
		forms[regexp.MustCompile("^"+stem)] = american
	}
	seen := map[string]bool{}
	check := func(where, name string) {
		if seen[name] {
			return
		}
		seen[name] = true
		for _, word := range words(name) {
			for form, american := range forms {
				if form.MatchString(word) {
					t.Errorf("%s: %q in %s is British; write %s…", where, word, name, american)
				}
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

func TestWordsOfAnIdentifier(t *testing.T) {
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
