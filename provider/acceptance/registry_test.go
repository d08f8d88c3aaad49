// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTheRegistryAcceptsTheDocs runs the Terraform Registry's documentation check.
// It also generates the pages from OpenTofu's schema, and compares them with docs/.
// The tool looks for the provider in the namespace hashicorp.
func TestTheRegistryAcceptsTheDocs(t *testing.T) {
	p := newProject(t, "tofu")
	p.configure(`provider "openpai" {}`)
	var served struct {
		Version string                     `json:"format_version"`
		Schemas map[string]json.RawMessage `json:"provider_schemas"`
	}
	cmd := exec.CommandContext(t.Context(), p.program, "providers", "schema", "-json")
	cmd.Dir, cmd.Env = p.dir, p.env
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &served)
	}
	if err != nil || len(served.Schemas) != 1 {
		t.Fatalf("%d schemas: %v", len(served.Schemas), err)
	}
	for name, schema := range served.Schemas {
		delete(served.Schemas, name)
		served.Schemas["registry.terraform.io/hashicorp/openpai"] = schema
	}
	text, err := json.Marshal(map[string]any{"format_version": served.Version, "provider_schemas": served.Schemas})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(p.dir, "schema.json")
	write(t, file, string(text))
	tfplugindocs(t, "validate", "--provider-name", "openpai", "--providers-schema", file)
	docs := filepath.Join(p.dir, "docs")
	tfplugindocs(t, "generate", "--provider-name", "openpai", "--rendered-provider-name", "OpenPAI", "--providers-schema", file,
		"--rendered-website-dir", relative(t, moduleDir(t), docs), "--website-source-dir", "internal/tools/docgen/templates")
	compareFiles(t, docs, filepath.Join(moduleDir(t), "docs"))
}

func tfplugindocs(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"tool", "-modfile=.ci/tfplugindocs/go.mod", "tfplugindocs"}, args...)...)
	cmd.Dir = moduleDir(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
}

func moduleDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func relative(t *testing.T, from, to string) string {
	t.Helper()
	path, err := filepath.Rel(from, to)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// compareFiles compares each file below want with the file at the same relative
// path below got.
func compareFiles(t *testing.T, want, got string) {
	t.Helper()
	files := 0
	err := fs.WalkDir(os.DirFS(want), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		if diff := cmp.Diff(read(t, filepath.Join(want, path)), read(t, filepath.Join(got, path))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
		return nil
	})
	if err != nil || files == 0 {
		t.Errorf("%d files compared: %v", files, err)
	}
}
