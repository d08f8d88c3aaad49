package hclspec

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// Policy is a rule that plans are judged by.
type Policy struct {
	Name string
	Path Path
	// Range is where the policy is declared.
	Range hcl.Range
	// Directory is the directory of policies that it comes from, as the user
	// wrote it; "" for a policy of the workspace.
	Directory string

	// ForEach is what is judged, one of the PolicySubjects.
	ForEach string
	// When says which of them are; nil: those of jobs that apply creates,
	// updates or replaces.
	When Expression
	// Condition is true for what is good.
	Condition Expression
	// Level is PolicyDeny or PolicyWarn.
	Level string
	// Message says what is wrong.
	Message Expression
	// Field is the field of the subject that a verdict is about, such as
	// resources.gpu; "" for the whole.
	Field string
}

// PolicySubjects are what policies judge, in the order of the documentation.
var PolicySubjects = []string{"jobs", "task_roles", "prerequisites", "storages", "changes", "plan"}

// The levels of a policy.
const (
	PolicyDeny = "deny"
	PolicyWarn = "warn"
)

// Deny reports whether a plan that violates the policy is refused.
func (p *Policy) Deny() bool { return p.Level != PolicyWarn }

// Expression is evaluated after the model was decoded. It is safe for concurrent
// use.
type Expression interface {
	// Range is where it is written.
	Range() hcl.Range
	// Variables are the names that it refers to, other than var.
	Variables() []hcl.Traversal
	// Evaluate computes the value with the names given; it knows var itself.
	// It reads no file and no clock. Loops are bounded; bytes is what those of
	// several expressions may compute together, and is reduced.
	Evaluate(names map[string]cty.Value, bytes *int) (cty.Value, hcl.Diagnostics)
}
