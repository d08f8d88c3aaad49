// SPDX-License-Identifier: MPL-2.0

package local

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// Status implements cluster.Cluster. It does not write, start or signal anything.
func (c *Cluster) Status(_ context.Context, name string) (*cluster.Status, error) {
	o, err := c.object(name)
	if err != nil {
		return nil, err
	}
	job, err := c.readJob(name)
	if err != nil {
		return nil, err
	}
	if job != nil && job.Unreadable != nil {
		return unreadableStatus(job), nil
	}
	r, err := c.layout.LoadRecord(name)
	if err != nil {
		return nil, err
	}
	fw, notes, err := o.Load()
	if errors.Is(err, cluster.ErrNotFound) && r != nil {
		return c.recordedStatus(r)
	}
	if err != nil {
		return nil, err
	}
	st := c.describe(fw, r)
	st.Notes, st.Problem = notes, o.Problem(fw)
	st.Stalled, err = c.stalled(o)
	return st, err
}

// recordedStatus returns the recorded status of a job that has no Framework, or
// not yet.
func (c *Cluster) recordedStatus(r *cluster.Record) (*cluster.Status, error) {
	st := &cluster.Status{
		Address: string(r.Address), Name: r.Name, Framework: r.Framework, State: r.State,
		Created: r.Created, Completed: r.Completed, UserCode: r.ExitCode, TaskRoles: []cluster.TaskRole{},
	}
	st.State = cmp.Or(st.State, planner.StateWaiting)
	var err error
	st.Stalled, err = c.stalled(c.layout.Object(r.Framework))
	return st, err
}

func (c *Cluster) describe(fw *framework.Framework, r *cluster.Record) *cluster.Status {
	st := &cluster.Status{
		Address:   fw.Metadata.Annotations[contract.KeyAddress],
		Name:      fw.Metadata.Annotations[contract.AnnotationJobName],
		Framework: fw.Metadata.Name, State: cluster.FrameworkState(fw), TaskRoles: []cluster.TaskRole{},
	}
	if r != nil {
		st.Address, st.Name = string(r.Address), r.Name
	}
	st.UID = fw.Metadata.UID
	if fw.Metadata.CreationTimestamp != nil {
		st.Created = *fw.Metadata.CreationTimestamp
	}
	for _, role := range fw.Spec.TaskRoles {
		st.TaskRoles = append(st.TaskRoles, cluster.TaskRole{
			Name: r.WrittenName(role.Name), Tasks: c.tasks(fw, role.Name),
		})
	}
	addReady(st)
	if fw.Status == nil {
		st.SubState = string(framework.StateAttemptCreationPending)
		return st
	}
	attempt := fw.Status.AttemptStatus
	st.SubState = string(fw.Status.State)
	st.Stage = cluster.RetryStage(fw.Status.State, fw.Status.TransitionTime, fw.Status.RetryPolicyStatus)
	st.Attempt, st.Retries = int(attempt.ID), int(fw.Status.RetryPolicyStatus.TotalRetriedCount)
	st.Launched, st.Completed = fw.Status.RunTime, fw.Status.CompletionTime
	if done := attempt.CompletionStatus; done != nil {
		c.describeCompletion(st, fw, done)
	}
	return st
}

// describeCompletion adds how the attempt ended, with the message of the task
// that triggered completion.
func (c *Cluster) describeCompletion(st *cluster.Status, fw *framework.Framework, done *framework.CompletionStatus) {
	code := int(done.Code)
	st.ExitCode, st.Phrase, st.Diagnostics = &code, done.Phrase, done.Diagnostics
	st.UserCode = c.layout.ExitCode(fw)
	if done.Trigger == nil {
		st.Reason = done.Diagnostics
		return
	}
	st.Reason = fmt.Sprintf("task %s[%d]: %s", roleNameIn(st, fw, done.Trigger.TaskRoleName), done.Trigger.TaskIndex, done.Trigger.Message)
	if r := c.layout.DecidingExit(fw); r != nil && r.Reason != "" {
		st.Reason = fmt.Sprintf("task %s[%d]: %s", roleNameIn(st, fw, done.Trigger.TaskRoleName), done.Trigger.TaskIndex, r.Reason)
	}
}

// roleNameIn returns the declared name of a role of the Framework.
func roleNameIn(st *cluster.Status, fw *framework.Framework, role string) string {
	i := slices.IndexFunc(fw.Spec.TaskRoles, func(r framework.TaskRole) bool { return r.Name == role })
	if i < 0 {
		return role
	}
	return st.TaskRoles[i].Name
}
