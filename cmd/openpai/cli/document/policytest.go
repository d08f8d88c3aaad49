// SPDX-License-Identifier: MPL-2.0

package document

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// PolicyTests is the output of the policy test command.
type PolicyTests struct {
	Head
	Passed int          `json:"passed" doc:"Number of tests that passed"`
	Failed int          `json:"failed" doc:"Number of tests that failed"`
	Tests  []PolicyTest `json:"tests"`
	Foot
}

// PolicyTest is the result of one test.
type PolicyTest struct {
	File     string            `json:"file"`
	Name     string            `json:"name"`
	Passed   bool              `json:"passed"`
	Failures []string          `json:"failures" doc:"Differences from the expected verdicts"`
	Verdicts []view.Diagnostic `json:"verdicts" doc:"Policy verdicts on the test's plan"`
}

// NewPolicyTest returns the result of a test.
func NewPolicyTest(file, name string, failures []string, verdicts hcl.Diagnostics) PolicyTest {
	return PolicyTest{File: file, Name: name, Passed: len(failures) == 0, Failures: append([]string{}, failures...), Verdicts: view.NewDiagnostics(verdicts, phrase.Of)}
}

// NewPolicyTests returns the document for the given tests.
func NewPolicyTests(tests []PolicyTest) *PolicyTests {
	d := &PolicyTests{Head: head(), Tests: append([]PolicyTest{}, tests...), Foot: foot()}
	for _, one := range tests {
		if one.Passed {
			d.Passed++
		} else {
			d.Failed++
		}
	}
	return d
}
