// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

// describeTasks describes only the current attempt of each task, because
// FrameworkController does not store other attempts.
func describeTasks(fw *framework.Framework, role framework.TaskRole, st framework.TaskRoleStatus, seen map[string]*pod) []cluster.Task {
	tasks := []cluster.Task{}
	for _, t := range st.TaskStatuses {
		if t.DeletionPending && t.Index >= role.TaskNumber && t.State == framework.StateCompleted {
			continue
		}
		tasks = append(tasks, describeTask(fw, role.Name, t, seen[t.AttemptStatus.PodName]))
	}
	for i := len(st.TaskStatuses); i < int(role.TaskNumber); i++ {
		tasks = append(tasks, cluster.Task{Index: i, State: string(cluster.JobState(framework.StateAttemptCreationPending, nil)), Attempts: []cluster.TaskAttempt{}})
	}
	return tasks
}

func describeTask(fw *framework.Framework, role string, t framework.TaskStatus, p *pod) cluster.Task {
	a := t.AttemptStatus
	attempt := cluster.TaskAttempt{
		JobAttempt: int(fw.Status.AttemptStatus.ID), Attempt: int(a.ID),
		State: string(cluster.AttemptState(t.State, a.CompletionStatus)), Started: a.RunTime, Finished: a.CompletionTime,
	}
	if a.PodNodeName != nil {
		attempt.Host = *a.PodNodeName
	}
	attempt.Pod = a.PodName
	switch {
	case a.CompletionStatus != nil:
		attempt.Exit = exitRecord(a.CompletionStatus)
		attempt.Exit.Framework, attempt.Exit.Role = fw.Metadata.Name, role
		attempt.Exit.Index, attempt.Exit.Attempt = int(t.Index), int(a.ID)
		if started := attempt.Exit.Started; attempt.Started == nil && !started.IsZero() {
			attempt.Started = &started // the engine never observed the Pod running
		}
		setTimes(attempt.Exit, a)
	case t.State == framework.StateAttemptCreationPending:
		attempt.Waiting = "FrameworkController has not created the Pod; check the log of FrameworkController for an exhausted quota"
		attempt.Stage = &stage.Record{Version: stage.Version, Stage: stage.Scheduling, Reason: attempt.Waiting}
	case t.State != framework.StateAttemptRunning && p != nil:
		attempt.Waiting = p.waiting()
		attempt.Stage = p.stage()
	}
	if r := cluster.RetryStage(t.State, t.TransitionTime, t.RetryPolicyStatus, a.CompletionStatus); r != nil {
		attempt.Stage, attempt.Waiting = r, r.Reason
	}
	return cluster.Task{Index: int(t.Index), State: string(cluster.JobState(t.State, a.CompletionStatus)), Attempts: []cluster.TaskAttempt{attempt}}
}

// addReady adds the number of tasks at the barrier to the stages of preparing
// tasks. It counts tasks whose Pods have addresses and tasks that have
// succeeded.
func addReady(st *cluster.Status, fw *framework.Framework, r *stored, statuses map[string]framework.TaskRoleStatus) {
	present := map[string]map[int]bool{}
	for _, role := range fw.Spec.TaskRoles {
		tasks := map[int]bool{}
		for _, t := range statuses[role.Name].TaskStatuses {
			a := t.AttemptStatus
			if a.CompletionStatus != nil {
				tasks[int(t.Index)] = a.CompletionStatus.Type.Name == framework.Succeeded
				continue
			}
			tasks[int(t.Index)] = !t.DeletionPending && deref(a.PodIP) != ""
		}
		present[r.declaredRole(role.Name)] = tasks
	}
	cluster.AddReady(st, func(role string, t *cluster.Task) bool { return present[role][t.Index] })
}

// setTimes fills in unrecorded times from the engine's status.
func setTimes(r *exitspec.Record, a framework.TaskAttemptStatus) {
	if r.Started.IsZero() {
		r.Started = a.StartTime
		if a.RunTime != nil {
			r.Started = *a.RunTime
		}
	}
	if r.Finished.IsZero() && a.CompletionTime != nil {
		r.Finished = *a.CompletionTime
	}
}
