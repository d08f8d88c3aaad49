package local

import "github.com/openpai/terraform-provider-openpai/internal/framework"

// trouble says what keeps the supervisor of an unfinished Framework from its
// work; empty when nothing does.
func (o object) trouble(fw *framework.Framework) string {
	if fw.Status != nil && fw.Status.State == framework.StateCompleted {
		return ""
	}
	if p := o.suspendedSupervisor(); p != nil {
		return suspendedText(p)
	}
	if o.full() {
		return o.fullText()
	}
	return ""
}
