// SPDX-License-Identifier: MPL-2.0

package local

import (
	"slices"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/local/process"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
)

// tasks returns a role's tasks with all known attempts. The status contains
// the attempts of the current job attempt; files contain earlier attempts.
func (c *Cluster) tasks(fw *framework.Framework, role string) []cluster.Task {
	all := []cluster.Task{}
	if fw.Status == nil {
		return all
	}
	attempt := fw.Status.AttemptStatus
	var current []framework.TaskStatus
	if st := attempt.TaskRole(role); st != nil {
		current = st.TaskStatuses
	}
	for i := range c.taskCount(fw, role, current) {
		key := store.TaskKey{Role: role, Index: int32(i)}
		task := cluster.Task{Index: i, State: string(cluster.JobState(framework.StateAttemptCreationPending, nil)), Attempts: []cluster.TaskAttempt{}}
		for id := range attempt.ID {
			for _, kept := range c.layout.CompletedAttempts(fw.Metadata.Name, id, key) {
				task.Attempts = append(task.Attempts, c.describeAttempt(fw, id, key, kept.State, &kept.Status))
			}
		}
		if i < len(current) {
			t := &current[i]
			task.State = string(cluster.JobState(t.State, t.AttemptStatus.CompletionStatus))
			for _, kept := range c.attemptsBefore(fw, key, &t.AttemptStatus) {
				task.Attempts = append(task.Attempts, c.describeAttempt(fw, attempt.ID, key, kept.State, &kept.Status))
			}
			last := c.describeAttempt(fw, attempt.ID, key, t.State, &t.AttemptStatus)
			if r := cluster.RetryStage(t.State, t.TransitionTime, t.RetryPolicyStatus, t.AttemptStatus.CompletionStatus); r != nil {
				last.Stage, last.Waiting = r, r.Reason
			}
			task.Attempts = append(task.Attempts, last)
		}
		all = append(all, task)
	}
	return all
}

// attemptsBefore returns a task's completed attempts in the current job
// attempt, without the last attempt.
func (c *Cluster) attemptsBefore(fw *framework.Framework, key store.TaskKey, last *framework.TaskAttemptStatus) []store.CompletedAttempt {
	if last.ID == 0 {
		return nil
	}
	all := c.layout.CompletedAttempts(fw.Metadata.Name, fw.Status.AttemptStatus.ID, key)
	return slices.DeleteFunc(all, func(kept store.CompletedAttempt) bool { return kept.Status.ID >= last.ID })
}

// taskCount returns the number of tasks, including tasks that do not exist yet.
func (c *Cluster) taskCount(fw *framework.Framework, role string, current []framework.TaskStatus) int {
	if len(current) > 0 {
		return len(current)
	}
	if r := fw.Spec.TaskRole(role); r != nil {
		return int(r.TaskNumber)
	}
	return 0
}

func (c *Cluster) describeAttempt(fw *framework.Framework, jobAttempt int32, key store.TaskKey, state framework.State, st *framework.TaskAttemptStatus) cluster.TaskAttempt {
	dir := c.layout.TaskAttempt(fw.Metadata.Name, jobAttempt, key, st.ID)
	a := cluster.TaskAttempt{
		JobAttempt: int(jobAttempt), Attempt: int(st.ID),
		State:    string(cluster.AttemptState(state, st.CompletionStatus)),
		Started:  st.RunTime,
		Finished: st.CompletionTime,
		LogDir:   dir.Logs(),
	}
	if st.PodNodeName != nil {
		a.Host = *st.PodNodeName
	}
	var p process.ID
	if st.CompletionTime == nil && store.ReadJSON(dir.Process(), &p) == nil {
		a.PID = p.PID
	}
	a.Exit = exitRecord(dir, st)
	a.Waiting = waitingFor(state)
	if a.Exit == nil {
		a.Stage = stageOf(dir, state)
	}
	return a
}

// exitRecord returns the runtime's record. If the engine ended the attempt, or
// the runtime wrote no record, the exit code comes from the status. A task
// keeps a result that the runtime recorded before the engine ended the task,
// for example during a hold. On Kubernetes, the result is lost with the
// deleted Pod.
func exitRecord(dir store.TaskDir, st *framework.TaskAttemptStatus) *exitspec.Record {
	record, err := store.ReadExit(dir)
	if err != nil {
		record = nil
	}
	done := st.CompletionStatus
	if done == nil || record != nil && !cluster.Stopped(done) {
		return record
	}
	r := cluster.EngineExit(done)
	if record == nil {
		r.Reason, r.Started = completionMessage(done, r.Reason), st.StartTime
		if st.CompletionTime != nil {
			r.Finished = *st.CompletionTime
		}
		return r
	}
	r.Framework, r.Role, r.Index, r.Attempt = record.Framework, record.Role, record.Index, record.Attempt
	r.LastLines, r.Started, r.Finished = record.LastLines, record.Started, record.Finished
	r.Metrics, r.CPUSeconds, r.PeakMemoryBytes = record.Metrics, record.CPUSeconds, record.PeakMemoryBytes
	if !record.Stopped && done.Code != framework.CodeDeleteTaskRequested {
		r.UserCode, r.Signal, r.Phrase, r.Reason = record.UserCode, record.Signal, record.Phrase, record.Reason
		r.Stage, r.Step = record.Stage, record.Step
	}
	return r
}

// completionMessage returns the message of the first container, or otherwise
// if there is no message.
func completionMessage(c *framework.CompletionStatus, otherwise string) string {
	if c.Pod != nil && len(c.Pod.Containers) > 0 && c.Pod.Containers[0].Message != "" {
		return c.Pod.Containers[0].Message
	}
	return otherwise
}

// waitingFor describes the event that a pending or preparing task is waiting
// for.
func waitingFor(state framework.State) string {
	switch state {
	case framework.StateAttemptCreationPending, framework.StateAttemptCreationRequested:
		return "to be started"
	case framework.StateAttemptPreparing:
		return "until all tasks of the job are ready"
	}
	return ""
}
