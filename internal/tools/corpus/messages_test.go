// SPDX-License-Identifier: MPL-2.0

package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"golang.org/x/tools/txtar"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/protocol"
	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// unfit matches text that only developers understand: formatting errors of
// package fmt, Go types and memory addresses.
var unfit = regexp.MustCompile(`%!|<nil>|\b(?:hclspec|hcl|hclsyntax|cty|yaml|json|resolve|protocol|reflect|strconv|fs|os|regexp)\.[A-Z]\w|map\[string|\[\]string|interface ?\{|struct ?\{|&\{|0xc0[0-9a-f]{8}|goroutine`)

// fit fails the test for each diagnostic that matches [unfit].
func fit(t *testing.T, name string, diags hcl.Diagnostics) {
	t.Helper()
	for _, d := range diags {
		if text := d.Summary + ": " + d.Detail; unfit.MatchString(text) {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// workspaceDiagnostics adds the diagnostics from validating and resolving a
// workspace, even if the workspace has errors.
func workspaceDiagnostics(ws *hclspec.Workspace, diags hcl.Diagnostics) hcl.Diagnostics {
	_, more := resolve.All(resolve.Input{Workspace: ws, User: "ada"})
	return append(append(diags, hclspec.Validate(ws)...), more...)
}

// diagnosticsOf reads a file in any syntax as a separate workspace.
func diagnosticsOf(t *testing.T, name string, src []byte) hcl.Diagnostics {
	switch {
	case strings.HasSuffix(name, ".yaml"), strings.HasSuffix(name, ".yml"):
		file, diags := protocol.Parse(name, src)
		if file == nil || file.Job == nil {
			return diags
		}
		return workspaceDiagnostics(&hclspec.Workspace{Jobs: []*hclspec.Job{file.Job}, Sources: file.Sources}, diags)
	case strings.Contains(name, ".pai.hcl"):
		return workspaceDiagnostics(syntax.Decode(syntax.Input{Files: map[string][]byte{name: src}, Dir: t.TempDir()}))
	}
	return nil
}

func TestNoMessageSpeaksOfTheProgram(t *testing.T) {
	t.Parallel()
	found := 0
	check := func(name string, src []byte) {
		diags := diagnosticsOf(t, filepath.Base(name), src)
		found += len(diags)
		fit(t, name, diags)
	}
	err := filepath.WalkDir("../../..", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.Contains(filepath.ToSlash(path), "/.git/") {
			return err
		}
		switch src := []byte(nil); filepath.Ext(path) {
		case ".yaml", ".hcl", ".json", ".txtar":
			if src, err = os.ReadFile(path); err != nil {
				return err
			}
			if filepath.Ext(path) != ".txtar" {
				check(path, src)
				return nil
			}
			for _, f := range txtar.Parse(src).Files {
				check(path+"/"+f.Name, f.Data)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 500 {
		t.Errorf("only %d diagnostics were checked", found)
	}
}

func TestUnfitWordsInMessagesAreFound(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"It is %!s(MISSING).": true, "value <nil>": true, "a cty.String": true, "map[string]any": true,
		"strconv.ParseInt: parsing": true, "&{a b}": true, "a text": false, "jsondecode(file())": false, "job.mnist": false, "100%": false,
	} {
		if unfit.MatchString(text) != want {
			t.Errorf("%q: %t", text, !want)
		}
	}
}
