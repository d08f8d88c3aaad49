// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// errElsewhere is returned if the openpai CLI has taken over a job.
var errElsewhere = errors.New("the openpai CLI now declares the job; refresh and plan again")

func elsewhere(live *planner.LiveJob) bool {
	return live != nil && live.Elsewhere(planner.DeclaredByTerraform)
}

// movedAway reports whether the openpai CLI took over a job that Terraform
// applied. It returns false for an imported job, because apply takes over
// that job.
func (m jobPrivate) movedAway(live *planner.LiveJob) bool {
	return m.Applied != "" && elsewhere(live)
}

// planMovedAway reports an error if the configuration changed. It plans no
// changes, because the openpai CLI took over the job.
func (p *jobPlan) planMovedAway() {
	before, after := attributesOf(p.prior), attributesOf(p.planned)
	for name := range after {
		if jobComputed[name] == nil && !before[name].Equal(after[name]) {
			reportElsewhere(p.diags, p.d.resolved)
			return
		}
	}
	p.keepOutputs(map[string]tftypes.Value{})
	p.diags.AddWarning(DeclaredElsewhere.Summary, fmt.Sprintf("The files of the workspace %[2]q now declare %[1]s. Terraform neither changes nor deletes the job. Remove this resource.", p.d.job.Address(), p.d.resolved.Workspace))
}

// warnNotDestroyed warns that Terraform does not delete a job.
func warnNotDestroyed(diags *diag.Diagnostics, name string) {
	diags.AddWarning(DeclaredElsewhere.Summary, fmt.Sprintf("The openpai CLI declares job.%s, so the job is not deleted. Terraform removes the job only from this state.", name))
}

// takenOver returns the job that apply takes over, or nil. A different program
// created the job, or the openpai CLI declares it.
func (p *jobPlan) takenOver(live *planner.Snapshot) *planner.LiveJob {
	if foreign := foreignJob(live, p.d.resolved); foreign != nil {
		return foreign
	}
	if theirs := live.Job(p.d.resolved.Framework); elsewhere(theirs) {
		return theirs
	}
	return nil
}

// mayAdopt reports whether an update takes over a job. It fails if the openpai CLI has
// taken over the job from Terraform.
func (a *jobApply) mayAdopt(live *planner.Snapshot, job *resolve.Job) (bool, error) {
	theirs := live.Job(job.Framework)
	if a.before.movedAway(theirs) {
		return false, errElsewhere
	}
	return elsewhere(theirs) || foreignJob(live, job) != nil, nil
}
