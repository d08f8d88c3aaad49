package cluster

import "github.com/openpai/terraform-provider-openpai/internal/message"

// Result is the outcome of one check.
type Result string

// The results. Only Missing keeps jobs from running.
const (
	ResultOK      Result = "ok"
	ResultWarning Result = "warning"
	ResultMissing Result = "missing"
	ResultUnknown Result = "unknown" // it could not be found out, mostly for want of permission
)

// CheckResult is what one check of a cluster found.
type CheckResult struct {
	Check  string
	Result Result
	Found  string
	// Advice is what to do; empty when nothing is.
	Advice message.Text
}
