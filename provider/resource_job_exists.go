// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// existsAdvice explains how to fix two other causes of [JobExists]. A destroy
// without -refresh=false plans the configuration first. With
// create_before_destroy, Terraform creates a replacement before its
// predecessor ends.
const existsAdvice = "With create_before_destroy, a replacement always requires a different name. If that setting caused this error, remove the setting. Then remove the resource from the state with `terraform state rm`, which does not end the job, and import the job. To destroy the resources of this state, use destroy with -refresh=false."

// reportExists reports that the job already exists and has a different owner.
func reportExists(diags *diag.Diagnostics, d *declaration, e *operation.ExistsError) {
	if e.Creator != nil {
		diags.AddError(JobExists.Summary, fmt.Sprintf("%s cannot be created: %s. Wait until that process ends. If that process uses another state, rename this job.", e.Address, e.Creator))
		return
	}
	if e.Job.Elsewhere(planner.DeclaredByTerraform) {
		reportElsewhere(diags, d.resolved)
		return
	}
	diags.AddError(JobExists.Summary, fmt.Sprintf("%s exists on the cluster, but is not in this state. If this resource declares that job, import the job to the address of this resource:\n\n%s\nOtherwise, choose a different name for this job. %s", e.Address, importBlock(d.resolved), existsAdvice))
}

// reportElsewhere reports that the openpai CLI declares the job.
func reportElsewhere(diags *diag.Diagnostics, job *resolve.Job) {
	diags.AddError(DeclaredElsewhere.Summary, fmt.Sprintf("%s is declared in the files of the workspace %q. Remove this resource. To move the job to Terraform, remove the job from those files, then import the job to the address of this resource:\n\n%s", job.Address, job.Workspace, importBlock(job)))
}

// importBlock returns an import block. Its address is a guess from the name of
// the job.
func importBlock(job *resolve.Job) string {
	return fmt.Sprintf("import {\n  to = openpai_job.%s\n  id = %q\n}\n", identifier(job.Name), jobID(job.User, job.Name))
}

// identifier converts the name of a job to the likely name of its resource.
func identifier(name string) string {
	var text []rune
	for i, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_'
		if digit := r >= '0' && r <= '9' || r == '-'; !letter && (!digit || i == 0) {
			r = '_'
		}
		text = append(text, r)
	}
	return string(text)
}

func reportSameJob(diags *diag.Diagnostics, c collision, user, name string) {
	switch c {
	case noCollision:
	case declaredTwice:
		diags.AddError(SameJob.Summary, fmt.Sprintf("Another openpai_job has the name %q and the same user. Change the name of one of the resources.", name))
	case heldByRename:
		diags.AddError(SameJob.Summary, fmt.Sprintf("In this state, a different resource still declares the job %q, and this plan renames that job. Apply the rename first, then give the name %q to another openpai_job.", name, name))
	case heldByState:
		diags.AddError(SameJob.Summary, fmt.Sprintf("In this state, the job %q is at a different address, or is a deposed object left by create_before_destroy. If the address of the resource changed, add a moved block. %s", name, deposedAdvice(user, name)))
	}
}

// deposedAdvice describes how to recover after create_before_destroy with an
// unchanged job name. `terraform state rm ADDRESS` also removes the deposed objects
// at the address.
func deposedAdvice(user, name string) string {
	return fmt.Sprintf("After such a replacement, remove create_before_destroy. Then remove the resource from the state with `terraform state rm`, which does not end the job, and import the job:\n\n%s", importBlock(&resolve.Job{Name: name, User: user}))
}
