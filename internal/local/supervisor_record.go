// SPDX-License-Identifier: MPL-2.0

package local

import (
	"errors"
	"os"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
)

// Pauses before the supervisor tries again to write the state.
const (
	firstRecordDelay = 100 * time.Millisecond
	lastRecordDelay  = 5 * time.Second
)

// record writes the state before the supervisor acts on it. It retries a failed
// write. The usual cause is a full disk. After a stop request, record does not
// retry: it sets s.unrecorded and returns true. After that, the supervisor must
// not start processes. record returns false if the Framework was removed from the
// store.
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

func (s *supervisor) stopRequested() bool {
	if err := s.reload(); err != nil {
		s.log("%v", err)
	}
	return s.fw.Spec.ExecutionType == framework.ExecutionStop
}

// recordEnd writes the outcome of the job as soon as there is disk space. If s.record
// could not write the last state, recordEnd writes that state first. To free space,
// it removes the logs of a job that is being deleted.
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

// recordOutcome saves the outcome for use after the Framework is deleted. It
// does not save the outcome of a job that is being deleted.
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

// save writes the completed attempts and then the resulting state.
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

func (s *supervisor) removed() bool {
	_, err := os.Stat(s.object.SpecFile())
	return errors.Is(err, os.ErrNotExist)
}

// unsavedAttempt is an attempt that the next call to s.record saves.
type unsavedAttempt struct {
	attempt store.CompletedAttempt
	dir     store.TaskDir
}

func (a unsavedAttempt) save() error { return a.attempt.Save(a.dir) }

// queueAttempt queues a completed attempt, because the status contains only
// the current attempt. The next call to s.record saves the queue.
func (s *supervisor) queueAttempt(key store.TaskKey, t *framework.TaskStatus) {
	dir := s.layout.TaskAttempt(s.object.Name, s.fw.Status.AttemptStatus.ID, key, t.AttemptStatus.ID)
	s.attempts = append(s.attempts, unsavedAttempt{store.CompletedAttempt{State: t.State, Status: t.AttemptStatus}, dir})
}
