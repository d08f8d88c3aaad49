package cluster

// Result is the outcome of one check.
type Result string

// The results. Only Missing keeps jobs from running.
const (
	ResultOK      Result = "ok"
	ResultWarning Result = "warning"
	ResultMissing Result = "missing"
	ResultUnknown Result = "unknown" // it could not be found out, mostly for want of permission
)

// Finding is what one check of a cluster found.
type Finding struct {
	Check  string `json:"check"`
	Result Result `json:"result"`
	Found  string `json:"found"`
	// Advice is what to do; empty when nothing is.
	Advice string `json:"advice,omitempty"`
}
