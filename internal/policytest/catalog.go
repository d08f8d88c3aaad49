// SPDX-License-Identifier: MPL-2.0

package policytest

import "github.com/openpai/terraform-provider-openpai/hclspec"

// InvalidTest is the diagnostic for errors in the tests of policies.
var InvalidTest = hclspec.DefineError("invalid-policy-test", "Policy test cannot be run",
	"A test of a policy is a `test` block with `config`, the HCL of a small workspace, or `path`, and the names of the policies that `deny` it or `warn`. The error says what is wrong with it; `openpai policy test --help` shows one.")
