// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// FuzzParse checks that Parse returns a model or actionable diagnostics for any
// file. A valid file must be valid after it is written and parsed again.
func FuzzParse(f *testing.F) {
	archives, _ := filepath.Glob("testdata/*.txtar")
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(archive.Files[0].Data)
	}
	f.Add([]byte("tasks: [{}]"))
	f.Add([]byte("taskRoles:\n  ? "))
	f.Add([]byte("a: &a\n  <<: [*a]"))
	f.Add([]byte("\ufeff- {name: x, plugin: {{ a }}}"))
	f.Fuzz(func(t *testing.T, src []byte) {
		file, diags := Parse("job.yaml", src)
		for _, d := range diags {
			if invented(d.Detail, src, "%!") || invented(d.Detail, src, "<nil>") {
				t.Errorf("diagnostic %q", d.Detail)
			}
			if d.Subject == nil || d.Subject.Start.Byte > len(src) || d.Subject.End.Byte > len(src) || d.Subject.End.Byte < d.Subject.Start.Byte {
				t.Errorf("diagnostic %q has the invalid position %v", d.Detail, d.Subject)
			}
		}
		if file == nil && !diags.HasErrors() {
			t.Fatal("neither a file nor an error")
		}
		if file == nil || file.Job == nil {
			return
		}
		diags = append(diags, hclspec.Validate(&hclspec.Workspace{Jobs: []*hclspec.Job{file.Job}, Sources: file.Sources})...)
		if diags.HasErrors() {
			return
		}
		written, _ := Write(file.Job, WriteOptions{WithSecrets: true})
		again, diags := ParseLabel(file.Job.Label, "job.yaml", written)
		if diags.HasErrors() {
			t.Fatalf("%v\n%s", diags, written)
		}
		if diff := equalJobs(file.Job, again.Job); diff != "" {
			t.Errorf("(-read +read again):\n%s\n%s", diff, written)
		}
	})
}

// invented reports whether a diagnostic contains a word that the file does not
// contain.
func invented(detail string, src []byte, word string) bool {
	return strings.Contains(detail, word) && !bytes.Contains(src, []byte(word))
}
