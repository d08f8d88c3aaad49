// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"
	"fmt"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/internal/message"
)

// Status implements cluster.Cluster. It adds new observations to the record. The
// record keeps the outcome after the Framework is deleted.
func (c *Cluster) Status(ctx context.Context, name string) (*cluster.Status, error) {
	return c.statusFrom(ctx, name, c)
}

// statusSource reads the objects of a status, either one by one or from lists.
type statusSource interface {
	framework(ctx context.Context, name string) (*framework.Framework, error)
	// frameworkAgain returns the state of a Framework after the call to
	// heldLease. The caller must call heldLease first.
	frameworkAgain(ctx context.Context, name string) (*framework.Framework, error)
	statusWithoutFramework(ctx context.Context, name string) (*cluster.Status, error)
	podsOf(ctx context.Context, fw *framework.Framework) (map[string]*pod, error)
	heldLease(ctx context.Context) (*lease, error)
}

func (c *Cluster) statusFrom(ctx context.Context, name string, source statusSource) (*cluster.Status, error) {
	r, err := c.knownRecord(ctx, name)
	if err != nil {
		return nil, err
	}
	fw, err := source.framework(ctx, name)
	if api.IsNotFound(err) && r != nil {
		return source.statusWithoutFramework(ctx, name)
	}
	if err != nil {
		return nil, err
	}
	seen, err := source.podsOf(ctx, fw)
	if err != nil {
		return nil, err
	}
	st, err := describe(fw, r, seen, c.options.Now())
	if err != nil {
		return nil, err
	}
	c.addAttempts(st, r)
	c.addUnstopped(st, fw)
	c.remember(ctx, r, fw, st)
	return st, c.addIncomplete(ctx, st, fw, source)
}

// knownRecord reads each record only once, because the names in a record do
// not change while the job is watched.
func (c *Cluster) knownRecord(ctx context.Context, name string) (*stored, error) {
	c.mu.Lock()
	r, known := c.records[name]
	c.mu.Unlock()
	if known {
		return r, nil
	}
	r, err := c.loadRecord(ctx, name)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.records[name] = r
	return r, nil
}

// remember writes a changed state of the job into the record. It ignores
// errors: Status must succeed even if the user may not write the record or
// the record has changed.
func (c *Cluster) remember(ctx context.Context, r *stored, fw *framework.Framework, st *cluster.Status) {
	if r == nil || r.State == st.State || fw.Metadata.DeletionTimestamp != nil || c.checkOwner("", r.meta) != nil {
		return
	}
	next := *r
	now := c.options.Now().UTC()
	next.State, next.ExitCode, next.Completed, next.Seen = st.State, exitCode(fw), st.Completed, &now
	_ = c.saveRecord(ctx, &next)
	c.forget(r.Framework)
}

// recordedStatus returns the recorded status of a job whose Framework no longer exists.
func (c *Cluster) recordedStatus(r *stored) *cluster.Status {
	return &cluster.Status{
		Address: string(r.Address), Name: r.Name, Framework: r.Framework, State: r.lastState(c.options.Now()),
		Created: r.Created, Completed: r.Completed, UserCode: r.ExitCode, TaskRoles: []cluster.TaskRole{},
		Notes: []string{"The Framework no longer exists; this status is from its record."},
	}
}

// engineDelay is the time after which the status reports a problem if
// FrameworkController has not processed a job or a stop request.
const engineDelay = 10 * time.Second

// describeUnseen adds a note if the engine has not processed the job. After
// engineDelay, it reports a problem instead.
func describeUnseen(st *cluster.Status, now time.Time) {
	if now.Sub(st.Created) < engineDelay {
		st.Notes = append(st.Notes, "FrameworkController has not processed this job yet.")
		return
	}
	st.Problem = message.Textf("FrameworkController did not process this job within 10 s; it may be down, or may not watch this namespace")
}

// addUnstopped adds a note about a stop request that the engine has not processed.
// After engineDelay, it reports a problem instead. The time of the request is not
// recorded, so addUnstopped measures the delay from the time at which it first observed
// the request.
func (c *Cluster) addUnstopped(st *cluster.Status, fw *framework.Framework) {
	waits := fw.Spec.ExecutionType == framework.ExecutionStop && (fw.Status == nil || fw.Status.AttemptStatus.CompletionStatus == nil)
	c.mu.Lock()
	defer c.mu.Unlock()
	if !waits {
		delete(c.unstopped, fw.Metadata.Name)
		return
	}
	since, known := c.unstopped[fw.Metadata.Name]
	if !known {
		since = c.options.Now()
		c.unstopped[fw.Metadata.Name] = since
	}
	if c.options.Now().Sub(since) < engineDelay {
		st.Notes = append(st.Notes, "FrameworkController has not processed the stop request yet.")
	} else {
		st.Problem = message.Textf("FrameworkController did not process the stop request within 10 s; it may be down, or may not watch this namespace")
	}
}

