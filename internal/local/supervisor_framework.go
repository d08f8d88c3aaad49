// SPDX-License-Identifier: MPL-2.0

package local

import (
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// begin sets the initial status of a Framework.
func (s *supervisor) begin() {
	now := s.now()
	s.fw.Status = &framework.Status{StartTime: now, State: framework.StateAttemptCreationPending, TransitionTime: now}
	s.newAttempt()
}

// newAttempt resets the attempt status. The attempt number is the current retry
// count.
func (s *supervisor) newAttempt() {
	s.fw.Status.AttemptStatus = framework.AttemptStatus{
		ID:            s.fw.Status.RetryPolicyStatus.TotalRetriedCount,
		StartTime:     s.now(),
		ConfigMapName: framework.ConfigMapName(s.fw.Metadata.Name),
	}
	s.pods, s.hosts = map[store.TaskKey]*pod{}, map[store.TaskKey]runspec.Host{}
	s.released = !s.specs.Gang()
}

func (s *supervisor) enter(state framework.State) {
	s.fw.Status.State = state
	s.fw.Status.TransitionTime = s.now()
	s.markChanged()
}

// advance performs all state transitions that are possible now. Source of the
// states: microsoft/frameworkcontroller: pkg/controller/controller.go.
func (s *supervisor) advance() {
	switch s.fw.Status.State {
	case framework.StateAttemptCreationPending:
		s.createAttempt()
	case framework.StateAttemptCreationRequested, framework.StateAttemptPreparing, framework.StateAttemptRunning:
		s.driveAttempt()
	case framework.StateAttemptDeletionPending:
		s.driveTasks()
		s.enter(framework.StateAttemptDeletionRequested)
	case framework.StateAttemptDeletionRequested, framework.StateAttemptDeleting:
		s.driveTasks()
		if s.allCompleted() {
			now := s.now()
			s.fw.Status.AttemptStatus.CompletionTime = &now
			s.enter(framework.StateAttemptCompleted)
		}
	case framework.StateAttemptCompleted:
		s.retryOrComplete()
	}
}

func (s *supervisor) createAttempt() {
	attempt := &s.fw.Status.AttemptStatus
	switch s.fw.Spec.ExecutionType {
	case framework.ExecutionStop:
		attempt.CompletionStatus, _ = framework.Complete(&s.fw.Spec, attempt)
		now := s.now()
		attempt.CompletionTime = &now
		s.enter(framework.StateAttemptCompleted)
	case framework.ExecutionStart:
		uid := newUID(s.random)
		instance := framework.InstanceUID(attempt.ID, uid)
		attempt.ConfigMapUID, attempt.InstanceUID = &uid, &instance
		s.rescale()
		s.enter(framework.StateAttemptPreparing)
	}
}

// driveAttempt completes the attempt if the completed tasks determine the
// result. Otherwise, it advances the tasks.
func (s *supervisor) driveAttempt() {
	attempt := &s.fw.Status.AttemptStatus
	s.rescale()
	if c, over := framework.Complete(&s.fw.Spec, attempt); over {
		s.completeAttempt(c)
		return
	}
	s.releaseGang() // call Complete first: a task that ended before it was ready can complete the attempt
	s.driveTasks()
	if s.fw.Status.State != framework.StateAttemptRunning && s.anyTaskRan() {
		now := s.now()
		attempt.RunTime = &now
		if s.fw.Status.RunTime == nil {
			s.fw.Status.RunTime = &now
		}
		s.enter(framework.StateAttemptRunning)
	}
}

func (s *supervisor) completeAttempt(c *framework.CompletionStatus) {
	s.fw.Status.AttemptStatus.CompletionStatus = c
	s.eachTask(func(key store.TaskKey, t *framework.TaskStatus) {
		if t.AttemptStatus.CompletionStatus == nil {
			s.endTask(key, t, framework.FromCode(framework.CodeAttemptCompletion, framework.AttemptCompletionDiagnostics))
		}
	})
	s.enter(framework.StateAttemptDeletionPending)
}

// retryOrComplete starts the next attempt or completes the Framework. A stop
// request ends the delay of a retry.
func (s *supervisor) retryOrComplete() {
	st := s.fw.Status
	d := framework.Retry(s.fw.Spec.RetryPolicy, st.RetryPolicyStatus, st.AttemptStatus.CompletionStatus)
	if !d.Retry {
		now := s.now()
		st.CompletionTime = &now
		s.enter(framework.StateCompleted)
		return
	}
	stopped := s.fw.Spec.ExecutionType == framework.ExecutionStop
	if delay := s.jobDelay(d); delay != nil && !stopped && s.delayed(&st.RetryPolicyStatus, st.TransitionTime, delay) {
		return
	}
	st.RetryPolicyStatus = st.RetryPolicyStatus.Next(d)
	s.newAttempt()
	s.enter(framework.StateAttemptCreationPending)
	s.afterRecord(func() { s.prune(s.layout.PruneJobAttempts(s.object.Name, st.AttemptStatus.ID)) })
}

// jobDelay returns a function that computes the delay before the next attempt
// of the job. It returns nil if the job is retried immediately.
func (s *supervisor) jobDelay(d framework.Decision) func() time.Duration {
	attempt := &s.fw.Status.AttemptStatus
	switch {
	case d.Backoff:
		return func() time.Duration { return s.binding.Delay(s.random) }
	case pauses(d, attempt.CompletionStatus):
		lasted := s.fw.Status.TransitionTime.Sub(attempt.StartTime)
		return func() time.Duration { return s.backoff.next(store.TaskKey{}, lasted) }
	}
	return nil
}

// prune logs err, which reports old attempts that could not be removed. These
// attempts remain.
func (s *supervisor) prune(err error) {
	if err != nil {
		s.log("remove old attempts: %v", err)
	}
}

// completing reports whether the attempt is ending. During that time, tasks are not
// retried.
func (s *supervisor) completing() bool {
	return s.fw.Status.AttemptStatus.CompletionStatus != nil
}

func (s *supervisor) allCompleted() bool {
	all := true
	s.eachTask(func(_ store.TaskKey, t *framework.TaskStatus) {
		all = all && t.State == framework.StateCompleted
	})
	return all
}

func (s *supervisor) anyTaskRan() bool {
	ran := false
	s.eachTask(func(_ store.TaskKey, t *framework.TaskStatus) {
		ran = ran || t.RunTime != nil
	})
	return ran
}

// eachTask visits the tasks of the current attempt in role order.
func (s *supervisor) eachTask(visit func(store.TaskKey, *framework.TaskStatus)) {
	roles := s.fw.Status.AttemptStatus.TaskRoleStatuses
	for i := range roles {
		for j := range roles[i].TaskStatuses {
			t := &roles[i].TaskStatuses[j]
			visit(store.TaskKey{Role: roles[i].Name, Index: t.Index}, t)
		}
	}
}
