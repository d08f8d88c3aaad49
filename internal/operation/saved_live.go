// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// changedLive reports new jobs, jobs with a different run, and jobs that no
// longer exist. It reports a changed job state if either plan ends the job or
// the two plans have different actions. If neither plan changes a job,
// changedLive reports the job only if it was submitted again.
func (s *Saved) changedLive(now *Plan) []message.Text {
	exist := map[place]*planner.LiveJob{}
	for name, snapshot := range now.Live {
		for _, j := range snapshot.Jobs {
			exist[place{name, j.Framework}] = j
		}
	}
	earlier, changes := changesOf(s.plan), now.changes()
	var all differences
	for _, before := range s.Live {
		at := place{before.Cluster, before.Framework}
		was, is, job := earlier[at], changes[at], exist[at]
		delete(exist, at)
		address, progress := affected(was, is)
		switch {
		case address == "" && was != nil && is != nil && anotherRun(before, job):
			all.add(is.Address, anotherJob)
		case address == "":
		case job == nil:
			all.add(address, noJob)
		case before.Hash != job.Hash || before.UID != job.UID && !lost(before, job):
			all.add(address, anotherJob)
		case lost(before, job) && before.State == RunStateFinished:
			all.add(address, noJob)
		case lost(before, job), before.State != RunStateOf(job) && progress:
			all.add(address, progressed(string(before.State), progressOf(job)))
		}
	}
	addSubmitted(&all, s.plan, now, exist)
	return all.list()
}

// addSubmitted adds affected jobs that were submitted since the plan was
// saved. submitted contains the live jobs that the saved plan does not
// contain.
func addSubmitted(all *differences, saved *planner.Plan, now *Plan, submitted map[place]*planner.LiveJob) {
	earlier := changesOf(saved)
	for _, c := range now.Changes {
		at := place{c.Cluster, c.Framework}
		address, _ := affected(earlier[at], c)
		if address == "" || submitted[at] == nil {
			continue
		}
		progress := progressOf(submitted[at])
		if progress == string(RunStateNotStarted) {
			progress = "submitted but not started"
		}
		all.add(address, progressed("not submitted yet", progress))
	}
}

var (
	anotherJob = about("is no longer the job that was planned", "are no longer the jobs that were planned", "")
	noJob      = about("no longer exists", "no longer exist", "")
)

func progressed(from, to string) sentence {
	return about("was "+from+" and is ", "were "+from+" and are ", to+" now")
}

// anotherRun reports whether a job was submitted again since the plan was saved. A
// job without a Framework has no UID.
func anotherRun(before SavedJob, now *planner.LiveJob) bool {
	return now != nil && before.UID != "" && now.UID != "" && before.UID != now.UID
}

// lost reports whether only the record of a job remains.
func lost(before SavedJob, now *planner.LiveJob) bool { return before.UID != "" && now.UID == "" }

// affected returns the address of a job, or "" if neither plan changes the job.
// progress reports whether progress matters, because a plan deletes or replaces
// the job or because the actions differ.
func affected(before, after *planner.Change) (address hclspec.Address, progress bool) {
	actions := [2]planner.Action{planner.NoOp, planner.NoOp}
	for i, c := range []*planner.Change{before, after} {
		if c == nil || c.Action == planner.NoOp {
			continue
		}
		address, actions[i] = c.Address, c.Action
		progress = progress || c.Action == planner.Delete || c.Action == planner.Replace
	}
	return address, progress || actions[0] != actions[1]
}

// progressOf describes the progress of a job.
func progressOf(job *planner.LiveJob) string {
	switch {
	case job.State == planner.StateStopped:
		return "stopped"
	case job.Vanished():
		return "gone"
	}
	return string(RunStateOf(job))
}
