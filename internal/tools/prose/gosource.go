// SPDX-License-Identifier: MPL-2.0

package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

// readGo returns the comments and multi-word string literals, but no
// directives or import paths.
func readGo(name string, content []byte) ([]passage, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, content, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var found []passage
	add := func(at token.Pos, text string, literal bool) {
		if text = strings.Join(strings.Fields(text), " "); strings.Contains(text, " ") {
			found = append(found, passage{file: name, line: set.Position(at).Line, text: text, literal: literal})
		}
	}
	for _, group := range file.Comments {
		for _, paragraph := range paragraphs(group.Text()) {
			add(group.Pos(), paragraph, false)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.BinaryExpr:
			if text, ok := concatenated(n); ok {
				add(n.Pos(), text, true)
				return false
			}
		case *ast.BasicLit:
			if text, ok := literal(n); ok {
				add(n.Pos(), text, true)
			}
		}
		return true
	})
	return found, nil
}

// paragraphs omits indented code.
func paragraphs(comment string) []string {
	var kept []string
	for _, paragraph := range strings.Split(comment, "\n\n") {
		if !strings.HasPrefix(paragraph, "\t") {
			kept = append(kept, paragraph)
		}
	}
	return kept
}

// concatenated returns the text of concatenated string literals.
func concatenated(e *ast.BinaryExpr) (string, bool) {
	if e.Op != token.ADD {
		return "", false
	}
	var sides [2]string
	for i, side := range []ast.Expr{e.X, e.Y} {
		ok := false
		switch side := side.(type) {
		case *ast.BinaryExpr:
			sides[i], ok = concatenated(side)
		case *ast.BasicLit:
			sides[i], ok = literal(side)
		}
		if !ok {
			return "", false
		}
	}
	return sides[0] + sides[1], true
}

func literal(l *ast.BasicLit) (string, bool) {
	if l.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(l.Value)
	return text, err == nil
}
