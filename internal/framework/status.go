package framework

import "time"

// State is the state of a Framework or of a task.
type State string

// The states, in the order an attempt goes through them.
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

// Status is written by the engine only.
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
// TotalRetriedCount is the id of the current attempt.
type RetryPolicyStatus struct {
	TotalRetriedCount       int32  `json:"totalRetriedCount"`
	AccountableRetriedCount int32  `json:"accountableRetriedCount"`
	RetryDelaySec           *int64 `json:"retryDelaySec,omitempty"`
}

// AttemptStatus is the current attempt of a Framework.
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
	// TaskRoleStatusesCompressed is base64 of gzip of the JSON of
	// TaskRoleStatuses, which is null then.
	TaskRoleStatusesCompressed []byte `json:"taskRoleStatusesCompressed,omitempty"`
}

// TaskRoleStatus holds the tasks of one role.
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

// TaskAttemptStatus is the current attempt of a task. On the local cluster the
// Pod is a process group; its UID is made by the supervisor.
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

// CompletionStatus says how an attempt ended. It never changes once set.
type CompletionStatus struct {
	Code        int32          `json:"code"`
	Phrase      string         `json:"phrase"`
	Type        CompletionType `json:"type"`
	Diagnostics string         `json:"diagnostics"`
	// Pod is set for tasks only, Trigger for Frameworks only.
	Pod     *PodCompletionStatus `json:"pod,omitempty"`
	Trigger *CompletionTrigger   `json:"trigger,omitempty"`
}

// CompletionType is Succeeded or Failed with attributes.
type CompletionType struct {
	Name       CompletionTypeName `json:"name"`
	Attributes []Attribute        `json:"attributes"`
}

// CompletionTypeName is the outcome.
type CompletionTypeName string

// The outcomes.
const (
	Succeeded CompletionTypeName = "Succeeded"
	Failed    CompletionTypeName = "Failed"
)

// Attribute refines a failure; a failure without one is "unknown".
type Attribute string

// The attributes.
const (
	Transient Attribute = "Transient"
	Permanent Attribute = "Permanent"
	Conflict  Attribute = "Conflict"
)

// PodCompletionStatus is what is known of the Pod of a completed task.
type PodCompletionStatus struct {
	Reason     string                      `json:"reason,omitempty"`
	Message    string                      `json:"message,omitempty"`
	Containers []ContainerCompletionStatus `json:"containers,omitempty"`
}

// ContainerCompletionStatus is one container of such a Pod.
type ContainerCompletionStatus struct {
	Name    string `json:"name"`
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message,omitempty"` // the termination message
	Signal  int32  `json:"signal,omitempty"`
	Code    int32  `json:"code"`
}

// CompletionTrigger names the task that decided the attempt of a Framework.
type CompletionTrigger struct {
	Message      string `json:"message"`
	TaskRoleName string `json:"taskRoleName"`
	TaskIndex    int32  `json:"taskIndex"`
}

// TaskRole returns the status of the role of that name, or nil.
func (s *AttemptStatus) TaskRole(name string) *TaskRoleStatus {
	for i := range s.TaskRoleStatuses {
		if s.TaskRoleStatuses[i].Name == name {
			return &s.TaskRoleStatuses[i]
		}
	}
	return nil
}
