package planner

import "github.com/openpai/terraform-provider-openpai/hclspec"

// Reason says why a change has its action. It is data: views phrase it.
type Reason struct {
	Code ReasonCode
	Job  hclspec.Address
	// Live is what was known of the job; zero for one that was never there.
	Live LiveState
	// Changed says what differs in the content.
	Changed Content
	// From is the address that the job was moved from.
	From hclspec.Address
	// Cluster is where a job that is deleted is declared now.
	Cluster string
	// File is what cannot be read.
	File string
	// DeclaredBy is the front end whose job it is.
	DeclaredBy Declarer
	// Run repeats the run RepeatOf.
	Run, RepeatOf int
}

// ReasonCode is one kind of reason.
type ReasonCode string

// The reasons to create a job.
const (
	ReasonAbsent       ReasonCode = "absent"
	ReasonNotCompared  ReasonCode = "not-compared"  // the plan is offline
	ReasonVanished     ReasonCode = "vanished"      // Live.State is the last one seen
	ReasonUnstarted    ReasonCode = "unstarted"     // an interrupted apply is finished
	ReasonBeginAgain   ReasonCode = "begin-again"   // an interrupted apply sent something else
	ReasonRerun        ReasonCode = "rerun"         // the user asks for it
	ReasonContent      ReasonCode = "content"       // Changed
	ReasonRerunChanged ReasonCode = "rerun-changed" // finished, Changed, and rerun is on_change
)

// The reasons to change a job in place.
const (
	ReasonMoved           ReasonCode = "moved" // From
	ReasonMovedAndChanged ReasonCode = "moved-and-changed"
	ReasonDrift           ReasonCode = "drift"
	ReasonUnsupervised    ReasonCode = "unsupervised" // nothing drives the job any more
	ReasonRemark          ReasonCode = "remark"       // what changed concerns no task
	ReasonInPlace         ReasonCode = "in-place"
)

// The reasons to leave a job alone.
const (
	ReasonUpToDate      ReasonCode = "up-to-date"
	ReasonNotComparable ReasonCode = "not-comparable" // what was applied is not known
	ReasonUnreadable    ReasonCode = "unreadable"     // File
	ReasonFinished      ReasonCode = "finished"
	ReasonOutdated      ReasonCode = "outdated"  // finished, and Changed since
	ReasonElsewhere     ReasonCode = "elsewhere" // DeclaredBy
	ReasonRepeats       ReasonCode = "repeats"   // Run and RepeatOf; differs from the files
)

// The reasons of another program, see [NewDecided].
const (
	ReasonTainted   ReasonCode = "tainted"   // an earlier apply failed
	ReasonRequested ReasonCode = "requested" // the user asks for a replacement
	ReasonTriggered ReasonCode = "triggered" // something else changes
	ReasonForgotten ReasonCode = "forgotten" // it is managed no longer, and stays
	ReasonSetting   ReasonCode = "setting"   // nothing of the job changes
)

// The reasons to delete a job.
const (
	ReasonDestroy      ReasonCode = "destroy"
	ReasonNotDeclared  ReasonCode = "not-declared"
	ReasonOtherCluster ReasonCode = "other-cluster" // Cluster
)

// ReasonCodes lists every code, for the tests of the views.
func ReasonCodes() []ReasonCode {
	return []ReasonCode{
		ReasonAbsent, ReasonNotCompared, ReasonVanished, ReasonUnstarted, ReasonBeginAgain, ReasonRerun, ReasonContent, ReasonRerunChanged,
		ReasonMoved, ReasonMovedAndChanged, ReasonDrift, ReasonUnsupervised, ReasonRemark, ReasonInPlace,
		ReasonUpToDate, ReasonNotComparable, ReasonUnreadable, ReasonFinished, ReasonOutdated, ReasonElsewhere, ReasonRepeats,
		ReasonTainted, ReasonRequested, ReasonTriggered, ReasonForgotten, ReasonSetting,
		ReasonDestroy, ReasonNotDeclared, ReasonOtherCluster,
	}
}

// Fact marks a reason as a fact of a sentence.
func (Reason) Fact() {}

func (r Reason) String() string { return string(r.Code) }

// LiveState is the part of a live job that a reason is about.
type LiveState struct {
	State JobState
	// Finished reports whether the job ended. One that ended unseen has the
	// state StateUnknown.
	Finished bool
	ExitCode *int
}

func liveState(live *LiveJob) LiveState {
	return LiveState{State: live.State, Finished: finished(live), ExitCode: live.ExitCode}
}

// finished reports whether a job ended, with an outcome that was seen or not.
func finished(live *LiveJob) bool {
	return live.State.Finished() || (!live.Present && live.State == StateUnknown)
}

// Content says which parts of a job's content differ.
type Content struct {
	Declaration, Secret bool
	Scheduler           SchedulerChange
}

// Any reports whether anything differs.
func (c Content) Any() bool { return c.Declaration || c.Secret || c.Scheduler != "" }

// updateReason returns why a job is changed in place.
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
