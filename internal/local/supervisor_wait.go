package local

import (
	"os"
	"time"
)

// How often the supervisor looks at files that others write.
const (
	pollObject = 100 * time.Millisecond // the spec, written by commands
	pollReady  = 5 * time.Millisecond   // tasks that are about to wait for their gang
	pollSlow   = 50 * time.Millisecond  // the same, after a while
	fastFor    = 2 * time.Second
)

// reload reads the spec again when it was replaced.
func (s *supervisor) reload() error {
	info, err := os.Stat(s.object.specFile())
	if err == nil && s.specFile != nil && os.SameFile(info, s.specFile) && info.ModTime().Equal(s.specFile.ModTime()) {
		return nil
	}
	fw, err := s.object.loadSpec()
	if err != nil {
		return err
	}
	fw.Status = s.fw.Status
	s.fw, s.specFile = fw, info
	return s.readDependants()
}

// wait returns when a task ended or became ready, the spec was replaced, or a
// time came that the last step asked for.
func (s *supervisor) wait() {
	interval := pollObject
	if s.awaitsReady() {
		interval = pollSlow
		if s.now().Sub(s.fw.Status.TransitionTime) < fastFor {
			interval = pollReady
		}
	}
	if !s.wake.IsZero() {
		interval = max(min(interval, s.wake.Sub(s.now())), time.Millisecond)
	}
	timer := time.NewTimer(interval)
	defer timer.Stop()
	select {
	case end := <-s.ends:
		s.note(end)
	case <-timer.C:
	}
	for {
		select {
		case end := <-s.ends: // more that ended meanwhile: one record for all
			s.note(end)
		default:
			s.lookForReady()
			return
		}
	}
}

func (s *supervisor) note(end podEnd) {
	if p := s.pods[end.key]; p != nil && p.uid == end.uid {
		p.ended = true
		p.exitCode = end.code
	}
}

// awaitsReady reports whether some task runs but has not said that it waits
// for its gang.
func (s *supervisor) awaitsReady() bool {
	if s.released {
		return false
	}
	for _, p := range s.pods {
		if !p.ready && !p.ended {
			return true
		}
	}
	return false
}

func (s *supervisor) lookForReady() {
	if s.released {
		return
	}
	for _, p := range s.pods {
		if !p.ready {
			_, err := os.Stat(p.dir.ready())
			p.ready = err == nil
		}
	}
}

// wakeAt asks for the next step at a time, if nothing happens before.
func (s *supervisor) wakeAt(t time.Time) {
	if s.wake.IsZero() || t.Before(s.wake) {
		s.wake = t
	}
}
