// SPDX-License-Identifier: MPL-2.0

package view

import (
	"fmt"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// counts contains the number of changes for each action, and the numbers of
// outdated and failed jobs.
type counts struct{ create, update, replace, delete, noOp, outdated, failed int }

func count(p *planner.Plan) counts {
	var n counts
	for _, c := range p.Changes {
		switch c.Action {
		case planner.Create:
			n.create++
		case planner.Update:
			n.update++
		case planner.Replace:
			n.replace++
		case planner.Delete:
			n.delete++
		case planner.NoOp:
			n.noOp++
			if c.State == planner.StateFailed && c.Reason.Code != planner.ReasonElsewhere {
				n.failed++
			}
		}
		if c.Outdated {
			n.outdated++
		}
	}
	return n
}

// Summary returns a one-line summary of a plan. It contains the numbers of jobs
// that are created, changed, replaced and destroyed. phrase returns the text
// for the advice in the summary.
func Summary(p *planner.Plan, phrase message.Phrase) string {
	n := count(p)
	outdated := ""
	if n.outdated > 0 {
		outdated = " Outdated: " + quantity.Count(n.outdated, "finished job") + "."
	}
	switch {
	case p.Diagnostics.HasErrors():
		return fmt.Sprintf("This plan cannot be applied: %s.", quantity.Count(len(p.Diagnostics.Errs()), "error"))
	case p.Offline:
		return fmt.Sprintf("Offline plan of %s. The live state is unknown, so the plan cannot be applied.", quantity.Count(len(p.Changes), "job"))
	case p.Others != nil && p.Empty() && n.noOp == 0:
		return "No changes of jobs."
	case p.Others != nil && p.Empty():
		return "No changes of jobs. Nothing to do for " + quantity.Count(n.noOp, "job") + "." + outdated
	case p.Empty() && n.noOp == 0 && len(p.Elsewhere) > 0:
		return "No changes. No job is declared."
	case p.Empty() && n.noOp == 0:
		return "No changes. No job is declared or running."
	case p.Empty() && n.failed > 0:
		return fmt.Sprintf("No changes. %d of %s failed; run the failed jobs again with %s.", n.failed, quantity.Count(n.noOp, "job"), phrase(message.OptionRerun)) + outdated
	case p.Empty():
		return "No changes. Nothing to do for " + quantity.Count(n.noOp, "job") + "." + outdated
	case n.replace > 0:
		return fmt.Sprintf("Plan: %d to create, %d to change, %d to replace, %d to destroy.", n.create, n.update, n.replace, n.delete) + outdated
	}
	return fmt.Sprintf("Plan: %d to create, %d to change, %d to destroy.", n.create, n.update, n.delete) + outdated
}

// shownElsewhere is the maximum number of listed jobs from a different front
// end.
const shownElsewhere = 5

// elsewhere returns a sentence about jobs that Terraform declares, or "". The
// plan does not change these jobs. elsewhere returns "" for a Terraform plan,
// because Terraform plans one job at a time.
func elsewhere(p *planner.Plan) string {
	if len(p.Elsewhere) == 0 {
		return ""
	}
	names := make([]string, 0, shownElsewhere+1)
	for _, a := range p.Elsewhere[:min(len(p.Elsewhere), shownElsewhere)] {
		names = append(names, a.String())
	}
	if more := len(p.Elsewhere) - shownElsewhere; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return "Terraform declares " + strings.Join(names, ", ") + " in this workspace; this plan does not change " + quantity.Plural(len(p.Elsewhere), "it", "them") + "."
}
