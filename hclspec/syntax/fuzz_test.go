// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// FuzzDecode checks for panics and hangs. Its first argument selects HCL's
// JSON syntax instead of the native syntax.
func FuzzDecode(f *testing.F) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			if strings.Contains(file.Name, ".pai.hcl") {
				f.Add(isJSON(file.Name), file.Data)
			}
		}
	}
	f.Add(false, []byte("variable \"x\" {\n  type = string\n}\njob \"j\" {\n  for_each = toset([var.x])\n}\n"))
	f.Add(false, []byte("job \"j\" {\n  for_each = toset([\"a\", null])\n}\n"))
	f.Fuzz(func(t *testing.T, json bool, src []byte) {
		name := "a.pai.hcl"
		if json {
			name += ".json"
		}
		ws, diags := Decode(Input{Files: map[string][]byte{name: src}, Dir: t.TempDir()})
		if ws == nil {
			t.Fatal("no workspace")
		}
		for _, d := range diags {
			text := d.Summary + " " + d.Detail
			if d.Subject == nil || strings.Contains(text, "%!") && !strings.Contains(string(src), "%") || strings.Contains(text, "<nil>") && !strings.Contains(string(src), "nil") {
				t.Fatalf("a diagnostic without a position, or with a formatting error: %s", text)
			}
		}
	})
}
