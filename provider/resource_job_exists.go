// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// existsAdvice explains the fix for two other causes of the error: a destroy
// without -refresh=false, which plans the configuration first, and
// create_before_destroy, with which Terraform creates a replacement before its
// predecessor ends.
const existsAdvice = "With create_before_destroy, a replacement always requires another name. If that setting caused this error, remove the setting, remove the address from the state with `terraform state rm` (which does not end the job), and import the job. To destroy the resources of this state, use destroy with -refresh=false."

// reportExists reports that a job cannot be created, because it already exists
// and has another owner.
func reportExists(diags *diag.Diagnostics, d *declaration, e *operation.ExistsError) {
	if e.Creator != nil {
		diags.AddError(JobExists.Summary, fmt.Sprintf("%s cannot be created: %s. Wait until that run ends. If that run belongs to another state, rename this job.", e.Address, e.Creator))
		return
	}
	if e.Job.Elsewhere(planner.DeclaredByTerraform) {
		reportElsewhere(diags, d.resolved)
		return
	}
	diags.AddError(JobExists.Summary, fmt.Sprintf("%s exists on the cluster, but is not in this state. If this resource declares that job, import the job to the address of this resource:\n\n%s\nOtherwise, choose another name for this job. %s", e.Address, importBlock(d.resolved), existsAdvice))
}

// reportElsewhere reports a job that the command line declares.
func reportElsewhere(diags *diag.Diagnostics, job *resolve.Job) {
	diags.AddError(DeclaredElsewhere.Summary, fmt.Sprintf("%s belongs to the files of the workspace %q. Remove this resource. To move the job to Terraform, remove the job from those files, then import the job to the address of this resource:\n\n%s", job.Address, job.Workspace, importBlock(job)))
}

// importBlock returns an import block for a job. The address of the resource is
// not known here.
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

// reportSameJob reports two resources for the same job.
func reportSameJob(diags *diag.Diagnostics, c collision, user, name string) {
	switch c {
	case noCollision:
	case declaredTwice:
		diags.AddError(SameJob.Summary, fmt.Sprintf("Another openpai_job has the name %q and the same user. Change the name of one of the resources.", name))
	case heldByRename:
		diags.AddError(SameJob.Summary, fmt.Sprintf("The job %q is still at another address of this state, which this plan renames. Apply the rename first, then give the name %q to another openpai_job.", name, name))
	case heldByState:
		diags.AddError(SameJob.Summary, fmt.Sprintf("The job %q is at another address of this state, or is a deposed object after a replacement with create_before_destroy. If the address of the resource changed, add a moved block. %s", name, deposedAdvice(user, name)))
	}
}

// deposedAdvice describes how to recover from a replacement with create_before_destroy
// and an unchanged name. `state rm` of an address also removes its deposed objects.
func deposedAdvice(user, name string) string {
	return fmt.Sprintf("After such a replacement, remove create_before_destroy, remove the address from the state with `terraform state rm` (which does not end the job), and import the job:\n\n%s", importBlock(&resolve.Job{Name: name, User: user}))
}
