// SPDX-License-Identifier: MPL-2.0

package local

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner"
)

var _ cluster.StatusLister = (*Cluster)(nil)

// Status implements cluster.Cluster. It does not write files, start processes or send
// signals.
func (c *Cluster) Status(_ context.Context, name string) (*cluster.Status, error) {
	if _, err := c.object(name); err != nil {
		return nil, err
	}
	return c.status(name)
}

// ListStatuses implements cluster.StatusLister. It checks the shared files only
// once for all jobs.
func (c *Cluster) ListStatuses(context.Context, []string) (cluster.StatusFunc, error) {
	if err := c.layout.Check(); err != nil {
		return nil, err
	}
	return func(_ context.Context, name string) (*cluster.Status, error) {
		if err := checkName(name); err != nil {
			return nil, err
		}
		if err := c.layout.CheckLinksOf(name); err != nil {
			return nil, err
		}
		return c.status(name)
	}, nil
}

func (c *Cluster) status(name string) (*cluster.Status, error) {
	l, err := c.load(name)
	switch {
	case err != nil:
		return nil, err
	case l == nil:
		return nil, cluster.NotFound("Framework %s does not exist", name)
	case l.unreadable != nil:
		return unreadableStatus(c.liveJob(l)), nil
	case l.framework == nil:
		return c.recordedStatus(l.record)
	}
	o := c.layout.Object(name)
	st := c.describe(l.framework, l.record)
	st.Notes, st.Problem = l.notes, o.Problem(l.framework)
	if st.Stalled, err = c.stalledUnless(o, l.framework, c.locked); st.Stalled == "" {
		st.State = cluster.StateWhileDeleted(l.framework)
	}
	return st, err
}

// recordedStatus returns the recorded status of a job whose Framework does not exist.
func (c *Cluster) recordedStatus(r *cluster.Record) (*cluster.Status, error) {
	st := &cluster.Status{
		Address: string(r.Address), Name: r.Name, Framework: r.Framework, State: r.State,
		Created: r.Created, Completed: r.Completed, UserCode: r.ExitCode, TaskRoles: []cluster.TaskRole{},
	}
	st.State = cmp.Or(st.State, planner.StateWaiting)
	var err error
	st.Stalled, err = c.stalledUnless(c.layout.Object(r.Framework), nil, c.locked)
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
	st.Stage = cluster.RetryStage(fw.Status.State, fw.Status.TransitionTime, fw.Status.RetryPolicyStatus, attempt.CompletionStatus)
	st.Attempt, st.Retries = int(attempt.ID), int(fw.Status.RetryPolicyStatus.TotalRetriedCount)
	st.Launched, st.Completed = fw.Status.RunTime, fw.Status.CompletionTime
	if done := attempt.CompletionStatus; done != nil {
		c.describeCompletion(st, fw, done)
	}
	return st
}

// describeCompletion includes the message of the task that triggered
// completion.
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