func describe(fw *framework.Framework, r *stored, seen map[string]*pod, now time.Time) (*cluster.Status, error) {
	st := &cluster.Status{
		Address: fw.Metadata.Annotations[contract.KeyAddress], Name: fw.Metadata.Annotations[contract.AnnotationJobName],
		Framework: fw.Metadata.Name, UID: fw.Metadata.UID, State: cluster.StateWhileDeleted(fw), SubState: string(framework.StateAttemptCreationPending), TaskRoles: []cluster.TaskRole{},
	}
	if r != nil {
		st.Address, st.Name = string(r.Address), r.Name
	}
	if fw.Metadata.CreationTimestamp != nil {
		st.Created = *fw.Metadata.CreationTimestamp
	}
	if fw.Spec.ExecutionType == framework.ExecutionCreate {
		st.Notes = append(st.Notes, notStarted)
	}
	statuses, err := roleStatuses(fw)
	if err != nil {
		return nil, err
	}
	for _, role := range fw.Spec.TaskRoles {
		st.TaskRoles = append(st.TaskRoles, cluster.TaskRole{Name: r.declaredRole(role.Name), Tasks: describeTasks(fw, role, statuses[role.Name], seen)})
	}
	addReady(st, fw, r, statuses)
	if fw.Status == nil {
		if fw.Spec.ExecutionType == framework.ExecutionStart {
			describeUnseen(st, now)
		}
		return st, nil
	}
	st.SubState = string(fw.Status.State)
	st.Stage = cluster.RetryStage(fw.Status.State, fw.Status.TransitionTime, fw.Status.RetryPolicyStatus, fw.Status.AttemptStatus.CompletionStatus)
	st.Attempt, st.Retries = int(fw.Status.AttemptStatus.ID), int(fw.Status.RetryPolicyStatus.TotalRetriedCount)
	st.Launched, st.Completed = fw.Status.RunTime, fw.Status.CompletionTime
	if done := fw.Status.AttemptStatus.CompletionStatus; done != nil {
		describeCompletion(st, fw, r, done)
	}
	return st, nil
}

// describeCompletion sets the exit code and the reason of a completed job.
// The reason contains the message of the task that triggered completion.
func describeCompletion(st *cluster.Status, fw *framework.Framework, r *stored, done *framework.CompletionStatus) {
	code := int(done.Code)
	st.ExitCode, st.Phrase, st.Diagnostics, st.Reason = &code, done.Phrase, done.Diagnostics, done.Diagnostics
	st.UserCode = exitCode(fw)
	if done.Trigger == nil {
		return
	}
	reason := done.Trigger.Message
	if t := triggerRecord(fw); t != nil && t.Reason != "" {
		reason = t.Reason
	}
	st.Reason = fmt.Sprintf("task %s[%d]: %s", r.declaredRole(done.Trigger.TaskRoleName), done.Trigger.TaskIndex, reason)
}

// roleStatuses returns the statuses by role name. The Framework may contain
// them in compressed form.
func roleStatuses(fw *framework.Framework) (map[string]framework.TaskRoleStatus, error) {
	byName := map[string]framework.TaskRoleStatus{}
	if fw.Status == nil {
		return byName, nil
	}
	all, err := fw.Status.AttemptStatus.Roles()
	if err != nil {
		return nil, fmt.Errorf("read the status of Framework %s: %w", fw.Metadata.Name, err)
	}
	for _, role := range all {
		byName[role.Name] = role
	}
	return byName, nil
}

// triggerRecord returns the exit record of the task that triggered completion, or
// nil.
func triggerRecord(fw *framework.Framework) *exitspec.Record {
	done := fw.Status.AttemptStatus.CompletionStatus
	if done == nil || done.Trigger == nil {
		return nil
	}
	statuses, err := roleStatuses(fw)
	if err != nil {
		return nil
	}
	for _, t := range statuses[done.Trigger.TaskRoleName].TaskStatuses {
		if t.Index == done.Trigger.TaskIndex && t.AttemptStatus.CompletionStatus != nil {
			return exitRecord(t.AttemptStatus.CompletionStatus)
		}
	}
	return nil
}

// exitCode returns the exit code for `openpai run`: 0 if the job succeeded.
// Otherwise, it is the code of the user's commands in the task that triggered
// completion, or nil if unknown.
func exitCode(fw *framework.Framework) *int {
	if fw.Status == nil || fw.Status.State != framework.StateCompleted || fw.Status.AttemptStatus.CompletionStatus == nil {
		return nil
	}
	code := 0
	if fw.Status.AttemptStatus.CompletionStatus.Type.Name == framework.Succeeded {
		return &code
	}
	r := triggerRecord(fw)
	if r == nil {
		return nil
	}
	code = r.UserCode
	return &code
}

// declaredRole returns the declared name of a role.
func (r *stored) declaredRole(role string) string {
	if r == nil {
		return role
	}
	return r.WrittenName(role)
}
