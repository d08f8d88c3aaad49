// SPDX-License-Identifier: MPL-2.0

package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/render"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Cluster is a place where jobs run. Framework names are the values of
// metadata.name. Every method that waits returns when its context is done.
type Cluster interface {
	planner.Live

	// SecretKey returns the workspace's key for secret versions
	// (Snapshot.SecretKey). The first call creates 32 random bytes and stores
	// them with the secrets.
	SecretKey(ctx context.Context, workspace string) ([]byte, error)

	// Create submits a job. If an earlier call was killed at any point, Create
	// completes that submission. It never starts a job twice.
	Create(ctx context.Context, s Submission) error
	// Update changes the task counts, policies and description of a job in place. s
	// contains secret values only if the job's Secrets no longer exist.
	Update(ctx context.Context, s Submission) error
	// Delete deletes a job and its record. It returns when all processes of the job
	// have ended.
	Delete(ctx context.Context, framework string) error
	// Stop requests the permanent end of a job. It returns when the request is
	// recorded.
	Stop(ctx context.Context, framework string) error

	// Status returns the current status of a job. It fails with ErrNotFound if
	// the cluster has neither the job nor a job record.
	Status(ctx context.Context, framework string) (*Status, error)
	// Logs copies the log of one task to w. With Follow, it returns after the
	// end of the attempt and of its log.
	Logs(ctx context.Context, r LogRequest, w io.Writer) error
}

// Submission is the data that a cluster receives for one job.
type Submission struct {
	Job *resolve.Job
	// Manifest is the job as rendered by the plan. It does not contain secret
	// values and must not be modified. A cluster that adds fields to an object
	// must copy the object first.
	Manifest *render.Manifest
	// Secrets maps secret names to their values. A cluster must write the
	// values only to Secret objects.
	Secrets map[string]string
	// Hash and Fields are stored for later plans; see planner.Hashes.
	Hash           string
	Fields         map[string]string
	SecretVersions map[string]string
	// SecretsKey is the ID of the key for SecretVersions; see
	// [planner.SecretKeyID].
	SecretsKey string
	// Declaration is the job as declared in its front end, or nil. The record
	// stores the declaration for import. It does not contain secret values.
	Declaration []byte
	// DeclaredBy is the front end that declares the job.
	DeclaredBy planner.Declarer
	// Creating marks the job until [Creator.FinishCreation] is called.
	Creating bool
	// Begin writes the record of the run and returns its number. Create calls
	// Begin after it creates the Framework and before it starts the
	// Framework. A resumed Create calls Begin again. nil means no history.
	Begin func(ctx context.Context, uid string) (run int, err error)
	// RepeatOf is the number of the run that this run repeats, or 0 for none.
	RepeatOf int
}

// BeginRun calls Begin.
func (s *Submission) BeginRun(ctx context.Context, uid string) (run int, err error) {
	if s.Begin == nil {
		return 0, nil
	}
	return s.Begin(ctx, uid)
}

// Status is the status of a job, as far as it is known.
type Status struct {
	Address   string           `json:"address"`
	Name      string           `json:"name"`
	Framework string           `json:"framework"`
	State     planner.JobState `json:"state"`
	// SubState is the engine's name for the state.
	SubState string `json:"sub_state"`
	// Attempt counts from 0.
	Attempt     int        `json:"attempt"`
	Retries     int        `json:"retries"`
	Created     time.Time  `json:"created,omitzero"`
	Launched    *time.Time `json:"launched,omitempty"`
	Completed   *time.Time `json:"completed,omitempty"`
	ExitCode    *int       `json:"exit_code,omitempty"` // defined by the exit code specification
	UserCode    *int       `json:"user_code,omitempty"` // exit code of the run command
	Phrase      string     `json:"phrase,omitempty"`
	Reason      string     `json:"reason,omitempty"`
	Diagnostics string     `json:"diagnostics,omitempty"`
	TaskRoles   []TaskRole `json:"task_roles"`
	// Notes are messages for users, such as "the supervisor was killed; its
	// tasks were taken over".
	Notes []string `json:"notes,omitempty"`
	// Stalled is set if the supervisor or the submitting or deleting command was
	// killed. The value determines which command continues the job. The job does
	// not make progress until that command runs.
	Stalled Stalled `json:"-"`
	// UnreadableFile is the file that cannot be read if Stalled is Unreadable.
	UnreadableFile string `json:"-"`
	// UID is the Framework UID, or "" for a deleted Framework.
	UID string `json:"-"`
	// Stage is the stage of the whole job, such as waiting for an attempt. If Stage
	// is nil, each task has a separate stage.
	Stage *stage.Record `json:"stage,omitempty"`
	// Sample contains the number of tasks whose stage was read. It is nil if
	// the stages of all tasks were read.
	Sample *Sample `json:"stage_sample,omitempty"`
	// UsageUnknown is the reason why the requested resource usage is unknown.
	UsageUnknown string `json:"usage_unknown,omitempty"`
	// Problem describes what currently blocks the job. The job continues
	// automatically once the problem is solved.
	Problem message.Text `json:"-"`
}

