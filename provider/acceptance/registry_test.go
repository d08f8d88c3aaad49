// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestTheRegistryAcceptsTheDocs runs the Terraform Registry's documentation
// check. The check looks for the provider in the namespace hashicorp.
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
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	check := exec.CommandContext(t.Context(), filepath.Join(cache, "terraform-provider-openpai", "tools", "tfplugindocs"), "validate", "--provider-name", "openpai", "--provider-dir", "../..", "--providers-schema", file)
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("%v; .ci/tools builds tfplugindocs\n%s", err, out)
	}
}
