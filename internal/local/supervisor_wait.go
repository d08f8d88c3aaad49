// SPDX-License-Identifier: MPL-2.0

package local

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
)

// Polling intervals for files that other processes write.
const (
	pollObject = 100 * time.Millisecond // the spec, which commands write
	pollReady  = 5 * time.Millisecond   // tasks that are not waiting for their gang yet
	pollSlow   = 50 * time.Millisecond  // such tasks, after fastFor
	fastFor    = 2 * time.Second
)

func (s *supervisor) reload() error {
	info, err := os.Stat(s.object.SpecFile())
	if err == nil && s.specFile != nil && os.SameFile(info, s.specFile) && info.ModTime().Equal(s.specFile.ModTime()) {
		return nil
	}
	fw, err := s.object.LoadSpec()
	if err != nil {
		s.object.ReadRequests(s.fw) // requests can end the job even if the spec cannot be read
		return err
	}
	fw.Status = s.fw.Status
	changed := rescaled(s.fw.Spec.TaskRoles, fw.Spec.TaskRoles)
	s.fw, s.specFile = fw, info
	if changed {
		s.endDelays()
	}
	return s.readDependents()
}

// wait returns when a task ends, at wakeTime, or after the polling interval.
func (s *supervisor) wait() {
	interval := pollObject
	if s.awaitsReady() {
		interval = pollSlow
		if s.now().Sub(s.fw.Status.TransitionTime) < fastFor {
			interval = pollReady
		}
	}
	if !s.wakeTime.IsZero() {
		interval = max(min(interval, s.wakeTime.Sub(s.now())), time.Millisecond)
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
		case end := <-s.ends: // other tasks may have ended too: record all of them in one step
			s.note(end)
		default:
			s.refreshReady()
			return
		}
	}
}

func (s *supervisor) note(end podEnd) {
	if p := s.pods[end.key]; p != nil && p.uid == end.uid {
		p.ended = true
		p.end = end.end
	}
}

// awaitsReady reports whether a task is running but is not waiting for its gang yet.
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

func (s *supervisor) refreshReady() {
	if s.released {
		return
	}
	for _, p := range s.pods {
		if !p.ready {
			_, err := os.Stat(p.dir.Ready())
			p.ready = err == nil
		}
	}
}

// wakeAt schedules the next step no later than t.
func (s *supervisor) wakeAt(t time.Time) {
	if s.wakeTime.IsZero() || t.Before(s.wakeTime) {
		s.wakeTime = t
	}
}

// readDependents reads the files that are needed to start tasks. If the Framework
// is ending, missing or unreadable files are not an error.
func (s *supervisor) readDependents() error {
	b, specs, err := s.dependents()
	if err != nil && s.fw.Spec.ExecutionType == framework.ExecutionStop {
		s.log("%v; the supervisor ends the tasks anyway", err)
		err = nil
	}
	if err != nil {
		return err
	}
	s.binding, s.specs = b, specs
	return nil
}

func (s *supervisor) dependents() (*store.Binding, store.RunSpecs, error) {
	b := &store.Binding{}
	if err := store.ReadJSON(s.object.BindingFile(), b); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return b, nil, fmt.Errorf("read the bindings of Framework %s: %w", s.object.Name, err)
	}
	specs, err := s.object.RunSpecs(s.fw.Spec.TaskRoles)
	return b, specs, err
}
