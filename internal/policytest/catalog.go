// SPDX-License-Identifier: MPL-2.0

package policytest

import "github.com/openpai/terraform-provider-openpai/hclspec"

// InvalidTest is the diagnostic for errors in policy tests.
var InvalidTest = hclspec.DefineError("invalid-policy-test", "Policy test cannot be run",
	"A policy test is a `test` block. It requires either `config` (the HCL of a small workspace) or `path` (a workspace directory or file). `deny` and `warn` list the names of the policies that the workspace violates.")
