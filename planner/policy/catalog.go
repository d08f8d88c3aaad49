// SPDX-License-Identifier: MPL-2.0

package policy

import "github.com/openpai/terraform-provider-openpai/hclspec"

// Diagnostics of policies.
var (
	Denied = hclspec.DefineError("policy-denied", "Denied by a policy",
		"A policy in the workspace, or in a policy directory outside the workspace, denies the plan. Change the value that the message shows. No option overrides a policy: apply checks it again, even for saved plans.")
	Warned = hclspec.DefineWarning("policy-warning", "Against a policy",
		"A policy with `level = warn` recommends changing the plan, but apply accepts the plan unchanged.")
	NotEvaluated = hclspec.DefineError("policy-not-evaluated", "Policy cannot be evaluated",
		"An expression in a policy fails, returns a value of the wrong type, or depends on an unknown value. Such a policy denies the plan. Correct the expression; use `can` and `try` for attributes that may be absent.")
)

// Is reports whether a diagnostic code means that a policy denies the plan.
func Is(code string) bool { return code == Denied.Code || code == NotEvaluated.Code }
