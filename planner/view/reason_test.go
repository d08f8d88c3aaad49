// SPDX-License-Identifier: MPL-2.0

package view

import (
	"slices"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/planner"
)

func TestEveryReasonHasWords(t *testing.T) {
	t.Parallel()
	seven := 7
	running := planner.LiveState{State: planner.StateRunning}
	failed := planner.LiveState{State: planner.StateFailed, Finished: true, ExitCode: &seven}
	unseen := planner.LiveState{State: planner.StateUnknown, Finished: true}
	both := planner.Content{Declaration: true, Secret: true}
	tests := map[string]planner.Reason{
		"not on the cluster yet":                                              {Code: planner.ReasonAbsent},
		"offline: not compared with the cluster":                              {Code: planner.ReasonNotCompared},
		"gone, last seen running":                                             {Code: planner.ReasonVanished, Live: running},
		"gone, last seen before it started":                                   {Code: planner.ReasonVanished, Live: planner.LiveState{State: planner.StateAbsent}},
		"an interrupted apply did not start the job":                          {Code: planner.ReasonUnstarted, Live: running},
		"an interrupted apply sent different content":                         {Code: planner.ReasonBeginAgain, Live: running},
		"rerun requested":                                                     {Code: planner.ReasonRerun, Live: failed},
		"repeats run 2":                                                       {Code: planner.ReasonRerun, Live: failed, RepeatOf: 2},
		"not on the cluster yet, repeats run 2":                               {Code: planner.ReasonAbsent, RepeatOf: 2},
		"the declaration and a secret changed":                                {Code: planner.ReasonContent, Changed: both},
		"the declaration changed":                                             {Code: planner.ReasonContent, Changed: planner.Content{Declaration: true}},
		"a secret changed, and the scheduler changed from HiveD":              {Code: planner.ReasonContent, Changed: planner.Content{Secret: true, Scheduler: planner.SchedulerFromHived}},
		"the scheduler changed to HiveD":                                      {Code: planner.ReasonContent, Changed: planner.Content{Scheduler: planner.SchedulerToHived}},
		"a secret changed":                                                    {Code: planner.ReasonContent, Changed: planner.Content{Secret: true}},
		`failed with exit code 7, and a secret changed (rerun = "on_change")`: {Code: planner.ReasonRerunChanged, Live: failed, Changed: planner.Content{Secret: true}},
		"moved from job.old":                                                  {Code: planner.ReasonMoved, From: "job.old"},
		"moved from job.old, and changed in place":                            {Code: planner.ReasonMovedAndChanged, From: "job.old"},
		"changed outside openpai; reverted":                                   {Code: planner.ReasonDrift},
		"its supervisor is not running; apply starts a new one":               {Code: planner.ReasonUnsupervised},
		"changed only in comments or in settings that do not affect tasks":    {Code: planner.ReasonRemark},
		"changed in place":                                                    {Code: planner.ReasonInPlace},
		"running, up to date":                                                 {Code: planner.ReasonUpToDate, Live: running},
		"in an unknown state, up to date":                                     {Code: planner.ReasonUpToDate, Live: planner.LiveState{State: planner.StateUnknown}},
		"run 7 repeats run 2 and differs from the files":                      {Code: planner.ReasonRepeats, Live: running, Run: 7, RepeatOf: 2},
		"stopping": {Code: planner.ReasonUpToDate, Live: planner.LiveState{State: planner.StateStopping}},
		"/lab/status.json cannot be read; repair quarantines the job's files":                                  {Code: planner.ReasonUnreadable, File: "/lab/status.json"},
		"running, cannot be compared":                                                                          {Code: planner.ReasonNotComparable, Live: running},
		"ended with an unknown outcome, cannot be compared":                                                    {Code: planner.ReasonNotComparable, Live: unseen},
		"already succeeded":                                                                                    {Code: planner.ReasonFinished, Live: planner.LiveState{State: planner.StateSucceeded, Finished: true}},
		"failed with exit code 7; not run again (use --rerun job.a)":                                           {Code: planner.ReasonFinished, Job: "job.a", Live: failed},
		"outdated: stopped, and the declaration and a secret changed since; not run again (use --rerun job.a)": {Code: planner.ReasonOutdated, Job: "job.a", Live: planner.LiveState{State: planner.StateStopped, Finished: true}, Changed: both},
		"declared by Terraform; adopt it with: openpai adopt job.a":                                            {Code: planner.ReasonElsewhere, Job: "job.a", DeclaredBy: planner.DeclaredByTerraform},
		"declared by Terraform with different content; adopt it with: openpai adopt job.a":                     {Code: planner.ReasonElsewhere, Job: "job.a", DeclaredBy: planner.DeclaredByTerraform, Changed: planner.Content{Declaration: true}},
		`declared by Terraform; adopt it with: openpai adopt 'job.a["1"]'`:                                     {Code: planner.ReasonElsewhere, Job: `job.a["1"]`, DeclaredBy: planner.DeclaredByTerraform},
		`declared by Terraform for the user "bob"; only that user can adopt it`:                                {Code: planner.ReasonElsewhere, Job: "job.a", DeclaredBy: planner.DeclaredByTerraform, User: "bob"},
		"tainted: an earlier apply failed":                                                                     {Code: planner.ReasonTainted},
		"replacement requested":                                                                                {Code: planner.ReasonRequested},
		"something in replace_triggered_by changes":                                                            {Code: planner.ReasonTriggered},
		"removed only from the state; the job remains":                                                         {Code: planner.ReasonForgotten},
		"only the resource changes, not the job":                                                               {Code: planner.ReasonSetting},
		`failed with exit code 7; not run again (set rerun = "on_change", or use -replace)`:                    {Code: planner.ReasonFinished, Job: "job.a", Live: failed, DeclaredBy: planner.DeclaredByTerraform},
		"no longer declared":                                                                                   {Code: planner.ReasonNotDeclared},
		"now declared on the cluster gpu":                                                                      {Code: planner.ReasonOtherCluster, Cluster: "gpu"},
		"destroy requested":                                                                                    {Code: planner.ReasonDestroy},
	}
	codes := planner.ReasonCodes()
	for want, reason := range tests {
		if got := reasonAndAdvice(reason, spelled); got != want {
			t.Errorf("%s: %q, want %q", reason.Code, got, want)
		}
		codes = slices.DeleteFunc(codes, func(c planner.ReasonCode) bool { return c == reason.Code })
	}
	if len(codes) > 0 {
		t.Errorf("not tried: %v", codes)
	}
}

func TestAReasonForEveryReaderHasNoFlag(t *testing.T) {
	t.Parallel()
	r := planner.Reason{Code: planner.ReasonFinished, Job: "job.a", Live: planner.LiveState{State: planner.StateStopped, Finished: true}}
	if got := Reason(r); got != "stopped" {
		t.Errorf("got %q", got)
	}
}

// spelled formats commands and options for the openpai CLI.
func spelled(f message.Fact) string {
	if o, ok := f.(message.Option); ok {
		return "--" + o.String()
	}
	return "openpai " + f.String()
}
