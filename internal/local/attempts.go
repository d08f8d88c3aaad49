package local

import (
	"os"
	"path/filepath"
	"sort"
	"strconv"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

// tasks returns the tasks of a role with every attempt that is known: those of
// the current job attempt from the status, earlier ones from what was kept.
func (c *Cluster) tasks(fw *framework.Framework, role string) []cluster.Task {
	all := []cluster.Task{}
	if fw.Status == nil {
		return all
	}
	attempt := fw.Status.AttemptStatus
	var current []framework.TaskStatus
	if st := findRoleStatus(attempt.TaskRoleStatuses, role); st != nil {
		current = st.TaskStatuses
	}
	for i := range c.taskCount(fw, role, current) {
		key := taskKey{role, int32(i)}
		task := cluster.Task{Index: i, State: string(cluster.JobState(framework.StateAttemptCreationPending, nil)), Attempts: []cluster.TaskAttempt{}}
		for id := range attempt.ID {
			task.Attempts = append(task.Attempts, c.keptAttempts(fw, id, key)...)
		}
		if i < len(current) {
			t := &current[i]
			task.State = string(cluster.JobState(t.State, t.AttemptStatus.CompletionStatus))
			for _, kept := range c.keptAttempts(fw, attempt.ID, key) {
				if kept.Attempt < int(t.AttemptStatus.ID) {
					task.Attempts = append(task.Attempts, kept)
				}
			}
			task.Attempts = append(task.Attempts, c.describeAttempt(fw, attempt.ID, key, t.State, &t.AttemptStatus))
		}
		all = append(all, task)
	}
	return all
}

// taskCount is the number of tasks, also while none exists yet.
func (c *Cluster) taskCount(fw *framework.Framework, role string, current []framework.TaskStatus) int {
	if len(current) > 0 {
		return len(current)
	}
	if r := findRole(fw.Spec.TaskRoles, role); r != nil {
		return int(r.TaskNumber)
	}
	return 0
}

// keptAttempts returns the completed attempts of a task within one job
// attempt, in order.
func (c *Cluster) keptAttempts(fw *framework.Framework, jobAttempt int32, key taskKey) []cluster.TaskAttempt {
	dir := filepath.Dir(string(c.layout.taskAttempt(fw.Metadata.Name, jobAttempt, key, 0)))
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var kept []cluster.TaskAttempt
	for _, e := range entries {
		id, err := strconv.ParseInt(e.Name(), 10, 32)
		if err != nil {
			continue
		}
		var k keptAttempt
		if readJSON(c.layout.taskAttempt(fw.Metadata.Name, jobAttempt, key, int32(id)).status(), &k) == nil {
			kept = append(kept, c.describeAttempt(fw, jobAttempt, key, k.State, &k.Status))
		}
	}
	sort.Slice(kept, func(i, j int) bool { return kept[i].Attempt < kept[j].Attempt })
	return kept
}

func (c *Cluster) describeAttempt(fw *framework.Framework, jobAttempt int32, key taskKey, state framework.State, st *framework.TaskAttemptStatus) cluster.TaskAttempt {
	dir := c.layout.taskAttempt(fw.Metadata.Name, jobAttempt, key, st.ID)
	a := cluster.TaskAttempt{
		JobAttempt: int(jobAttempt), Attempt: int(st.ID),
		State:    string(cluster.AttemptState(state, st.CompletionStatus)),
		Started:  st.RunTime,
		Finished: st.CompletionTime,
		LogDir:   dir.logs(),
	}
	if st.PodNodeName != nil {
		a.Host = *st.PodNodeName
	}
	var p process
	if readJSON(dir.process(), &p) == nil && st.CompletionTime == nil {
		a.PID = p.PID
	}
	a.Exit = exitOf(dir, st)
	a.Waiting = waitingFor(state)
	return a
}

// exitOf returns the exit record of a task attempt. Where the runtime left none
// it is made from what the engine decided.
func exitOf(dir taskDir, st *framework.TaskAttemptStatus) *exitspec.Record {
	r, err := readRecord(dir)
	if err == nil && r != nil || st.CompletionStatus == nil {
		return r
	}
	made := &exitspec.Record{
		Code: int(st.CompletionStatus.Code), UserCode: int(st.CompletionStatus.Code),
		Phrase: st.CompletionStatus.Phrase, Reason: inWords(st.CompletionStatus),
		Started: st.StartTime, Stopped: cluster.Stopped(st.CompletionStatus),
	}
	if st.CompletionTime != nil {
		made.Finished = *st.CompletionTime
	}
	return made
}

// inWords returns why an attempt ended. The diagnostics of a process that ended
// by itself are JSON, with the words inside of it.
func inWords(c *framework.CompletionStatus) string {
	if c.Pod != nil && len(c.Pod.Containers) > 0 && c.Pod.Containers[0].Message != "" {
		return c.Pod.Containers[0].Message
	}
	return c.Diagnostics
}

// waitingFor says why a task does not run yet.
func waitingFor(state framework.State) string {
	switch state {
	case framework.StateAttemptCreationPending, framework.StateAttemptCreationRequested:
		return "to be started"
	case framework.StateAttemptPreparing:
		return "to be ready, with the other tasks of its job"
	}
	return ""
}
