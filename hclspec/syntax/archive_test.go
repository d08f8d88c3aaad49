// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"golang.org/x/tools/txtar"
)

// TestEachArchiveIsDecoded decodes the archives of testdata. An archive contains
//
//   - sources, *.pai.hcl and *.pai.hcl.json, and values, *.paivars.hcl;
//   - in same/, sources in a different notation that must decode to the same
//     model;
//   - env and args, which set variables with name=value lines;
//   - other files, which become the contents of the workspace directory;
//   - model.json, the expected model, or diagnostics.txt, the expected
//     diagnostics.
//
// With UPDATE=1, the test rewrites the expected parts.
func TestEachArchiveIsDecoded(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			testArchive(t, name)
		})
	}
}

func testArchive(t *testing.T, name string) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	in, same := inputs(t, archive)
	ws, diags := Decode(in)
	got := map[string]string{}
	if len(diags) > 0 {
		got["diagnostics.txt"] = listing(diags)
	}
	if !diags.HasErrors() {
		got["model.json"] = string(dump(t, ws))
	}
	compare(t, name, archive, got)
	if len(same.Files) == 0 {
		return
	}
	other, diags := Decode(same)
	if diags.HasErrors() {
		t.Fatalf("the other notation has errors:\n%s", listing(diags))
	}
	if diff := cmp.Diff(string(dump(t, ws)), string(dump(t, other))); diff != "" {
		t.Errorf("the notations differ (-first +same):\n%s", diff)
	}
}

// inputs returns the test input, and an input with equivalent sources in a
// different notation.
func inputs(t *testing.T, archive *txtar.Archive) (in, same Input) {
	in = Input{Files: map[string][]byte{}, Dir: t.TempDir()}
	same = Input{Files: map[string][]byte{}, Dir: in.Dir}
	var options, files []Value
	for _, f := range archive.Files {
		other, isSame := strings.CutPrefix(f.Name, "same/")
		switch {
		case isSame:
			same.Files[other] = f.Data
		case strings.HasSuffix(f.Name, ".pai.hcl"), strings.HasSuffix(f.Name, ".pai.hcl.json"):
			in.Files[f.Name] = f.Data
		case strings.Contains(f.Name, ".paivars.hcl"):
			values, diags := ParseValues(f.Name, f.Data)
			if diags.HasErrors() {
				t.Fatal(diags)
			}
			files = append(files, values...)
		case f.Name == "env":
			in.Values = append(in.Values, lines(f.Data, OriginEnvironment)...)
		case f.Name == "args":
			options = append(options, lines(f.Data, OriginOption)...)
		case f.Name != "model.json" && f.Name != "diagnostics.txt":
			write(t, filepath.Join(in.Dir, f.Name), f.Data)
		}
	}
	in.Values = append(append(in.Values, files...), options...)
	same.Values = in.Values
	return in, same
}

func lines(src []byte, origin Origin) []Value {
	var values []Value
	for line := range strings.Lines(string(src)) {
		name, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		values = append(values, Value{Name: name, Text: text, Origin: origin})
	}
	return values
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
}

// listing formats a diagnostic as file:line,column-column: code: detail.
func listing(diags hcl.Diagnostics) string {
	var b strings.Builder
	for _, d := range diags {
		at := "nowhere"
		if d.Subject != nil {
			at = d.Subject.String()
		}
		code := hclspec.Code(d)
		if e := hclspec.EntryOf(d); e.Summary != d.Summary {
			code += ": " + d.Summary
		}
		fmt.Fprintf(&b, "%s: %s: %s\n", at, code, hclspec.Detail(d, phrase.Of))
	}
	return b.String()
}

// compare compares the results with the archive. If UPDATE is set, compare
// updates the archive instead.
func compare(t *testing.T, name string, archive *txtar.Archive, got map[string]string) {
	if os.Getenv("UPDATE") != "" {
		kept := archive.Files[:0]
		for _, f := range archive.Files {
			if f.Name != "model.json" && f.Name != "diagnostics.txt" {
				kept = append(kept, f)
			}
		}
		for _, part := range slices.Sorted(maps.Keys(got)) {
			kept = append(kept, txtar.File{Name: part, Data: []byte(got[part])})
		}
		archive.Files = kept
		write(t, name, txtar.Format(archive))
		return
	}
	want := map[string]string{}
	for _, f := range archive.Files {
		if f.Name == "model.json" || f.Name == "diagnostics.txt" {
			want[f.Name] = string(f.Data)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
}
