// SPDX-License-Identifier: MPL-2.0

package policy

import "github.com/openpai/terraform-provider-openpai/hclspec"

// Diagnostics of policies.
var (
	Denied = hclspec.DefineError("policy-denied", "Denied by a policy",
		"A policy of the workspace, or of a directory given with `--policy`, denies the plan. Change what the message names. A policy cannot be overridden: apply checks it again, also for saved plans.")
	Warned = hclspec.DefineWarning("policy-warning", "Against a policy",
		"A policy with `level = warn` says that a plan should be changed. It can be applied.")
	NotEvaluated = hclspec.DefineError("policy-not-evaluated", "Policy cannot be evaluated",
		"An expression of a policy fails, is neither true nor false, or depends on a value that is not known. Such a policy denies the plan. Correct the expression; `can` and `try` help with attributes that are not always there.")
)

// Is reports whether a diagnostic is a denial by a policy.
func Is(code string) bool { return code == Denied.Code || code == NotEvaluated.Code }
