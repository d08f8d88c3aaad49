// SPDX-License-Identifier: MPL-2.0

package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/workspace"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// TestQuickstartIsOneJobInTwoSyntaxes checks that both examples resolve to the same
// job. Only the workspace name and the secret name differ. In HCL, the secret comes
// from a variable.
func TestQuickstartIsOneJobInTwoSyntaxes(t *testing.T) {
	t.Parallel()
	hcl := strings.ReplaceAll(resolvedExample(t, "quickstart"), "var_seal_key", "seal_key")
	yaml := resolvedExample(t, "quickstart-yaml")
	if diff := cmp.Diff(hcl, yaml); diff != "" {
		t.Errorf("(-HCL +YAML)\n%s", diff)
	}
}

func resolvedExample(t *testing.T, name string) string {
	t.Helper()
	loaded, diags := workspace.Load(workspace.Options{Path: "../../examples/" + name})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	jobs, diags := resolve.All(resolve.Input{Workspace: loaded.Workspace, User: "ada"})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	for _, job := range jobs {
		job.Workspace = ""
	}
	text, err := json.MarshalIndent(jobs, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
