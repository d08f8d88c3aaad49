// SPDX-License-Identifier: MPL-2.0

package view

import (
	"fmt"
	"strings"

	"github.com/openpai/terraform-provider-openpai/planner"
)

// Reason returns the reason for a change as a clause, such as "not on the
// cluster yet".
func Reason(r planner.Reason) string {
	switch r.Code {
	case planner.ReasonAbsent:
		return "not on the cluster yet"
	case planner.ReasonNotCompared:
		return "offline: not compared with the cluster"
	case planner.ReasonVanished:
		return "gone, last seen " + lastSeen(r.Live.State)
	case planner.ReasonUnstarted:
		return "an interrupted apply is finished"
	case planner.ReasonBeginAgain:
		return "an interrupted apply is begun again"
	case planner.ReasonRerun:
		return "rerun requested"
	case planner.ReasonContent:
		return content(r.Changed)
	case planner.ReasonRerunChanged:
		return outcome(r.Live) + ", and " + content(r.Changed) + ` (rerun = "on_change")`
	case planner.ReasonNotDeclared:
		return "no longer declared"
	case planner.ReasonOtherCluster:
		return "it is declared on the cluster " + r.Cluster + " now"
	case planner.ReasonDestroy:
		return "destroy requested"
	}
	if clause, ok := foreignReasons[r.Code]; ok {
		return clause
	}
	if clause, ok := updateReason(r); ok {
		return clause
	}
	return noOpReason(r)
}

// foreignReasons holds the reasons in a Terraform plan.
var foreignReasons = map[planner.ReasonCode]string{
	planner.ReasonTainted:   "tainted: an earlier apply failed",
	planner.ReasonRequested: "replacement requested",
	planner.ReasonTriggered: "something in replace_triggered_by changes",
	planner.ReasonForgotten: "removed from the state only; the job stays",
	planner.ReasonSetting:   "only the resource changes, not the job",
}

func updateReason(r planner.Reason) (clause string, ok bool) {
	switch r.Code {
	case planner.ReasonMoved:
		return "moved from " + r.From.String(), true
	case planner.ReasonMovedAndChanged:
		return "moved from " + r.From.String() + ", and changed in place", true
	case planner.ReasonUnsupervised:
		return "its supervisor is gone; apply continues it", true
	case planner.ReasonDrift:
		return "changed by somebody else; put back", true
	case planner.ReasonRemark:
		return "a remark or setting changed that no task depends on", true
	case planner.ReasonInPlace:
		return "changed in place", true
	}
	return "", false
}

func noOpReason(r planner.Reason) string {
	switch {
	case r.Code == planner.ReasonUpToDate && r.Live.State == planner.StateStopping:
		return state(r.Live)
	case r.Code == planner.ReasonUpToDate:
		return state(r.Live) + ", up to date"
	case r.Code == planner.ReasonElsewhere:
		return "declared by " + Declarer(r.DeclaredBy)
	case r.Code == planner.ReasonRepeats:
		return fmt.Sprintf("run %d repeats run %d, differs from the files", r.Run, r.RepeatOf)
	case r.Code == planner.ReasonUnreadable:
		return clean(r.File) + " cannot be read; repair puts the files of the job aside"
	case r.Code == planner.ReasonNotComparable:
		return state(r.Live) + ", cannot be compared"
	case r.Code == planner.ReasonFinished && r.Live.State == planner.StateSucceeded:
		return "already succeeded"
	case r.Code == planner.ReasonFinished:
		return outcome(r.Live)
	case r.Code == planner.ReasonOutdated:
		return "outdated: " + outcome(r.Live) + ", and " + content(r.Changed) + " since"
	}
	panic("planner/view: no words for the reason " + string(r.Code))
}

// reasonAndAdvice returns the reason, with advice for the command line about a
// job that the plan does not change.
func reasonAndAdvice(r planner.Reason) string {
	if notRunAgain(r) && r.DeclaredBy == planner.DeclaredByTerraform {
		return Reason(r) + rerunByTerraform
	}
	if notRunAgain(r) {
		return fmt.Sprintf("%s; not run again (use --rerun %s)", Reason(r), r.Job)
	}
	if r.Code == planner.ReasonElsewhere {
		return fmt.Sprintf("%s; take it over with: openpai adopt %s", Reason(r), r.Job)
	}
	return Reason(r)
}

const rerunByTerraform = "; not run again (set rerun = \"on_change\", or use -replace)"

// notRunAgain reports whether a job ended and would have to run again.
func notRunAgain(r planner.Reason) bool {
	return r.Code == planner.ReasonOutdated || r.Code == planner.ReasonFinished && r.Live.State != planner.StateSucceeded
}

// Declarer returns the name of a front end for a sentence.
func Declarer(d planner.Declarer) string {
	if d == planner.DeclaredByTerraform {
		return "Terraform"
	}
	return "the openpai command line"
}

func content(c planner.Content) string {
	var parts []string
	switch {
	case c.Declaration && c.Secret:
		parts = append(parts, "the declaration and a secret changed")
	case c.Secret:
		parts = append(parts, "a secret changed")
	case c.Declaration:
		parts = append(parts, "the declaration changed")
	}
	switch c.Scheduler {
	case planner.SchedulerToHived:
		parts = append(parts, "the scheduler changed to HiveD")
	case planner.SchedulerFromHived:
		parts = append(parts, "the scheduler changed from HiveD")
	}
	return strings.Join(parts, ", and ")
}

// state returns the state of a job for a sentence.
func state(live planner.LiveState) string {
	switch {
	case live.Finished:
		return outcome(live)
	case live.State == planner.StateUnknown || live.State == "":
		return "in an unknown state"
	}
	return strings.ToLower(string(live.State))
}

// lastSeen returns the last known state of a job that vanished.
func lastSeen(s planner.JobState) string {
	if s == planner.StateAbsent || s == "" {
		return "before it started"
	}
	return strings.ToLower(string(s))
}

// outcome returns the outcome of a job for a sentence.
func outcome(live planner.LiveState) string {
	switch live.State {
	case planner.StateSucceeded:
		return "succeeded"
	case planner.StateStopped:
		return "stopped"
	case planner.StateFailed:
		if live.ExitCode != nil {
			return fmt.Sprintf("failed with exit code %d", *live.ExitCode)
		}
		return "failed"
	}
	return "ended with an unknown outcome"
}
