package local

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// supervisor drives one Framework to its end. It is a loop over the recorded
// state: one step looks at the state and at what is known of the tasks, moves
// the state as far as that allows, records it, and only then acts. Killed at
// any point, its successor goes on from the record.
type supervisor struct {
	layout  layout
	object  object
	program string
	now     func() time.Time
	random  io.Reader

	fw       *framework.Framework
	notes    []string
	binding  *binding
	specs    specs
	codes    []framework.Code
	specFile os.FileInfo // of the spec that was read last

	pods     map[taskKey]*pod // of the current job attempt
	hosts    map[taskKey]runspec.Host
	released bool // the host table was published
	ends     chan podEnd

	changed    bool            // the state moved in this step
	todo       []func()        // what to do once it is recorded
	unrecorded bool            // it could not be recorded; see record
	attempts   []unkeptAttempt // that completed and are not written down yet
	wake       time.Time
}

// runSupervisor is the whole life of a supervisor process. Reports go to the
// command that started it, by file descriptor 3; everything else into the log
// that is its standard error.
func runSupervisor(l layout, name string, now func() time.Time, random io.Reader) int {
	// The terminal's and the session's signals are not meant for jobs. They
	// are caught rather than ignored, since tasks would inherit that.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP, syscall.SIGINT)
	report := os.NewFile(3, "report")
	defer func() { _ = report.Close() }()
	s := &supervisor{
		layout: l, object: l.object(name), now: now, random: random,
		codes: framework.Codes(exitspec.Entries()),
		pods:  map[taskKey]*pod{}, hosts: map[taskKey]runspec.Host{}, ends: make(chan podEnd),
	}
	lock, err := s.takeCharge()
	if errors.Is(err, errLocked) {
		_, _ = io.WriteString(report, reportTaken)
		return 0
	}
	if err != nil {
		_, _ = io.WriteString(report, err.Error())
		s.log("take charge: %v", err)
		return 1
	}
	defer lock.release()
	_, _ = io.WriteString(report, reportReady)
	_ = report.Close()
	s.loop()
	return 0
}

// takeCharge becomes the one supervisor of the Framework, reads what is
// recorded and takes over what a predecessor left running.
func (s *supervisor) takeCharge() (*fileLock, error) {
	lock, err := tryLock(s.object.supervisorLock())
	if err != nil {
		return nil, err
	}
	if err := s.prepare(); err != nil {
		lock.release()
		return nil, err
	}
	return lock, nil
}

func (s *supervisor) prepare() error {
	var err error
	if s.program, err = os.Executable(); err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	s.program = filepath.Clean(s.program)
	if s.fw, s.notes, err = s.object.load(); err != nil {
		return err
	}
	if err := s.readDependants(); err != nil {
		return err
	}
	if s.fw.Status != nil {
		s.adopt()
	} else {
		s.begin()
	}
	self, err := identify(os.Getpid())
	if err != nil {
		return err
	}
	info := supervisorInfo{Process: self, Program: s.program, Since: s.now()}
	err = errors.Join(writeJSON(s.object.supervisorFile(), info), s.save())
	if noRoom(err) { // running tasks need a supervisor all the same
		s.log("record that this process takes charge: %v", err)
		return nil
	}
	return err
}

// loop ends when the Framework is completed, or was removed by hand.
func (s *supervisor) loop() {
	for {
		switch err := s.reload(); {
		case errors.Is(err, cluster.ErrNotFound):
			s.log("the Framework is gone; its tasks are ended")
			s.killAll()
			return
		case err != nil:
			s.log("%v", err)
		}
		for s.step() {
		}
		if s.fw.Status.State == framework.StateCompleted {
			s.recordEnd()
			return
		}
		s.wait()
	}
}

// step moves the state once and reports whether it moved.
func (s *supervisor) step() bool {
	s.changed, s.todo, s.wake = false, nil, time.Time{}
	s.advance()
	if !s.changed {
		return false
	}
	if !s.record() {
		return false
	}
	for _, act := range s.todo {
		act()
	}
	return true
}

// then adds an action that follows the recording of this step.
func (s *supervisor) then(act func()) { s.todo = append(s.todo, act) }

// moved marks the state as changed.
func (s *supervisor) moved() { s.changed = true }

func (s *supervisor) log(format string, args ...any) {
	fmt.Fprintf(os.Stderr, s.now().Format(time.RFC3339)+" "+format+"\n", args...)
}
