// SPDX-License-Identifier: MPL-2.0

package repository

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// parsers lists HCL's parser functions. These functions do not limit the size
// of the input.
var parsers = []string{
	"hclsyntax.ParseConfig(", "hclsyntax.ParseExpression(", "hclsyntax.ParseTemplate(", "hclwrite.ParseConfig(", "hclparse.NewParser(",
}

// mayParse lists the packages that may call the parsers. hclspec/syntax
// limits the size of the input.
var mayParse = []string{"hclspec/syntax", "internal/tools/docgen"}

func TestOnlyTheLanguageParsesHCL(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		within, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		for _, allowed := range mayParse {
			if filepath.ToSlash(within) == allowed {
				return nil
			}
		}
		for _, call := range parsers {
			if bytes.Contains(text, []byte(call)) {
				t.Errorf("%s calls %s...): use syntax.ParseNative", path, call)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
