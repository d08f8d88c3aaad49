package local

import (
	"errors"
	"os"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
)

// How long the supervisor waits before it tries again to record something.
const (
	firstRecordDelay = 100 * time.Millisecond
	lastRecordDelay  = 5 * time.Second
)

// record writes the state down, before anything is done that follows from it.
// What cannot be written, for want of room mostly, is tried until it can be.
// Only the end of a job is not held up by that: once a stop was asked for,
// record returns and sets s.unrecorded. Nothing may be started then. It returns
// false when the Framework was removed from the store.
func (s *supervisor) record() bool {
	for delay := firstRecordDelay; ; delay = min(2*delay, lastRecordDelay) {
		err := s.save()
		s.unrecorded = err != nil
		if err == nil {
			return true
		}
		if s.removed() {
			return false
		}
		s.log("record the state: %v; trying again", err)
		if s.stopRequested() {
			return true
		}
		time.Sleep(delay)
	}
}

// stopRequested looks whether a command has asked for the end of the job by now.
func (s *supervisor) stopRequested() bool {
	if err := s.reload(); err != nil {
		s.log("%v", err)
	}
	return s.fw.Spec.ExecutionType == framework.ExecutionStop
}

// recordEnd writes down what record could not, and what came of the job, as
// soon as there is room. The logs of a job that is being deleted make room.
func (s *supervisor) recordEnd() {
	for delay := firstRecordDelay; ; delay = min(2*delay, lastRecordDelay) {
		var err error
		if s.unrecorded {
			err = s.save()
			s.unrecorded = err != nil
		}
		if !s.unrecorded {
			err = s.recordOutcome()
		}
		if err != nil {
			s.log("record the end: %v", err)
		}
		if !s.unrecorded && !store.IsDiskFull(err) || s.removed() {
			return
		}
		time.Sleep(delay)
		if s.stopRequested() && s.fw.Metadata.DeletionTimestamp != nil {
			_ = os.RemoveAll(s.layout.Attempts(s.object.Name))
		}
	}
}

// recordOutcome keeps what came of the job, for the time when the Framework is
// gone. Of one that is being deleted nothing is kept.
func (s *supervisor) recordOutcome() error {
	if s.fw.Metadata.DeletionTimestamp != nil {
		return nil
	}
	return s.object.EditRecord(s.layout, func(r *cluster.Record) {
		r.State = cluster.JobState(s.fw.Status.State, s.fw.Status.AttemptStatus.CompletionStatus)
		r.ExitCode = s.layout.ExitCode(s.fw)
		r.Completed = s.fw.Status.CompletionTime
	})
}

// save writes the attempts that completed, then the state that follows.
func (s *supervisor) save() error {
	for ; len(s.attempts) > 0; s.attempts = s.attempts[1:] {
		switch err := s.attempts[0].save(); {
		case store.IsDiskFull(err):
			return err
		case err != nil:
			s.log("keep an attempt: %v", err)
		}
	}
	return store.WriteJSON(s.object.StatusFile(), store.ObservedStatus{UID: s.fw.Metadata.UID, Notes: s.notes, Status: s.fw.Status})
}

// removed reports whether somebody removed the Framework from the store.
func (s *supervisor) removed() bool {
	_, err := os.Stat(s.object.SpecFile())
	return errors.Is(err, os.ErrNotExist)
}

// unsavedAttempt is one that the next record writes down.
type unsavedAttempt struct {
	attempt store.CompletedAttempt
	dir     store.TaskDir
}

func (a unsavedAttempt) save() error { return a.attempt.Save(a.dir) }

// queueAttempt has a completed task attempt written down with the next record:
// the status of the Framework only holds the current one.
func (s *supervisor) queueAttempt(key store.TaskKey, t *framework.TaskStatus) {
	dir := s.layout.TaskAttempt(s.object.Name, s.fw.Status.AttemptStatus.ID, key, t.AttemptStatus.ID)
	s.attempts = append(s.attempts, unsavedAttempt{store.CompletedAttempt{State: t.State, Status: t.AttemptStatus}, dir})
}
