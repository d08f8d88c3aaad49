// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"fmt"
	"maps"
	"os"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/output"
	"github.com/openpai/terraform-provider-openpai/internal/policytest"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
)

func newPolicyCmd(s *Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "policy",
		Short: "Test policies",
		Long: dedent(`
			Run the tests of the policies in one or more directories.

			    openpai policy test policies
			    openpai policy test examples/policies`),
		Args: noSubcommand,
		RunE: printHelp,
	}
	cmd.AddCommand(newPolicyTestCmd(s))
	return cmd
}

func newPolicyTestCmd(s *Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "test [DIRECTORY...]",
		Short: "Run policy tests",
		Long: dedent(`
			Run the tests in the *.paipolicytest.hcl files of a policy directory, or of a
			workspace with policies. A test plans a small workspace, without a cluster, and
			passes if the plan violates exactly the policies in "deny" and "warn":

			    test "latest is denied" {
			      deny   = ["pinned_images"]
			      config = <<-EOT
			        job "train" {
			          task_role "worker" {
			            image    = "debian:latest"
			            commands = ["true"]
			            resources {
			              gpu       = 0
			              cpu       = 1
			              memory_mb = 64
			            }
			          }
			        }
			      EOT
			    }

			To plan an existing workspace, set "path" instead of "config"; "." is the
			directory of the test. To plan changes to running jobs, put their HCL in
			"before". With destroy = true, the plan deletes all jobs.

			Exit codes: 0 all tests passed, 1 a test could not run, 3 a test failed.

			    openpai policy test
			    openpai policy test policies/images policies/quota
			    openpai policy test policies --json`),
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{"."}
			}
			t := &policyTests{streams: s}
			for _, dir := range args {
				if err := t.directory(dir); err != nil {
					return err
				}
			}
			return t.finish()
		},
	}
	s.registerJSON(cmd, "the tests with their results")
	return cmd
}

// policyTests collects the results of policy tests.
type policyTests struct {
	streams        *Streams
	passed, failed int
	tests          []document.PolicyTest
}

func (t *policyTests) directory(dir string) error {
	policies, diags := testedPolicies(dir)
	tests, files, more := policytest.Load(dir)
	diags = append(diags, more...)
	maps.Copy(policies.Files, files)
	if diags.HasErrors() {
		return &diagnosticsError{diags: diags, files: policies.Files}
	}
	for _, test := range tests {
		result, diags := test.Run(policies.All)
		if result == nil {
			return &diagnosticsError{diags: errorsOf(diags), files: policies.Files}
		}
		t.show(result)
	}
	return nil
}

// testedPolicies reads a policy directory or a workspace. A workspace can also
// contain other blocks.
func testedPolicies(dir string) (*workspace.Policies, hcl.Diagnostics) {
	policies, diags := workspace.LoadPolicies([]string{dir})
	if !diags.HasErrors() {
		return policies, diags
	}
	loaded, found := workspace.Load(workspace.Options{Path: dir, Environ: os.Environ()})
	if len(loaded.Workspace.Policies) == 0 {
		return policies, diags
	}
	return &workspace.Policies{All: loaded.Workspace.Policies, Files: loaded.Files}, found
}

func errorsOf(diags hcl.Diagnostics) hcl.Diagnostics {
	var all hcl.Diagnostics
	for _, d := range diags {
		if d.Severity == hcl.DiagError {
			all = append(all, d)
		}
	}
	return all
}

func (t *policyTests) show(r *policytest.Result) {
	word := "ok  "
	if r.Passed() {
		t.passed++
	} else {
		t.failed++
		word = "FAIL"
	}
	if t.streams.json != nil {
		t.tests = append(t.tests, document.NewPolicyTest(r.File, r.Name, r.Failures, r.Verdicts))
		return
	}
	fmt.Fprintf(t.streams.out, "%s %s: %s\n", word, output.Clean(r.File), output.Clean(r.Name))
	if r.Passed() {
		return
	}
	for _, failure := range r.Failures {
		fmt.Fprintf(t.streams.out, "     %s\n", output.Clean(failure))
	}
	for _, d := range r.Verdicts {
		fmt.Fprintf(t.streams.out, "     %s\n", output.Clean(d.Detail))
	}
}

func (t *policyTests) finish() error {
	if t.streams.json != nil {
		t.streams.json.show(document.NewPolicyTests(t.tests))
	} else {
		fmt.Fprintf(t.streams.out, "%s: %d passed, %d failed.\n", quantity.Count(t.passed+t.failed, "test"), t.passed, t.failed)
	}
	if t.failed > 0 {
		return exitWith(exitDenied)
	}
	return nil
}
