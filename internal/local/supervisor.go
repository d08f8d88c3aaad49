// SPDX-License-Identifier: MPL-2.0

package local

import (
	"context"
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
	"github.com/openpai/terraform-provider-openpai/internal/local/process"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// supervisor drives one Framework to completion. It is a loop over the recorded
// state. Each step advances the state as far as possible and records the new
// state. Only then does it run the actions for the new state. If a supervisor
// is killed at any point, the next supervisor continues from the record.
type supervisor struct {
	layout  store.Layout
	object  store.Object
	program string
	now     func() time.Time
	random  io.Reader

	fw       *framework.Framework
	notes    []string
	binding  *store.Binding
	specs    store.RunSpecs
	codes    []framework.Code
	specFile os.FileInfo // of the spec that was last read
	cgroup   string      // parent of the tasks' cgroups, or "" if the tasks do not have cgroups

	backoff  backoff
	pods     map[store.TaskKey]*pod // of the current job attempt
	hosts    map[store.TaskKey]runspec.Host
	released bool // whether the host table has been written
	ends     chan podEnd

	changed    bool             // whether the state changed in this step
	actions    []func()         // actions to run after the state has been recorded
	unrecorded bool             // whether recording the state failed; see record
	attempts   []unsavedAttempt // completed attempts that have not been written yet
	wakeTime   time.Time
}

// runSupervisor sends reports on file descriptor 3 to the command that
// started the process. It writes its log to standard error.
func runSupervisor(l store.Layout, name string, now func() time.Time, random io.Reader) int {
	// Signals from the terminal and the session must not reach jobs. The supervisor
	// catches these signals instead of ignoring them, because tasks would inherit
	// ignored signals.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP, syscall.SIGINT)
	report := os.NewFile(3, "report")
	defer func() { _ = report.Close() }()
	s := &supervisor{
		layout: l, object: l.Object(name), now: now, random: random,
		codes:   framework.Codes(exitspec.Entries()),
		backoff: backoff{},
		pods:    map[store.TaskKey]*pod{}, hosts: map[store.TaskKey]runspec.Host{}, ends: make(chan podEnd),
		cgroup: process.DelegatedCgroup(),
	}
	if err := process.AdoptOrphans(); err != nil {
		s.log("%v", err)
	}
	lock, err := s.takeCharge(context.Background())
	if errors.Is(err, store.ErrLocked) {
		_, _ = io.WriteString(report, reportRunning)
		return 0
	}
	if err != nil {
		_, _ = io.WriteString(report, err.Error())
		s.log("take charge: %v", err)
		return 1
	}
	defer lock.Release()
	_, _ = io.WriteString(report, reportReady)
	_ = report.Close()
	s.loop()
	return 0
}

// takeCharge makes this process the only supervisor and takes over the
// predecessor's processes. It accepts another holder of the lock only after the
// holder has recorded itself, because a starting supervisor may fail.
func (s *supervisor) takeCharge(ctx context.Context) (*store.Lock, error) {
	lock, err := store.TryLock(s.object.SupervisorLock())
	for errors.Is(err, store.ErrLocked) {
		if held, heldErr := s.object.InCharge(ctx); held || heldErr != nil {
			return nil, errors.Join(err, heldErr)
		}
		lock, err = store.TryLock(s.object.SupervisorLock())
	}
	if err != nil {
		return nil, err
	}
	if err := s.prepare(); err != nil {
		lock.Release()
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
	if s.fw, s.notes, err = s.object.Load(); err != nil {
		return err
	}
	if err := s.readDependents(); err != nil {
		return err
	}
	if s.fw.Status != nil {
		s.adopt()
	} else {
		s.begin()
	}
	self, err := process.Identify(os.Getpid())
	if err != nil {
		return err
	}
	if err := s.save(); store.IsDiskFull(err) { // running tasks need a supervisor even on a full disk
		s.log("record this process as the supervisor: %v", err)
	} else if err != nil {
		return err
	}
	info := store.Supervisor{Process: self, Program: s.program, Since: s.now()}
	if err := store.WriteJSON(s.object.SupervisorFile(), info); err != nil { // last: see store.Object.InCharge
		s.log("%v; status does not show this process", err)
	}
	return nil
}

// loop runs steps until the Framework has completed or its files have been removed.
func (s *supervisor) loop() {
	for {
		switch err := s.reload(); {
		case errors.Is(err, cluster.ErrNotFound):
			s.log("the Framework no longer exists; the supervisor kills its tasks")
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

// step advances the Framework, writes the new state and then runs the
// actions. It returns false if the state did not change or the Framework was
// removed from the store.
func (s *supervisor) step() bool {
	s.changed, s.actions, s.wakeTime = false, nil, time.Time{}
	s.advance()
	if !s.changed {
		return false
	}
	if !s.record() {
		return false
	}
	for _, act := range s.actions {
		act()
	}
	return true
}

// afterRecord adds an action that runs after this step is recorded.
func (s *supervisor) afterRecord(act func()) { s.actions = append(s.actions, act) }

func (s *supervisor) markChanged() { s.changed = true }

func (s *supervisor) log(format string, args ...any) {
	fmt.Fprintf(os.Stderr, s.now().Format(time.RFC3339)+" "+format+"\n", args...)
}
