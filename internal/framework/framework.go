// SPDX-License-Identifier: MPL-2.0

package framework

import (
	"strconv"
	"time"
)

// Group, version and kind of a Framework.
const (
	Group      = "frameworkcontroller.microsoft.com"
	APIVersion = Group + "/v1"
	Kind       = "Framework"
)

// Framework represents one job on a cluster.
type Framework struct {
	APIVersion string     `json:"apiVersion"`
	Kind       string     `json:"kind"`
	Metadata   ObjectMeta `json:"metadata"`
	Spec       Spec       `json:"spec"`
	Status     *Status    `json:"status,omitempty"`
}

// ObjectMeta is the part of Kubernetes' object metadata that this project reads
// or writes.
type ObjectMeta struct {
	Name              string            `json:"name,omitempty"`
	Namespace         string            `json:"namespace,omitempty"`
	UID               string            `json:"uid,omitempty"`
	ResourceVersion   string            `json:"resourceVersion,omitempty"`
	CreationTimestamp *time.Time        `json:"creationTimestamp,omitempty"`
	DeletionTimestamp *time.Time        `json:"deletionTimestamp,omitempty"`
	Labels            map[string]string `json:"labels,omitempty"`
	Annotations       map[string]string `json:"annotations,omitempty"`
	OwnerReferences   []OwnerReference  `json:"ownerReferences,omitempty"`
}

// OwnerReference refers to the owner of an object. Kubernetes deletes the object
// when it deletes the owner.
type OwnerReference struct {
	APIVersion         string `json:"apiVersion"`
	Kind               string `json:"kind"`
	Name               string `json:"name"`
	UID                string `json:"uid"`
	Controller         *bool  `json:"controller,omitempty"`
	BlockOwnerDeletion *bool  `json:"blockOwnerDeletion,omitempty"`
}

// ExecutionType is the requested execution state of a Framework.
type ExecutionType string

// The only valid changes are Create to Start or Stop, and Start to Stop.
const (
	ExecutionCreate ExecutionType = "Create"
	ExecutionStart  ExecutionType = "Start"
	ExecutionStop   ExecutionType = "Stop"
)

// Spec is the desired state of a Framework.
type Spec struct {
	Description   string        `json:"description"`
	ExecutionType ExecutionType `json:"executionType"`
	RetryPolicy   RetryPolicy   `json:"retryPolicy"`
	TaskRoles     []TaskRole    `json:"taskRoles"`
}

// RetryPolicy applies to both Frameworks and tasks.
type RetryPolicy struct {
	FancyRetryPolicy bool  `json:"fancyRetryPolicy"`
	MaxRetryCount    int32 `json:"maxRetryCount"`
}

// TaskRole is a group of identical tasks.
type TaskRole struct {
	Name                             string           `json:"name"`
	TaskNumber                       int32            `json:"taskNumber"`
	FrameworkAttemptCompletionPolicy CompletionPolicy `json:"frameworkAttemptCompletionPolicy"`
	Task                             Task             `json:"task"`
}

// CompletionPolicy determines when a Framework attempt ends. A count below 1
// disables its rule.
type CompletionPolicy struct {
	MinFailedTaskCount    int32 `json:"minFailedTaskCount"`
	MinSucceededTaskCount int32 `json:"minSucceededTaskCount"`
}

// Task is the template of the tasks of a role.
type Task struct {
	RetryPolicy                   RetryPolicy `json:"retryPolicy"`
	PodGracefulDeletionTimeoutSec *int64      `json:"podGracefulDeletionTimeoutSec,omitempty"`
	Pod                           PodTemplate `json:"pod"`
}

// TaskRole returns the role with the given name, or nil.
func (s *Spec) TaskRole(name string) *TaskRole {
	for i := range s.TaskRoles {
		if s.TaskRoles[i].Name == name {
			return &s.TaskRoles[i]
		}
	}
	return nil
}

// ConfigMapName returns the name of the ConfigMap for the current Framework
// attempt.
func ConfigMapName(framework string) string { return framework + "-attempt" }

// PodName returns the name of the Pod of a task. Pods of later attempts of
// the task have the same name but different UIDs.
func PodName(framework, role string, index int) string {
	return framework + "-" + role + "-" + strconv.Itoa(index)
}

// InstanceUID returns the identity of an attempt. It consists of the attempt
// number and the UID of the attempt's object.
func InstanceUID(attempt int32, objectUID string) string {
	return strconv.Itoa(int(attempt)) + "_" + objectUID
}

// AttemptCompletionDiagnostics is the diagnostics message of tasks that the
// engine stopped at the end of the Framework attempt.
const AttemptCompletionDiagnostics = "Stop to complete current FrameworkAttempt"
