// SPDX-License-Identifier: MPL-2.0

package local

import (
	"fmt"
	"os"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/local/process"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/internal/local/task"
)

// pollAdopted is the interval for checking whether an adopted process has
// ended.
const pollAdopted = 50 * time.Millisecond

// adopt takes over from a killed supervisor. Running tasks continue. adopt
// treats a task that disappeared without a record as lost. adopt starts tasks
// that were never started.
func (s *supervisor) adopt() {
	if s.fw.Status.State == framework.StateCompleted {
		return
	}
	attempt := s.fw.Status.AttemptStatus.ID
	_, err := os.Stat(s.layout.Hosts(s.object.Name, attempt))
	s.released = err == nil || !s.specs.Gang()
	running, lost := 0, 0
	s.eachTask(func(key store.TaskKey, t *framework.TaskStatus) {
		var l task.Launch
		if store.ReadJSON(s.layout.TaskAttempt(s.object.Name, attempt, key, t.AttemptStatus.ID).Launch(), &l) == nil {
			s.hosts[key] = l.Self
		}
		if !hasPod(t) {
			return
		}
		p := s.findPod(key, t, attempt)
		if p == nil {
			s.restart(t)
			return
		}
		s.pods[key] = p
		switch {
		case !p.ended:
			running++
			go s.awaitAdopted(p.key, p.uid, p.process)
		case t.AttemptStatus.CompletionStatus == nil && p.lost():
			lost++
		}
	})
	s.noteTakeover(running, lost)
}

// hasPod reports whether the task may have processes.
func hasPod(t *framework.TaskStatus) bool {
	switch t.State {
	case framework.StateAttemptCreationPending, framework.StateAttemptCompleted, framework.StateCompleted:
		return false
	}
	return true
}

// findPod returns the pod of a task attempt, or nil if the attempt was never
// permitted to start.
func (s *supervisor) findPod(key store.TaskKey, t *framework.TaskStatus, attempt int32) *pod {
	p := &pod{key: key, dir: s.layout.TaskAttempt(s.object.Name, attempt, key, t.AttemptStatus.ID)}
	if t.AttemptStatus.PodUID != nil {
		p.uid = *t.AttemptStatus.PodUID
	}
	p.findCgroup()
	if store.ReadJSON(p.dir.Process(), &p.process) != nil {
		if _, err := p.killCgroup(); err != nil { // the cgroup was created immediately before the supervisor ended
			s.log("task %s: %v", key, err)
		}
		return nil
	}
	p.identify()
	_, err := os.Stat(p.dir.Ready())
	p.ready = err == nil
	return p
}

// identify checks whether the recorded process is still running and belongs to the
// task. In a copied workspace, the record refers to a process of the original
// workspace. The supervisor must not end that process.
func (p *pod) identify() {
	alive := p.process.Alive()
	marked := alive && process.HasEnvironment(p.process.PID, process.Mark(p.uid))
	p.verified = marked && process.HasArgument(p.process.PID, string(p.dir))
	p.ended = !p.verified
	p.gone = marked && !p.verified
}

// lost reports whether an ended task has no readable exit record.
func (p *pod) lost() bool {
	record, err := store.ReadExit(p.dir)
	return err != nil || record == nil
}

// restart resets a recorded but unstarted task to pending in the same attempt.
// It ignores a task that is being removed.
func (s *supervisor) restart(t *framework.TaskStatus) {
	if t.AttemptStatus.CompletionStatus != nil {
		return
	}
	t.State = framework.StateAttemptCreationPending
	t.TransitionTime = s.now()
	t.AttemptStatus.PodUID, t.AttemptStatus.InstanceUID = nil, nil
}

func (s *supervisor) noteTakeover(running, lost int) {
	who := "the supervisor"
	var before store.Supervisor
	if store.ReadJSON(s.object.SupervisorFile(), &before) == nil && before.Process.PID != 0 {
		who = fmt.Sprintf("the supervisor (process %d)", before.Process.PID)
	}
	note := fmt.Sprintf("%s: %s was killed; a new supervisor took over its tasks", s.now().UTC().Format(time.RFC3339), who)
	if lost > 0 {
		note = fmt.Sprintf("%s: %s was killed; a new supervisor took over %d running tasks; %d tasks had ended without an exit record",
			s.now().UTC().Format(time.RFC3339), who, running, lost)
	}
	s.notes = append(s.notes, note)
}

// awaitAdopted waits for and reports the end of a process that is not a child
// of this supervisor.
func (s *supervisor) awaitAdopted(key store.TaskKey, uid string, p process.ID) {
	for p.Alive() {
		time.Sleep(pollAdopted)
	}
	s.ends <- podEnd{key, uid, nil}
}

// killTries is the maximum number of times that killAll sweeps a task. Each sweep
// can take up to half a second, because a killed process does not end immediately
// on a busy machine.
const killTries = 20

// killAll kills every task immediately, because the Framework no longer exists.
func (s *supervisor) killAll() {
	for _, p := range s.pods {
		for try := 0; try < killTries && !p.gone; try++ {
			p.sweep(s.started, s.log)
		}
	}
}
