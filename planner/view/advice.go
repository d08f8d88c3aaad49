// SPDX-License-Identifier: MPL-2.0

package view

import (
	"fmt"

	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/internal/shellquote"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// rerunByTerraform is the advice in a Terraform plan for a job that apply
// does not rerun.
const rerunByTerraform = "; not run again (set rerun = \"on_change\", or use -replace)"

// reasonAndAdvice adds advice if apply does not rerun the job or the job is
// declared elsewhere.
func reasonAndAdvice(r planner.Reason, phrase message.Phrase) string {
	job := shellquote.Word(r.Job.String())
	if notRunAgain(r) {
		return Reason(r) + rerunAdvice(r, job, phrase)
	}
	if r.Code == planner.ReasonElsewhere && r.User == "" {
		return fmt.Sprintf("%s; adopt it with: %s %s", Reason(r), phrase(message.CommandAdopt), job)
	}
	return Reason(r)
}

// partReason returns the reason for a part of a group. It adds advice if
// apply does not rerun the jobs.
func partReason(p planner.Part, phrase message.Phrase) string {
	if len(p.Members) == 1 {
		return reasonAndAdvice(p.Reason, phrase)
	}
	if notRunAgain(p.Reason) {
		return Reason(p.Reason) + rerunAdvice(p.Reason, "ADDRESS", phrase)
	}
	return Reason(p.Reason)
}

func rerunAdvice(r planner.Reason, job string, phrase message.Phrase) string {
	if r.DeclaredBy == planner.DeclaredByTerraform {
		return rerunByTerraform
	}
	return fmt.Sprintf("; not run again (use %s %s)", phrase(message.OptionRerun), job)
}
