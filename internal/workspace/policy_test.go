// SPDX-License-Identifier: MPL-2.0

package workspace_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
)

func TestPolicyDirectoriesComeFromFlagsAndEnvironment(t *testing.T) {
	t.Parallel()
	got := workspace.PolicyDirectories([]string{"A=b", "OPENPAI_POLICY=/central, team,"}, []string{"team", "own"})
	if diff := cmp.Diff([]string{"/central", "team", "own"}, got); diff != "" {
		t.Error(diff)
	}
	if got := workspace.PolicyDirectories([]string{"OPENPAI_POLICY="}, nil); got != nil {
		t.Error(got)
	}
}

// The rules for the files of a policy directory differ from the rules for a workspace
// directory.
func TestPolicyDirectoriesContainOnlyPoliciesAndVariables(t *testing.T) {
	t.Parallel()
	const policy = "policy \"p\" {\n  for_each = jobs\n  condition = var.ok\n  message = \"m\"\n}\n"
	tests := map[string]struct {
		files map[string]string
		want  []string
		count int
	}{
		"a policy with a variable":     {map[string]string{"p.pai.hcl": policy + "variable \"ok\" {\n  default = true\n}\n"}, nil, 1},
		"values in a file":             {map[string]string{"p.pai.hcl": policy + "variable \"ok\" {}\n", "a.paivars.hcl": "ok = false\n"}, nil, 1},
		"a variable without a value":   {map[string]string{"p.pai.hcl": policy + "variable \"ok\" {}\n"}, []string{"missing-variable-value"}, 1},
		"no policy":                    {map[string]string{"p.pai.hcl": "variable \"ok\" {\n  default = true\n}\n"}, []string{"policy-directory"}, 0},
		"nothing":                      {nil, []string{"policy-directory"}, 0},
		"blocks of a workspace":        {map[string]string{"p.pai.hcl": "locals {\n  a = file(\"/etc/passwd\")\n}\nsecret \"s\" {\n  env = \"HOME\"\n}\n"}, []string{"unknown-block", "unknown-block"}, 0},
		"JSON":                         {map[string]string{"p.pai.hcl.json": `{"policy": {"p": {"for_each": "jobs", "level": "warn", "condition": "${each.value.name != \"x\"}", "message": "m ${each.value.name}"}}}`}, nil, 1},
		"a file that cannot be parsed": {map[string]string{"p.pai.hcl": "policy {"}, []string{"invalid-syntax"}, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for name, text := range tt.files {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			got, diags := workspace.LoadPolicies([]string{dir})
			var codes []string
			for _, d := range diags {
				codes = append(codes, hclspec.Code(d))
			}
			if diff := cmp.Diff(tt.want, codes); diff != "" || len(got.All) != tt.count {
				t.Errorf("%d policies, codes (-want +got):\n%s%v", len(got.All), diff, diags)
			}
		})
	}
	if _, diags := workspace.LoadPolicies([]string{filepath.Join(t.TempDir(), "none")}); len(diags) != 1 || hclspec.Code(diags[0]) != "policy-directory" {
		t.Error(diags)
	}
}

func TestValuesForPolicyDirectoriesComeOnlyFromTheirFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := "policy \"p\" {\n  for_each = jobs\n  condition = var.ok\n  message = \"m\"\n}\nvariable \"ok\" {}\n"
	if err := os.WriteFile(filepath.Join(dir, "p.pai.hcl"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, diags := workspace.LoadPolicies([]string{dir})
	want := `The variable "ok" has no value: set the variable in a .paivars.hcl file of the policy directory, or set a default.`
	if len(diags) != 1 || diags[0].Detail != want {
		t.Errorf("%v", diags)
	}
}
