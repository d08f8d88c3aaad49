// SPDX-License-Identifier: MPL-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func TestEveryFileIsWrittenWhole(t *testing.T) {
	repository := t.TempDir()
	if err := generate(repository); err != nil {
		t.Fatal(err)
	}
	all, err := files()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range all {
		got, err := os.ReadFile(filepath.Join(repository, name))
		if err != nil || string(got) != string(want) {
			t.Errorf("%s is not up to date (%v)", name, err)
		}
	}
}

func TestEveryKindHasAName(t *testing.T) {
	for kind := hclspec.String; kind <= hclspec.Objects; kind++ {
		if kindNames[kind] == "" {
			t.Errorf("kind %d has no name in the documentation", kind)
		}
	}
}

func TestJobPageHasTheFieldsOfATaskRole(t *testing.T) {
	page := string(languagePages()["docs/guides/language-job.md"])
	for _, f := range hclspec.TaskRoleBlock.Fields {
		if !strings.Contains(page, "`"+f.Name+"`") {
			t.Errorf("the page does not mention %s", f.Name)
		}
	}
}
