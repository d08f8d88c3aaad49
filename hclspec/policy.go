// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// Policy is a rule for checking plans.
type Policy struct {
	Name string
	Path Path
	// Range is the position of the declaration.
	Range hcl.Range
	// Directory is the policy directory as the user wrote it, or "" for a policy of the
	// workspace.
	Directory string

	// ForEach is the kind of subject that the policy checks, one of
	// PolicySubjects.
	ForEach string
	// When selects the subjects. If When is nil, the policy applies to jobs
	// that apply creates, updates or replaces.
	When Expression
	// Condition is true if the subject complies.
	Condition Expression
	// Level is PolicyDeny or PolicyWarn.
	Level string
	// Message describes the violation.
	Message Expression
	// Field is the field whose position the verdict shows, such as
	// resources.gpu, or "" for the whole subject.
	Field string
}

// PolicySubjects lists the subjects of policies, in the order of the
// documentation.
var PolicySubjects = []string{"jobs", "task_roles", "prerequisites", "storages", "changes", "plan"}

// The levels of a policy.
const (
	PolicyDeny = "deny"
	PolicyWarn = "warn"
)

// Deny reports whether a violation of the policy rejects the plan.
func (p *Policy) Deny() bool { return p.Level != PolicyWarn }

// Expression is an expression that openpai evaluates after it decodes the
// model. It is safe for concurrent use.
type Expression interface {
	// Range returns the position of the expression.
	Range() hcl.Range
	// Variables returns the names to which the expression refers, except for
	// var.
	Variables() []hcl.Traversal
	// Evaluate computes the value of the expression. The expression can refer to the
	// given names and to var. It does not read files or the clock. The argument bytes
	// points to the remaining size budget. Several expressions share this budget.
	// Evaluate subtracts the cost of the loops. Loops are bounded.
	Evaluate(names map[string]cty.Value, bytes *int) (cty.Value, hcl.Diagnostics)
}
