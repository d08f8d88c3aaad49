// SPDX-License-Identifier: MPL-2.0

package framework

import "time"

// State is the state of a Framework or of a task.
type State string

// States, in the order in which an attempt enters them.
const (
	StateAttemptCreationPending   State = "AttemptCreationPending"
	StateAttemptCreationRequested State = "AttemptCreationRequested"
	StateAttemptPreparing         State = "AttemptPreparing"
	StateAttemptRunning           State = "AttemptRunning"
	StateAttemptDeletionPending   State = "AttemptDeletionPending"
	StateAttemptDeletionRequested State = "AttemptDeletionRequested"
	StateAttemptDeleting          State = "AttemptDeleting"
	StateAttemptCompleted         State = "AttemptCompleted"
	StateCompleted                State = "Completed"
)

// Status is the observed state of a Framework. Only the engine writes the status.
type Status struct {
	StartTime         time.Time         `json:"startTime"`
	RunTime           *time.Time        `json:"runTime,omitempty"`
	CompletionTime    *time.Time        `json:"completionTime,omitempty"`
	State             State             `json:"state"`
	TransitionTime    time.Time         `json:"transitionTime"`
	RetryPolicyStatus RetryPolicyStatus `json:"retryPolicyStatus"`
	AttemptStatus     AttemptStatus     `json:"attemptStatus"`
}

// RetryPolicyStatus counts the retries of a Framework or a task.
// TotalRetriedCount is also the ID of the current attempt.
type RetryPolicyStatus struct {
	TotalRetriedCount       int32  `json:"totalRetriedCount"`
	AccountableRetriedCount int32  `json:"accountableRetriedCount"`
	RetryDelaySec           *int64 `json:"retryDelaySec,omitempty"`
}

// AttemptStatus describes the current attempt of a Framework.
type AttemptStatus struct {
	ID               int32             `json:"id"`
	StartTime        time.Time         `json:"startTime"`
	RunTime          *time.Time        `json:"runTime,omitempty"`
	CompletionTime   *time.Time        `json:"completionTime,omitempty"`
	InstanceUID      *string           `json:"instanceUID,omitempty"`
	ConfigMapName    string            `json:"configMapName"`
	ConfigMapUID     *string           `json:"configMapUID,omitempty"`
	CompletionStatus *CompletionStatus `json:"completionStatus,omitempty"`
	TaskRoleStatuses []TaskRoleStatus  `json:"taskRoleStatuses"`
	// TaskRoleStatusesCompressed is the JSON of TaskRoleStatuses, compressed
	// with gzip and encoded in base64. TaskRoleStatuses is then null.
	TaskRoleStatusesCompressed []byte `json:"taskRoleStatusesCompressed,omitempty"`
}

// TaskRoleStatus contains the tasks of one role.
type TaskRoleStatus struct {
	Name                          string       `json:"name"`
	InstanceUID                   string       `json:"instanceUID"`
	PodGracefulDeletionTimeoutSec *int64       `json:"podGracefulDeletionTimeoutSec,omitempty"`
	TaskStatuses                  []TaskStatus `json:"taskStatuses"`
}

// TaskStatus is one task.
type TaskStatus struct {
	Index             int32             `json:"index"`
	InstanceUID       string            `json:"instanceUID"`
	StartTime         time.Time         `json:"startTime"`
	RunTime           *time.Time        `json:"runTime,omitempty"`
	CompletionTime    *time.Time        `json:"completionTime,omitempty"`
	State             State             `json:"state"`
	TransitionTime    time.Time         `json:"transitionTime"`
	DeletionPending   bool              `json:"deletionPending"`
	RetryPolicyStatus RetryPolicyStatus `json:"retryPolicyStatus"`
	AttemptStatus     TaskAttemptStatus `json:"attemptStatus"`
}

// TaskAttemptStatus describes the current attempt of a task. On the local
// cluster, the Pod is a process group. The supervisor generates the Pod UID.
type TaskAttemptStatus struct {
	ID               int32             `json:"id"`
	StartTime        time.Time         `json:"startTime"`
	RunTime          *time.Time        `json:"runTime,omitempty"`
	CompletionTime   *time.Time        `json:"completionTime,omitempty"`
	InstanceUID      *string           `json:"instanceUID,omitempty"`
	PodName          string            `json:"podName"`
	PodUID           *string           `json:"podUID,omitempty"`
	PodNodeName      *string           `json:"podNodeName,omitempty"`
	PodIP            *string           `json:"podIP,omitempty"`
	PodHostIP        *string           `json:"podHostIP,omitempty"`
	CompletionStatus *CompletionStatus `json:"completionStatus,omitempty"`
}

// CompletionStatus is the result of an attempt. The result never changes after it
// has been set.
type CompletionStatus struct {
	Code        int32          `json:"code"`
	Phrase      string         `json:"phrase"`
	Type        CompletionType `json:"type"`
	Diagnostics string         `json:"diagnostics"`
	// Pod is set only for tasks, and Trigger is set only for Frameworks.
	Pod     *PodCompletionStatus `json:"pod,omitempty"`
	Trigger *CompletionTrigger   `json:"trigger,omitempty"`
}

// CompletionType is a result (Succeeded or Failed) and its attributes.
type CompletionType struct {
	Name       CompletionTypeName `json:"name"`
	Attributes []Attribute        `json:"attributes"`
}

// CompletionTypeName is the result: Succeeded or Failed.
type CompletionTypeName string

// Completion types.
const (
	Succeeded CompletionTypeName = "Succeeded"
	Failed    CompletionTypeName = "Failed"
)

// Attribute classifies a failure. A failure without attributes is "unknown".
type Attribute string

// Attributes.
const (
	Transient Attribute = "Transient"
	Permanent Attribute = "Permanent"
	Conflict  Attribute = "Conflict"
)

// PodCompletionStatus describes the Pod of a completed task.
type PodCompletionStatus struct {
	Reason     string                      `json:"reason,omitempty"`
	Message    string                      `json:"message,omitempty"`
	Containers []ContainerCompletionStatus `json:"containers,omitempty"`
}

// ContainerCompletionStatus describes one container in the Pod of a completed task.
type ContainerCompletionStatus struct {
	Name    string `json:"name"`
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message,omitempty"` // the termination message
	Signal  int32  `json:"signal,omitempty"`
	Code    int32  `json:"code"`
}

// CompletionTrigger identifies the task that triggered the completion of a
// Framework attempt.
type CompletionTrigger struct {
	Message      string `json:"message"`
	TaskRoleName string `json:"taskRoleName"`
	TaskIndex    int32  `json:"taskIndex"`
}

// TaskRole returns the status of the role with the given name, or nil.
func (s *AttemptStatus) TaskRole(name string) *TaskRoleStatus {
	for i := range s.TaskRoleStatuses {
		if s.TaskRoleStatuses[i].Name == name {
			return &s.TaskRoleStatuses[i]
		}
	}
	return nil
}
