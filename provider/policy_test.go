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

func TestAViolatedPolicyMayBeAWarningAtTheAttribute(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	source := "policy \"no_sleep\" {\n  for_each = task_roles\n  condition = !anytrue([for c in each.value.commands : startswith(c, \"sleep\")])\n" +
		"  level = warn\n  message = \"${each.value.name} sleeps.\"\n  field = \"commands\"\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "p.pai.hcl"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	tf := startWith(t, tree{"policies": dir, "local": tree{"directory": t.TempDir(), "user": "alice"}})
	p := tf.resource("openpai_job").plan(job([]string{"sleep 1"}))
	if !strings.Contains(p.diagnostics, `AttributeName("commands"): Against a policy: worker sleeps.`) || strings.Contains(p.diagnostics, "error: ") {
		t.Errorf("%s", p.diagnostics)
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
