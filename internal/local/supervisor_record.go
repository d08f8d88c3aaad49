package local

import (
	"errors"
	"os"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
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
		if s.stopAsked() {
			return true
		}
		time.Sleep(delay)
	}
}

// stopAsked looks whether a command has asked for the end of the job by now.
func (s *supervisor) stopAsked() bool {
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
		if !s.unrecorded && !noRoom(err) || s.removed() {
			return
		}
		time.Sleep(delay)
		if s.stopAsked() && s.fw.Metadata.DeletionTimestamp != nil {
			_ = os.RemoveAll(s.layout.runs(s.object.name))
		}
	}
}

// recordOutcome keeps what came of the job, for the time when the Framework is
// gone. Of one that is being deleted nothing is kept.
func (s *supervisor) recordOutcome() error {
	if s.fw.Metadata.DeletionTimestamp != nil {
		return nil
	}
	return s.object.editRecord(s.layout, func(r *record) {
		r.State = cluster.JobState(s.fw.Status.State, s.fw.Status.AttemptStatus.CompletionStatus)
		r.ExitCode = s.layout.exitCode(s.fw)
		r.Completed = s.fw.Status.CompletionTime
	})
}

// save writes the attempts that completed, then the state that follows.
func (s *supervisor) save() error {
	for ; len(s.attempts) > 0; s.attempts = s.attempts[1:] {
		switch err := s.attempts[0].keep(); {
		case noRoom(err):
			return err
		case err != nil:
			s.log("keep an attempt: %v", err)
		}
	}
	return writeJSON(s.object.statusFile(), observed{UID: s.fw.Metadata.UID, Notes: s.notes, Status: s.fw.Status})
}

// removed reports whether somebody removed the Framework from the store.
func (s *supervisor) removed() bool {
	_, err := os.Stat(s.object.specFile())
	return errors.Is(err, os.ErrNotExist)
}

// keptAttempt is the file that tells how a task attempt ended.
type keptAttempt struct {
	State  framework.State             `json:"state"`
	Status framework.TaskAttemptStatus `json:"status"`
}

// unkeptAttempt is one that is to be written there.
type unkeptAttempt struct {
	keptAttempt
	dir taskDir
}

func (a unkeptAttempt) keep() error {
	if err := os.MkdirAll(string(a.dir), 0o755); err != nil {
		return err
	}
	return writeJSON(a.dir.status(), a.keptAttempt)
}

// keepAttempt has a completed task attempt written down with the next record:
// the status of the Framework only holds the current one.
func (s *supervisor) keepAttempt(key taskKey, t *framework.TaskStatus) {
	dir := s.layout.taskAttempt(s.object.name, s.fw.Status.AttemptStatus.ID, key, t.AttemptStatus.ID)
	s.attempts = append(s.attempts, unkeptAttempt{keptAttempt{t.State, t.AttemptStatus}, dir})
}
