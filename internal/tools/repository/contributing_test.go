// SPDX-License-Identifier: MPL-2.0

package repository

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var goExample = regexp.MustCompile("(?ms)^```go\n(func (Test\\w+)\\(.*?)^```$")

// TestTheResourceTestInContributingIsARealTest checks that the example test in
// CONTRIBUTING.md is identical to a test in provider/acceptance and has at most 22
// lines.
func TestTheResourceTestInContributingIsARealTest(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	page, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	example := goExample.FindStringSubmatch(string(page))
	if example == nil {
		t.Fatal("CONTRIBUTING.md contains no Go test")
	}
	if n := strings.Count(example[1], "\n"); n > 22 {
		t.Errorf("the example has %d lines", n)
	}
	files, err := filepath.Glob(filepath.Join(root, "provider", "acceptance", "resource_*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), example[1]) {
			return
		}
	}
	t.Errorf("%s of CONTRIBUTING.md differs from the tests in provider/acceptance, or is not there", example[2])
}
