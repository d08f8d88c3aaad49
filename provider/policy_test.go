// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// policyDirectory contains a policy against sleep commands.
func policyDirectory(t *testing.T, level string) string {
	t.Helper()
	dir := t.TempDir()
	source := "policy \"no_sleep\" {\n  for_each = task_roles\n  condition = !anytrue([for c in each.value.commands : startswith(c, \"sleep\")])\n" +
		"  level = " + level + "\n  message = \"${each.value.name} sleeps.\"\n  field = \"commands\"\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "p.pai.hcl"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestViolatedPoliciesAreReportedAtTheAttribute checks denials and warnings,
// including the paths of their attributes.
func TestViolatedPoliciesAreReportedAtTheAttribute(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		level, command, want string
	}{
		"a denied job":             {"deny", "sleep 1", "AttributeName(\"commands\"): Denied by a policy: worker sleeps."},
		"a job without violations": {"deny", "true", ""},
		"a job with a warning":     {"warn", "sleep 1", "AttributeName(\"commands\"): Against a policy: worker sleeps."},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tf := startWith(t, tree{"policies": policyDirectory(t, tt.level), "local": tree{"directory": t.TempDir(), "user": "alice"}})
			p := tf.resource("openpai_job").plan(job([]string{tt.command}))
			if tt.want == "" && strings.Contains(p.diagnostics, "policy") || !strings.Contains(p.diagnostics, tt.want) {
				t.Errorf("diagnostics of the plan:\n%s", p.diagnostics)
			}
			if denied := tt.level == "deny" && tt.want != ""; denied != strings.Contains(p.diagnostics, "error: ") {
				t.Errorf("denied %t, but\n%s", denied, p.diagnostics)
			}
		})
	}
}

func TestADirectoryWithoutPoliciesIsAnError(t *testing.T) {
	t.Parallel()
	p := newProvider("test")
	p.lookup = func(name string) (string, bool) { return filepath.Join(t.TempDir(), "none"), name == "OPENPAI_POLICY" }
	var diags diag.Diagnostics
	_, known := p.policies(tftypes.NewValue(tftypes.String, nil), &diags)
	if !known || len(diags) != 1 || diags[0].Summary() != "Policy directory cannot be used" {
		t.Errorf("known %t, %v", known, diags)
	}
	if _, known := p.policies(tftypes.NewValue(tftypes.String, tftypes.UnknownValue), &diags); known {
		t.Error("an unknown directory was read")
	}
}
