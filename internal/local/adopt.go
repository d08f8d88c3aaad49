package local

import (
	"fmt"
	"os"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

// pollAdopted is how often the end of a process is looked for that is not our
// child.
const pollAdopted = 50 * time.Millisecond

// adopt takes over from a supervisor that was killed. Tasks that run go on;
// tasks that ended left their record; those that vanished without one are
// lost; those that were never started are started now.
func (s *supervisor) adopt() {
	if s.fw.Status.State == framework.StateCompleted {
		return
	}
	attempt := s.fw.Status.AttemptStatus.ID
	_, err := os.Stat(s.layout.hosts(s.object.name, attempt))
	s.released = err == nil || !s.specs.gang()
	running, lost := 0, 0
	s.eachTask(func(key taskKey, t *framework.TaskStatus) {
		var l launch
		if readJSON(s.layout.taskAttempt(s.object.name, attempt, key, t.AttemptStatus.ID).launch(), &l) == nil {
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

// hasPod reports whether processes may exist for the task.
func hasPod(t *framework.TaskStatus) bool {
	switch t.State {
	case framework.StateAttemptCreationPending, framework.StateAttemptCompleted, framework.StateCompleted:
		return false
	}
	return true
}

// findPod looks for the process of a task attempt; nil means that it was never
// allowed to go.
func (s *supervisor) findPod(key taskKey, t *framework.TaskStatus, attempt int32) *pod {
	p := &pod{key: key, dir: s.layout.taskAttempt(s.object.name, attempt, key, t.AttemptStatus.ID), exitCode: exitUnknown}
	if t.AttemptStatus.PodUID != nil {
		p.uid = *t.AttemptStatus.PodUID
	}
	if readJSON(p.dir.process(), &p.process) != nil {
		return nil
	}
	p.ended = !p.process.alive()
	_, err := os.Stat(p.dir.ready())
	p.ready = err == nil
	return p
}

// lost reports whether an ended task left no record.
func (p *pod) lost() bool {
	record, err := readRecord(p.dir)
	return err != nil || record == nil
}

// restart makes a task that was recorded but never started a new one of the
// same attempt. One that is being removed has nothing to remove.
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
	var before supervisorInfo
	if readJSON(s.object.supervisorFile(), &before) == nil && before.Process.PID != 0 {
		who = fmt.Sprintf("the supervisor (process %d)", before.Process.PID)
	}
	note := fmt.Sprintf("%s: %s was killed; its tasks were taken over", s.now().UTC().Format(time.RFC3339), who)
	if lost > 0 {
		note = fmt.Sprintf("%s: %s was killed; %d of its tasks still ran and were taken over, %d had ended without a record and are lost",
			s.now().UTC().Format(time.RFC3339), who, running, lost)
	}
	s.notes = append(s.notes, note)
}

// awaitAdopted reports the end of a process that is not our child.
func (s *supervisor) awaitAdopted(key taskKey, uid string, p process) {
	for p.alive() {
		time.Sleep(pollAdopted)
	}
	s.ends <- podEnd{key, uid, exitUnknown}
}

// killAll ends every task at once: their Framework is gone.
func (s *supervisor) killAll() {
	for _, p := range s.pods {
		p.sweep(s.log)
	}
}
