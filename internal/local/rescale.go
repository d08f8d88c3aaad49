// SPDX-License-Identifier: MPL-2.0

package local

import (
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
)

// rescale adds missing tasks. It ends the surplus tasks with the highest indexes,
// and removes each task once it has completed. Source:
// microsoft/frameworkcontroller: pkg/controller/controller.go.
func (s *supervisor) rescale() {
	attempt := &s.fw.Status.AttemptStatus
	for _, role := range s.fw.Spec.TaskRoles {
		st := attempt.TaskRole(role.Name)
		if st == nil {
			attempt.TaskRoleStatuses = append(attempt.TaskRoleStatuses, framework.TaskRoleStatus{
				Name: role.Name, InstanceUID: newUID(s.random),
				PodGracefulDeletionTimeoutSec: role.Task.PodGracefulDeletionTimeoutSec,
				TaskStatuses:                  []framework.TaskStatus{},
			})
			st = &attempt.TaskRoleStatuses[len(attempt.TaskRoleStatuses)-1]
			s.markChanged()
		}
		s.rescaleRole(st, role.TaskNumber)
	}
}

func (s *supervisor) rescaleRole(st *framework.TaskRoleStatus, wanted int32) {
	for i := range st.TaskStatuses {
		t := &st.TaskStatuses[i]
		key := store.TaskKey{Role: st.Name, Index: t.Index}
		switch {
		case t.Index >= wanted && !t.DeletionPending:
			s.markForDeletion(key, t)
		case t.Index < wanted && t.DeletionPending && t.State == framework.StateCompleted:
			delete(s.pods, key)
			*t = s.newTask(key) // wanted again: create a new task, never reuse the old task
			s.markChanged()
		}
	}
	for n := len(st.TaskStatuses); n > int(wanted); n-- {
		last := st.TaskStatuses[n-1]
		if last.State != framework.StateCompleted {
			break
		}
		delete(s.pods, store.TaskKey{Role: st.Name, Index: last.Index})
		st.TaskStatuses = st.TaskStatuses[:n-1]
		s.markChanged()
	}
	for i := int32(len(st.TaskStatuses)); i < wanted; i++ {
		st.TaskStatuses = append(st.TaskStatuses, s.newTask(store.TaskKey{Role: st.Name, Index: i}))
		s.markChanged()
	}
}

func (s *supervisor) markForDeletion(key store.TaskKey, t *framework.TaskStatus) {
	t.DeletionPending = true
	s.markChanged()
	if t.AttemptStatus.CompletionStatus == nil {
		s.endTask(key, t, framework.FromCode(framework.CodeDeleteTaskRequested, "User has requested to delete the task by rescale"))
	}
}

func (s *supervisor) newTask(key store.TaskKey) framework.TaskStatus {
	now := s.now()
	return framework.TaskStatus{
		Index: key.Index, InstanceUID: newUID(s.random), StartTime: now, TransitionTime: now,
		State:         framework.StateAttemptCreationPending,
		AttemptStatus: s.newTaskAttempt(key, 0),
	}
}
