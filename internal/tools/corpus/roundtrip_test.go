// SPDX-License-Identifier: MPL-2.0

package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/protocol"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// examples returns protocol YAML: the first file of each archive in
// hclspec/protocol/testdata.
func examples(t testing.TB) map[string][]byte {
	names, err := filepath.Glob("../../../hclspec/protocol/testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no archives of protocol YAML: ", err)
	}
	found := map[string][]byte{}
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		found[filepath.Base(name)] = archive.Files[0].Data
	}
	return found
}

// readValid returns nil if the file has errors.
func readValid(src []byte) (*hclspec.Workspace, []hclspec.Comment) {
	file, diags := protocol.Parse("job.yaml", src)
	if file == nil || file.Job == nil || diags.HasErrors() {
		return nil, nil
	}
	ws := &hclspec.Workspace{Jobs: []*hclspec.Job{file.Job}, Sources: file.Sources}
	if hclspec.Validate(ws).HasErrors() {
		return nil, nil
	}
	return ws, protocol.Comments(file, "job.yaml", src)
}

func TestValidJobsSurviveTheRoundTrip(t *testing.T) {
	t.Parallel()
	jobs := 0
	for name, src := range examples(t) {
		ws, comments := readValid(src)
		if ws == nil {
			continue
		}
		jobs++
		if p := roundTrip(ws, comments); p != "" {
			t.Errorf("%s: %s", name, p)
		}
	}
	if jobs < 5 {
		t.Errorf("only %d jobs were compared", jobs)
	}
}

// FuzzRoundTrip checks that HCL can express every valid job file. It also
// checks that the HCL can be resolved and rendered, or that diagnostics
// explain why not.
func FuzzRoundTrip(f *testing.F) {
	for _, src := range examples(f) {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		ws, comments := readValid(src)
		if ws == nil {
			return
		}
		if p := roundTrip(ws, comments); p != "" {
			t.Error(p)
		}
		jobs, diags := resolve.All(resolve.Input{Workspace: ws, User: "ada"})
		if !diags.HasErrors() {
			diags = append(diags, renderAll(jobs, ws.Sources)...)
		}
		for _, d := range diags {
			if strings.Contains(d.Detail, "%!") && !bytes.Contains(src, []byte("%")) {
				t.Error(d.Detail)
			}
		}
	})
}
