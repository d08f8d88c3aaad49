// SPDX-License-Identifier: MPL-2.0

package local

import (
	"fmt"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
)

func (s *supervisor) driveTasks() {
	var fresh []store.TaskKey
	s.eachTask(func(key store.TaskKey, t *framework.TaskStatus) {
		if t.State == framework.StateAttemptCreationPending && !s.completing() {
			fresh = append(fresh, key)
		}
	})
	s.createPods(fresh)
	s.eachTask(s.driveTask)
}

func (s *supervisor) driveTask(key store.TaskKey, t *framework.TaskStatus) {
	p := s.pods[key]
	switch t.State {
	case framework.StateAttemptCreationRequested, framework.StateAttemptPreparing, framework.StateAttemptRunning:
		s.followPod(key, t, p)
	case framework.StateAttemptDeletionPending, framework.StateAttemptDeletionRequested, framework.StateAttemptDeleting:
		s.removePod(key, t, p)
	case framework.StateAttemptCompleted:
		s.retryOrCompleteTask(key, t)
	}
}

func (s *supervisor) enterTask(t *framework.TaskStatus, state framework.State) {
	t.State = state
	t.TransitionTime = s.now()
	s.markChanged()
}

func (s *supervisor) followPod(key store.TaskKey, t *framework.TaskStatus, p *pod) {
	switch {
	case p.err != nil:
		s.endTask(key, t, framework.FromCode(framework.CodePodCreationUnknown, fmt.Sprintf("cannot start the task: %v", p.err)))
	case p.ended:
		s.endTask(key, t, p.completion(s.codes))
	case t.State == framework.StateAttemptCreationRequested && p.process.PID != 0:
		s.enterTask(t, framework.StateAttemptPreparing)
	}
	if t.State == framework.StateAttemptPreparing && s.released {
		now := s.now()
		t.AttemptStatus.RunTime = &now
		if t.RunTime == nil {
			t.RunTime = &now
		}
		s.enterTask(t, framework.StateAttemptRunning)
	}
}

// endTask completes a task attempt. Processes of the attempt may still run; the
// next steps end them.
func (s *supervisor) endTask(key store.TaskKey, t *framework.TaskStatus, c *framework.CompletionStatus) {
	t.AttemptStatus.CompletionStatus = c
	if s.pods[key] == nil {
		s.completeTaskAttempt(key, t)
		return
	}
	s.enterTask(t, framework.StateAttemptDeletionPending)
}

// removePod sends SIGTERM to the task. After the grace period, it sends
// SIGKILL. If the task process has already ended, removePod sends SIGKILL
// immediately.
func (s *supervisor) removePod(key store.TaskKey, t *framework.TaskStatus, p *pod) {
	switch {
	case p == nil || p.gone:
		s.completeTaskAttempt(key, t)
	case t.State == framework.StateAttemptDeleting || p.ended || p.process.PID == 0:
		s.sweepPod(t, p)
	case t.State == framework.StateAttemptDeletionPending:
		s.enterTask(t, framework.StateAttemptDeletionRequested)
		s.afterRecord(func() { p.terminate(s.log) })
	default:
		due := t.TransitionTime.Add(s.gracePeriod(key.Role))
		if s.now().Before(due) {
			s.wakeAt(due)
			return
		}
		s.sweepPod(t, p)
	}
}

// sweepPod kills the remaining processes of a task until all have ended.
func (s *supervisor) sweepPod(t *framework.TaskStatus, p *pod) {
	if t.State != framework.StateAttemptDeleting {
		s.enterTask(t, framework.StateAttemptDeleting)
	}
	if s.now().Before(p.sweepAfter) {
		s.wakeAt(p.sweepAfter)
		return
	}
	s.markChanged()
	s.afterRecord(func() {
		p.sweep(s.started, s.log)
		p.sweepAfter = s.now().Add(time.Second)
	})
}

func (s *supervisor) completeTaskAttempt(key store.TaskKey, t *framework.TaskStatus) {
	now := s.now()
	t.AttemptStatus.CompletionTime = &now
	s.enterTask(t, framework.StateAttemptCompleted)
	s.queueAttempt(key, t)
	s.retryOrCompleteTask(key, t)
}

func (s *supervisor) retryOrCompleteTask(key store.TaskKey, t *framework.TaskStatus) {
	d := framework.Retry(s.taskRetryPolicy(key.Role), t.RetryPolicyStatus, t.AttemptStatus.CompletionStatus)
	if !d.Retry || s.completing() || t.DeletionPending {
		now := s.now()
		t.CompletionTime = &now
		s.enterTask(t, framework.StateCompleted)
		return
	}
	lasted := t.TransitionTime.Sub(t.AttemptStatus.StartTime)
	pause := func() time.Duration { return s.backoff.next(key, lasted) }
	if pauses(d, t.AttemptStatus.CompletionStatus) && s.delayed(&t.RetryPolicyStatus, t.TransitionTime, pause) {
		return
	}
	t.RetryPolicyStatus = t.RetryPolicyStatus.Next(d)
	t.AttemptStatus = s.newTaskAttempt(key, t.RetryPolicyStatus.TotalRetriedCount)
	delete(s.pods, key)
	s.enterTask(t, framework.StateAttemptCreationPending)
	job, attempt := s.fw.Status.AttemptStatus.ID, t.AttemptStatus.ID
	s.afterRecord(func() { s.prune(s.layout.PruneTaskAttempts(s.object.Name, job, key, attempt)) })
}

func (s *supervisor) newTaskAttempt(key store.TaskKey, id int32) framework.TaskAttemptStatus {
	return framework.TaskAttemptStatus{
		ID: id, StartTime: s.now(),
		PodName: framework.PodName(s.fw.Metadata.Name, key.Role, int(key.Index)),
	}
}

func (s *supervisor) taskRetryPolicy(role string) framework.RetryPolicy {
	if r := s.fw.Spec.TaskRole(role); r != nil {
		return r.Task.RetryPolicy
	}
	return framework.RetryPolicy{}
}

// gracePeriod returns the time between SIGTERM and SIGKILL.
func (s *supervisor) gracePeriod(role string) time.Duration {
	if r := s.fw.Spec.TaskRole(role); r != nil && r.Task.Pod.Spec.TerminationGracePeriodSeconds != nil {
		return time.Duration(*r.Task.Pod.Spec.TerminationGracePeriodSeconds) * time.Second
	}
	return 30 * time.Second // the default of Kubernetes
}