// Sample contains the number of running tasks and the number of tasks whose
// stage was read.
type Sample struct {
	Sampled int `json:"looked"`
	Running int `json:"running"`
}

// TaskRole is the status of a task role.
type TaskRole struct {
	Name  string `json:"name"` // as declared
	Tasks []Task `json:"tasks"`
}

// Task is the status of a task and its known attempts.
type Task struct {
	Index    int           `json:"index"`
	State    string        `json:"state"` // WAITING, RUNNING, …
	Attempts []TaskAttempt `json:"attempts"`
}

// TaskAttempt is one attempt of a task.
type TaskAttempt struct {
	JobAttempt int        `json:"job_attempt"`
	Attempt    int        `json:"attempt"`
	State      string     `json:"state"`
	Started    *time.Time `json:"started,omitempty"`
	Finished   *time.Time `json:"finished,omitempty"`
	Host       string     `json:"host,omitempty"`
	PID        int        `json:"pid,omitempty"`
	Waiting    string     `json:"waiting,omitempty"` // why the attempt has not started
	// Stage is the current stage of the task. It is nil if the task has ended
	// or the stage is unknown. The stage is only for display, because the task
	// itself reports it.
	Stage *stage.Record `json:"stage,omitempty"`
	// Usage is the current resource usage, or nil if it is unknown or was not
	// requested.
	Usage *Usage `json:"usage,omitempty"`
	// Pod is the name of the attempt's Pod on Kubernetes.
	Pod    string           `json:"pod,omitempty"`
	Exit   *exitspec.Record `json:"exit,omitempty"`
	LogDir string           `json:"log_dir,omitempty"`
}

// LogRequest selects the log of one task.
type LogRequest struct {
	Framework  string
	Role       string // as declared or as in the Framework
	Index      int
	JobAttempt int    // -1: the latest
	Attempt    int    // -1: the latest
	Stream     Stream // default StreamAll
	Follow     bool
	TailLines  int // 0: all
	// Since is the time before which lines are skipped. If it is zero, all
	// lines are kept. Lines with an unknown time are always kept.
	Since time.Time
	// Stamp adds a [logtime.Stamp] before each line.
	Stamp bool
	// Kept is the local mount path of the cluster's log storage, or "".
	Kept string
	// Note receives the source of the log if the cluster has several sources. It
	// may be nil.
	Note func(message.Text)
	// Gap receives descriptions of the parts of the log that could not be read.
	// If Gap is nil, Note receives these descriptions.
	Gap func(message.Text)
}

// Stream selects a log of a task.
type Stream string

// The logs of a task are the runtime log, and the user's stdout, stderr, or
// both in order of arrival.
const (
	StreamAll     Stream = "all"
	StreamStdout  Stream = "stdout"
	StreamStderr  Stream = "stderr"
	StreamRuntime Stream = "runtime"
)

// ErrNotFound is the error for a job, task or Secret that does not exist.
var ErrNotFound = errors.New("not found")

// NotFound returns an [ErrNotFound] with the given text.
func NotFound(format string, args ...any) error {
	return &notFoundError{fmt.Sprintf(format, args...)}
}

type notFoundError struct{ text string }

func (e *notFoundError) Error() string { return e.text }

// Is reports whether target is [ErrNotFound]; see [errors.Is].
func (e *notFoundError) Is(target error) bool { return target == ErrNotFound }

// ErrNoKubeconfig is the error for a Kubernetes cluster without a kubeconfig.
var ErrNoKubeconfig = errors.New("no kubeconfig was found")

// ErrForbidden is returned if the user lacks a permission.
var ErrForbidden = errors.New("forbidden")

// StorageFixed is the error for an existing volume or claim that cannot match
// the changed declaration.
type StorageFixed struct {
	Storage hclspec.Address
	Object  ObjectID
	Err     error // error from the cluster
}

func (e *StorageFixed) Error() string {
	return fmt.Sprintf("the %s %s was created from a different declaration: %s", e.Object.Kind, e.Object.Name, e.Err)
}

// Unwrap returns the cluster's error.
func (e *StorageFixed) Unwrap() error { return e.Err }

// Entry returns the catalog entry for the error.
func (e *StorageFixed) Entry() *hclspec.Entry { return hclspec.VolumeFixed }
