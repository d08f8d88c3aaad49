// SPDX-License-Identifier: MPL-2.0

package policytest_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/policytest"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
)

// TestTheTestsOfTheExamplePoliciesPass runs the tests of examples/policies. For each
// policy, at least one test must expect a denial. For each policy file, at least one
// test must expect no denial.
func TestTheTestsOfTheExamplePoliciesPass(t *testing.T) {
	t.Parallel()
	dir := filepath.Join("..", "..", "examples", "policies")
	policies, diags := workspace.LoadPolicies([]string{dir})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	tests, _, diags := policytest.Load(dir)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	denied, passing := map[string]bool{}, map[string]bool{}
	for _, test := range tests {
		r, diags := test.Run(policies.All)
		if r == nil {
			t.Errorf("%s: %s: %v", test.File, test.Name, diags)
			continue
		}
		if !r.Passed() {
			t.Errorf("%s: %s: %v\n%v", test.File, test.Name, r.Failures, r.Verdicts)
		}
		for _, name := range test.Deny {
			denied[name] = true
		}
		if len(test.Deny) == 0 {
			passing[strings.TrimSuffix(test.File, ".paipolicytest.hcl")] = true
		}
	}
	for _, p := range policies.All {
		if !denied[p.Name] {
			t.Errorf("no test expects a denial by %s", p.Name)
		}
		if !passing[strings.TrimSuffix(p.Range.Filename, ".pai.hcl")] {
			t.Errorf("no test passes %s", p.Name)
		}
	}
}

const role = "  task_role \"w\" {\n    image    = \"debian:13\"\n    commands = [\"%s\"]\n    resources {\n      gpu       = 0\n      cpu       = 1\n      memory_mb = 64\n    }\n  }\n"

func config(command string) string {
	return "job \"train\" {\n" + strings.ReplaceAll(role, "%s", command) + "}\n"
}

// TestAWrongExpectationFails checks tests with correct and with wrong expectations.
func TestAWrongExpectationFails(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("p.pai.hcl", `
policy "no_sleep" {
  for_each  = task_roles
  condition = each.value.commands[0] != "sleep"
  message   = "sleep"
}
policy "no_end" {
  for_each  = changes
  when      = contains(["replace", "delete"], each.change.action)
  condition = each.change.ended_tasks == 0
  level     = warn
  message   = "${each.change.address} ends ${each.change.ended_tasks} tasks"
}
`)
	if err := os.Mkdir(filepath.Join(dir, "ws"), 0o700); err != nil {
		t.Fatal(err)
	}
	write("ws/main.pai.hcl", config("sleep"))
	policies, diags := workspace.LoadPolicies([]string{dir})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	tests := map[string]struct {
		test     policytest.Test
		failures []string
		code     string
	}{
		"as expected":               {test: policytest.Test{Config: config("sleep"), Deny: []string{"no_sleep"}}},
		"a workspace":               {test: policytest.Test{Path: "ws", Deny: []string{"no_sleep"}}},
		"a job that is replaced":    {test: policytest.Test{Before: config("a"), Config: config("b"), Warn: []string{"no_end"}}},
		"a job that is deleted":     {test: policytest.Test{Before: config("a"), Config: config("a"), Destroy: true, Warn: []string{"no_end"}}},
		"a job that stays":          {test: policytest.Test{Before: config("sleep"), Config: config("sleep")}},
		"no verdict":                {test: policytest.Test{Config: config("a"), Deny: []string{"no_sleep"}}, failures: []string{"denied by no policy, expected no_sleep"}},
		"another verdict":           {test: policytest.Test{Before: config("a"), Config: config("sleep"), Deny: []string{"no_end"}}, failures: []string{"denied by no_sleep, expected no_end", "warned by no_end, expected no policy"}},
		"a policy that is unknown":  {test: policytest.Test{Config: config("a"), Deny: []string{"no_slep"}}, code: "invalid-policy-test"},
		"an invalid config":         {test: policytest.Test{Config: "job \"a\" {}"}, code: "missing-block"},
		"a config that is not HCL":  {test: policytest.Test{Config: "job"}, code: "invalid-syntax"},
		"a missing workspace":       {test: policytest.Test{Path: "none"}, code: "workspace-not-found"},
		"a job that is not allowed": {test: policytest.Test{Before: config("a"), Config: "job \"train\" {\n  prevent_destroy = true\n" + strings.ReplaceAll(role, "%s", "b") + "}\n"}, code: "destroy-prevented"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt.test.Name, tt.test.File = name, filepath.Join(dir, "a.paipolicytest.hcl")
			r, diags := tt.test.Run(policies.All)
			if r == nil {
				if !slices.ContainsFunc(hclspec.Sort(diags), func(d *hcl.Diagnostic) bool { return hclspec.Code(d) == tt.code }) {
					t.Errorf("%v, want %s", diags, tt.code)
				}
				return
			}
			if diff := cmp.Diff(tt.failures, r.Failures); diff != "" || tt.code != "" {
				t.Errorf("code %q (-want +got):\n%s", tt.code, diff)
			}
		})
	}
}
