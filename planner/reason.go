// SPDX-License-Identifier: MPL-2.0

package planner

import "github.com/openpai/terraform-provider-openpai/hclspec"

// Reason explains the action of a change. Views format this data.
type Reason struct {
	Code ReasonCode
	Job  hclspec.Address
	// Live is the last known state of the job; it is the zero value for a job
	// that never existed.
	Live LiveState
	// Changed shows which parts of the job's content differ.
	Changed Content
	// From is the address from which the job was moved.
	From hclspec.Address
	// For a deleted job, Cluster is the cluster to which its declaration now
	// refers.
	Cluster string
	// File is the file that cannot be read.
	File string
	// DeclaredBy is the front end that declares the job.
	DeclaredBy Declarer
	// User is the owner of the live job if the declared job has a different
	// user, otherwise "".
	User string
	// RepeatOf is the number of the run that the job repeats, or 0 if the job
	// does not repeat a run. For ReasonRepeats, Run is the number of the
	// repeating run; otherwise, it is 0.
	Run, RepeatOf int
}

// ReasonCode identifies a kind of reason.
type ReasonCode string

// Reasons to create or replace a job.
const (
	ReasonAbsent       ReasonCode = "absent"
	ReasonNotCompared  ReasonCode = "not-compared"  // the plan is offline
	ReasonVanished     ReasonCode = "vanished"      // Live.State is the last known state
	ReasonUnstarted    ReasonCode = "unstarted"     // completes an interrupted apply
	ReasonBeginAgain   ReasonCode = "begin-again"   // an interrupted apply sent different content
	ReasonRerun        ReasonCode = "rerun"         // requested by the user
	ReasonRequested    ReasonCode = "requested"     // the user requested a replacement
	ReasonContent      ReasonCode = "content"       // Changed
	ReasonRerunChanged ReasonCode = "rerun-changed" // the job is finished and Changed, and its rerun is on_change
)

// Reasons to change a job in place.
const (
	ReasonMoved           ReasonCode = "moved" // From
	ReasonMovedAndChanged ReasonCode = "moved-and-changed"
	ReasonDrift           ReasonCode = "drift"
	ReasonUnsupervised    ReasonCode = "unsupervised" // the job has no supervisor process
	ReasonRemark          ReasonCode = "remark"       // the change does not affect tasks
	ReasonInPlace         ReasonCode = "in-place"
)

// Reasons not to change a job.
const (
	ReasonUpToDate      ReasonCode = "up-to-date"
	ReasonNotComparable ReasonCode = "not-comparable" // the applied content is unknown
	ReasonUnreadable    ReasonCode = "unreadable"     // File
	ReasonFinished      ReasonCode = "finished"
	ReasonOutdated      ReasonCode = "outdated"  // finished; Changed shows what changed afterwards
	ReasonElsewhere     ReasonCode = "elsewhere" // DeclaredBy and User
	ReasonRepeats       ReasonCode = "repeats"   // run Run repeats run RepeatOf and differs from the files
)

// Reasons for actions that another program has chosen; see [NewDecided].
const (
	ReasonTainted   ReasonCode = "tainted"   // an earlier apply failed
	ReasonTriggered ReasonCode = "triggered" // a change outside the job triggers the replacement
	ReasonForgotten ReasonCode = "forgotten" // the job is no longer managed, but not deleted
	ReasonSetting   ReasonCode = "setting"   // the job itself does not change
)

// Reasons to delete a job.
const (
	ReasonDestroy      ReasonCode = "destroy"
	ReasonNotDeclared  ReasonCode = "not-declared"
	ReasonOtherCluster ReasonCode = "other-cluster" // Cluster
)

// ReasonCodes returns all codes, for view tests.
func ReasonCodes() []ReasonCode {
	return []ReasonCode{
		ReasonAbsent, ReasonNotCompared, ReasonVanished, ReasonUnstarted, ReasonBeginAgain, ReasonRerun, ReasonRequested, ReasonContent, ReasonRerunChanged,
		ReasonMoved, ReasonMovedAndChanged, ReasonDrift, ReasonUnsupervised, ReasonRemark, ReasonInPlace,
		ReasonUpToDate, ReasonNotComparable, ReasonUnreadable, ReasonFinished, ReasonOutdated, ReasonElsewhere, ReasonRepeats,
		ReasonTainted, ReasonTriggered, ReasonForgotten, ReasonSetting,
		ReasonDestroy, ReasonNotDeclared, ReasonOtherCluster,
	}
}

// Fact marks Reason as a fact for internal/message.
func (Reason) Fact() {}

func (r Reason) String() string { return string(r.Code) }

// LiveState describes the state of the live job that a reason refers to.
type LiveState struct {
	State JobState
	// Finished is set if the job ended. A job whose outcome is unknown
	// has the state StateUnknown.
	Finished bool
	ExitCode *int
}

func liveState(live *LiveJob) LiveState {
	return LiveState{State: live.State, Finished: finished(live), ExitCode: live.ExitCode}
}

// finished reports whether a job ended; the outcome may be unknown.
func finished(live *LiveJob) bool {
	return live.State.Finished() || (!live.Present && live.State == StateUnknown)
}

// Content describes which parts of a job's content differ.
type Content struct {
	Declaration, Secret bool
	Scheduler           SchedulerChange
}

// Any reports whether any part differs.
func (c Content) Any() bool { return c.Declaration || c.Secret || c.Scheduler != "" }

func updateReason(c *Change, changed Content) ReasonCode {
	switch {
	case c.MovedFrom != "" && !changed.Any():
		return ReasonMoved
	case c.MovedFrom != "":
		return ReasonMovedAndChanged
	case onlySupervisorGone(c.Drift) && !changed.Any():
		return ReasonUnsupervised
	case len(c.Drift) > 0 && !changed.Any():
		return ReasonDrift
	case !changed.Any():
		return ReasonRemark
	}
	return ReasonInPlace
}
