// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// Terraform replaces a job if the first plan call requires it. The user can also
// request a replacement with -replace, taint or replace_triggered_by. In these
// cases, the first call can return a plan without changes. For a tainted job,
// Terraform omits the first call. Therefore a plan call without prior state also
// checks for a replacement. Terraform prints the warnings of a second call only
// together with an error.

// replacesItself reports whether the plan creates a job again after deleting
// it.
func (p *jobPlan) replacesItself() bool {
	return p.prior.IsNull() && p.nameKnown() && !p.isNew()
}

// endsWork reports whether the plan renames an unfinished job. A rename ends
// the job with the old name.
func (p *jobPlan) endsWork() bool {
	return !p.prior.IsNull() && p.seen != "" && p.seen != operation.RunStateFinished
}

// warnReplacement warns about a requested replacement. If the first call requires
// the replacement, that call has already warned.
func (p *jobPlan) warnReplacement(c *planner.Change) {
	if p.replacesItself() && p.before.Planned == "" {
		p.warnImpact(c, "is replaced")
	}
}
