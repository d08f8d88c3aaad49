package local

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Status implements cluster.Cluster. A supervisor that was killed is replaced
// first, and the notes say so.
func (c *Cluster) Status(ctx context.Context, name string) (*cluster.Status, error) {
	o, err := c.object(name)
	if err != nil {
		return nil, err
	}
	r, err := c.layout.loadRecord(name)
	if err != nil {
		return nil, err
	}
	err = c.supervise(ctx, o)
	if errors.Is(err, cluster.ErrNotFound) && r != nil {
		return c.recordedStatus(r)
	}
	if err != nil {
		return nil, err
	}
	fw, notes, err := o.load()
	if errors.Is(err, cluster.ErrNotFound) && r != nil {
		return c.recordedStatus(r)
	}
	if err != nil {
		return nil, err
	}
	st := c.describe(fw, r)
	st.Notes, st.Trouble = notes, o.trouble(fw)
	st.Stalled, err = c.stalled(half(fw), o.half)
	return st, err
}

// recordedStatus is what is known of a job that has no Framework: it is gone,
// or not there yet.
func (c *Cluster) recordedStatus(r *record) (*cluster.Status, error) {
	st := &cluster.Status{
		Address: string(r.Address), Name: r.Name, Framework: r.Framework, State: r.State,
		Created: r.Created, Completed: r.Completed, UserCode: r.ExitCode, TaskRoles: []cluster.TaskRole{},
	}
	if st.State == "" {
		st.State = planner.StateWaiting
	}
	again := func() string { return c.layout.halfRecorded(r.Framework) }
	var err error
	st.Stalled, err = c.stalled(again(), again)
	return st, err
}

func (c *Cluster) describe(fw *framework.Framework, r *record) *cluster.Status {
	st := &cluster.Status{
		Address:   fw.Metadata.Annotations[contract.KeyAddress],
		Name:      fw.Metadata.Annotations[contract.AnnotationJobName],
		Framework: fw.Metadata.Name, State: frameworkState(fw), TaskRoles: []cluster.TaskRole{},
	}
	if r != nil {
		st.Address, st.Name = string(r.Address), r.Name
	}
	if fw.Metadata.CreationTimestamp != nil {
		st.Created = *fw.Metadata.CreationTimestamp
	}
	for _, role := range fw.Spec.TaskRoles {
		st.TaskRoles = append(st.TaskRoles, cluster.TaskRole{
			Name: writtenName(r, role.Name), Tasks: c.tasks(fw, role.Name),
		})
	}
	if fw.Status == nil {
		st.SubState = string(framework.StateAttemptCreationPending)
		return st
	}
	attempt := fw.Status.AttemptStatus
	st.SubState = string(fw.Status.State)
	st.Attempt, st.Retries = int(attempt.ID), int(fw.Status.RetryPolicyStatus.TotalRetriedCount)
	st.Launched, st.Completed = fw.Status.RunTime, fw.Status.CompletionTime
	if done := attempt.CompletionStatus; done != nil {
		c.describeCompletion(st, fw, done)
	}
	return st
}

// describeCompletion tells how the attempt ended, with the words of the task
// that decided it.
func (c *Cluster) describeCompletion(st *cluster.Status, fw *framework.Framework, done *framework.CompletionStatus) {
	code := int(done.Code)
	st.ExitCode, st.Phrase, st.Diagnostics = &code, done.Phrase, done.Diagnostics
	st.UserCode = c.layout.exitCode(fw)
	if done.Trigger == nil {
		st.Reason = done.Diagnostics
		return
	}
	st.Reason = fmt.Sprintf("task %s[%d]: %s", roleNameIn(st, fw, done.Trigger.TaskRoleName), done.Trigger.TaskIndex, done.Trigger.Message)
	if r := c.layout.triggerRecord(fw); r != nil && r.Reason != "" {
		st.Reason = fmt.Sprintf("task %s[%d]: %s", roleNameIn(st, fw, done.Trigger.TaskRoleName), done.Trigger.TaskIndex, r.Reason)
	}
}

// roleNameIn returns the name as written of a role of the Framework.
func roleNameIn(st *cluster.Status, fw *framework.Framework, role string) string {
	i := slices.IndexFunc(fw.Spec.TaskRoles, func(r framework.TaskRole) bool { return r.Name == role })
	if i < 0 {
		return role
	}
	return st.TaskRoles[i].Name
}

// writtenName returns the name of a role as the user wrote it.
func writtenName(r *record, role string) string {
	if r == nil || r.Applied == nil {
		return role
	}
	i := slices.IndexFunc(r.Applied.TaskRoles, func(w *resolve.TaskRole) bool { return w.FrameworkName == role })
	if i < 0 {
		return role
	}
	return r.Applied.TaskRoles[i].Name
}

// triggerRecord is the exit record of the task that decided the current
// attempt, or nil.
func (l layout) triggerRecord(fw *framework.Framework) *exitspec.Record {
	attempt := fw.Status.AttemptStatus
	if attempt.CompletionStatus == nil || attempt.CompletionStatus.Trigger == nil {
		return nil
	}
	key := taskKey{attempt.CompletionStatus.Trigger.TaskRoleName, attempt.CompletionStatus.Trigger.TaskIndex}
	role := findRoleStatus(attempt.TaskRoleStatuses, key.role)
	if role == nil {
		return nil
	}
	for _, t := range role.TaskStatuses {
		if t.Index == key.index {
			r, err := readRecord(l.taskAttempt(fw.Metadata.Name, attempt.ID, key, t.AttemptStatus.ID))
			if err != nil {
				return nil
			}
			return r
		}
	}
	return nil
}

// exitCode returns the code that run returns: that of the user's commands in
// the task that decided; 0 for a job that succeeded although its last task
// failed; nil when the job has no outcome, or none of its own.
func (l layout) exitCode(fw *framework.Framework) *int {
	if fw.Status == nil || fw.Status.AttemptStatus.CompletionStatus == nil {
		return nil
	}
	done := fw.Status.AttemptStatus.CompletionStatus
	code := 0
	if done.Type.Name == framework.Succeeded {
		return &code
	}
	r := l.triggerRecord(fw)
	if r == nil {
		return nil
	}
	code = r.UserCode
	return &code
}
