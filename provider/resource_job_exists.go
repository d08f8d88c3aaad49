// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// reportExists reports a job to create that already exists and has another owner.
func reportExists(diags *diag.Diagnostics, d *declaration, e *operation.ExistsError) {
	if e.Creator != nil {
		diags.AddError(JobExists.Summary, fmt.Sprintf("%s cannot be created: %s. Wait until that run ends. If it belongs to another state, rename this job.", e.Address, e.Creator))
		return
	}
	if e.Job.Elsewhere(planner.DeclaredByTerraform) {
		reportElsewhere(diags, d.resolved)
		return
	}
	diags.AddError(JobExists.Summary, fmt.Sprintf("%s exists on the cluster, but this state does not have it. If it is this job, import it with\n\n%s\nElse give this job another name.", e.Address, importBlock(d.resolved)))
}

// reportElsewhere reports a job that the command line declares.
func reportElsewhere(diags *diag.Diagnostics, job *resolve.Job) {
	diags.AddError(DeclaredElsewhere.Summary, fmt.Sprintf("%s belongs to the files of the workspace %q. Remove this resource. To move the job to Terraform, remove it from those files, then import it with\n\n%s", job.Address, job.Workspace, importBlock(job)))
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
func reportSameJob(diags *diag.Diagnostics, job string) {
	diags.AddError(SameJob.Summary, fmt.Sprintf("Another openpai_job has the name %q and the same user. Give one of them another name. If the address of the resource changed, add a moved block.", job))
}
