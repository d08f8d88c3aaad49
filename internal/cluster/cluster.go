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

// Cluster is a place where jobs run. Frameworks are named by metadata.name.
// Every method that waits returns when its context ends.
type Cluster interface {
	planner.Live

	// SecretKey returns the workspace's key for versions of secrets
	// (Snapshot.SecretKey). The first call makes it: 32 random bytes, kept
	// where the secrets are.
	SecretKey(ctx context.Context, workspace string) ([]byte, error)

	// Create submits a job. Called again after it was killed anywhere, it
	// finishes what was begun; a job is never started twice.
	Create(ctx context.Context, s Submission) error
	// Update changes a job in place: task counts, policies, description. Values
	// of secrets are given only when the cluster lost them.
	Update(ctx context.Context, s Submission) error
	// Delete removes a job and returns when nothing of it runs any more. The
	// record goes too.
	Delete(ctx context.Context, framework string) error
	// Stop ends a job for good and returns when the request is recorded.
	Stop(ctx context.Context, framework string) error

	// Status reports what a job does now; it fails with ErrNotFound when the
	// cluster has neither the job nor a record of it.
	Status(ctx context.Context, framework string) (*Status, error)
	// Logs copies the log of one task to w. With Follow it continues until the
	// task's attempt ended and everything was copied.
	Logs(ctx context.Context, r LogRequest, w io.Writer) error
}

// Submission is what is sent for one job.
type Submission struct {
	Job *resolve.Job
	// Manifest is the job as the plan rendered it. It holds no secret value and
	// is not changed: what a cluster adds to an object it adds to a copy.
	Manifest *render.Manifest
	// Secrets are the values by name. They go into Secret objects only.
	Secrets map[string]string
	// Hash and Fields are recorded for later plans (planner.Hashes).
	Hash           string
	Fields         map[string]string
	SecretVersions map[string]string
	// Declaration is the job as its front end wrote it, or nil. It is kept in
	// the record, so that the job can be imported; it holds no secret value.
	Declaration []byte
	// DeclaredBy is the front end that declares the job.
	DeclaredBy planner.Declarer
	// Creating marks the job until [Creator.FinishCreation].
	Creating bool
	// Begin is called by Create once the Framework exists, before it may start,
	// and again by a Create that continues another: it writes the record of the
	// run and returns its number. nil: no history is kept.
	Begin func(ctx context.Context, uid string) (run int, err error)
	// RepeatOf is the number of the run that is repeated; 0: none.
	RepeatOf int
}

// BeginRun calls Begin.
func (s *Submission) BeginRun(ctx context.Context, uid string) (run int, err error) {
	if s.Begin == nil {
		return 0, nil
	}
	return s.Begin(ctx, uid)
}

// Status is what is known of a job.
type Status struct {
	Address   string           `json:"address"`
	Name      string           `json:"name"`
	Framework string           `json:"framework"`
	State     planner.JobState `json:"state"`
	// SubState is the state in the engine's words.
	SubState string `json:"sub_state"`
	// Attempt counts from 0.
	Attempt     int        `json:"attempt"`
	Retries     int        `json:"retries"`
	Created     time.Time  `json:"created,omitzero"`
	Launched    *time.Time `json:"launched,omitempty"`
	Completed   *time.Time `json:"completed,omitempty"`
	ExitCode    *int       `json:"exit_code,omitempty"` // of the specification
	UserCode    *int       `json:"user_code,omitempty"` // what run returns
	Phrase      string     `json:"phrase,omitempty"`
	Reason      string     `json:"reason,omitempty"`
	Diagnostics string     `json:"diagnostics,omitempty"`
	TaskRoles   []TaskRole `json:"task_roles"`
	// Notes are remarks for people, such as "the supervisor was killed; its
	// tasks were taken over".
	Notes []string `json:"notes,omitempty"`
	// Stalled says, where the command that submitted or deleted the job or its
	// supervisor was killed, which command continues it. Nothing happens before.
	Stalled Stalled `json:"-"`
	// UnreadableFile is the file of a job that is Unreadable.
	UnreadableFile string `json:"-"`
	// UID is that of the Framework; "" when it is gone.
	UID string `json:"-"`
	// Stage is what the job as a whole waits for, such as its next attempt; nil:
	// see the tasks.
	Stage *stage.Record `json:"stage,omitempty"`
	// Sample says of how many tasks the stage was looked at; nil: of all.
	Sample *Sample `json:"stage_sample,omitempty"`
	// UsageUnknown is why it is not known what the tasks use, where that was
	// asked for.
	UsageUnknown string `json:"usage_unknown,omitempty"`
	// Problem says what keeps the job from continuing now. It continues automatically
	// once that is over.
	Problem message.Text `json:"-"`
}

// Sample is a part of the running tasks of a job.
type Sample struct {
	Sampled int `json:"looked"`
	Running int `json:"running"`
}

// TaskRole is the status of a task role.
type TaskRole struct {
	Name  string `json:"name"` // as written
	Tasks []Task `json:"tasks"`
}

// Task is the status of a task, with every attempt that is known.
type Task struct {
	Index    int           `json:"index"`
	State    string        `json:"state"` // WAITING, RUNNING, …
	Attempts []TaskAttempt `json:"attempts"`
}

// TaskAttempt is one try of a task.
type TaskAttempt struct {
	JobAttempt int        `json:"job_attempt"`
	Attempt    int        `json:"attempt"`
	State      string     `json:"state"`
	Started    *time.Time `json:"started,omitempty"`
	Finished   *time.Time `json:"finished,omitempty"`
	Host       string     `json:"host,omitempty"`
	PID        int        `json:"pid,omitempty"`
	Waiting    string     `json:"waiting,omitempty"` // why it does not run yet
	// Stage is what the task does now; nil when it is over or unknown. It is
	// for people: the task itself reported it.
	Stage *stage.Record `json:"stage,omitempty"`
	// Usage is what the task uses now; nil when it was not asked for, or is
	// unknown.
	Usage *Usage `json:"usage,omitempty"`
	// Pod is the name of its Pod on Kubernetes.
	Pod    string           `json:"pod,omitempty"`
	Exit   *exitspec.Record `json:"exit,omitempty"`
	LogDir string           `json:"log_dir,omitempty"`
}

// LogRequest chooses the log of one task.
type LogRequest struct {
	Framework  string
	Role       string // as written or as in the Framework
	Index      int
	JobAttempt int    // -1: the latest
	Attempt    int    // -1: the latest
	Stream     Stream // default StreamAll
	Follow     bool
	TailLines  int // 0: all
	// Since drops lines that were written before; zero: none. Lines whose time is
	// not known stay.
	Since time.Time
	// Stamp puts [logtime.Stamp] before each line.
	Stamp bool
	// Kept is a directory of this machine where the log storage of the cluster
	// is mounted, or empty.
	Kept string
	// Note receives where the log comes from, on clusters that have several
	// places for it; it may be nil.
	Note func(message.Text)
	// Gap receives what of the log could not be read; nil: Note does.
	Gap func(message.Text)
}

// Stream names a log of a task.
type Stream string

// The logs of a task: the runtime's, and the user's as written to stdout,
// stderr, or both in order of arrival.
const (
	StreamAll     Stream = "all"
	StreamStdout  Stream = "stdout"
	StreamStderr  Stream = "stderr"
	StreamRuntime Stream = "runtime"
)

// ErrNotFound says that a cluster knows nothing of a job or task.
var ErrNotFound = errors.New("not found")

// ErrForbidden says that the user may not do what was asked of a cluster.
var ErrForbidden = errors.New("forbidden")

// StorageFixed says that a volume or claim that was created for a storage cannot
// change to what is declared now.
type StorageFixed struct {
	Storage hclspec.Address
	Object  ObjectID
	Err     error // of the cluster
}

func (e *StorageFixed) Error() string {
	return fmt.Sprintf("the %s %s was made under another declaration: %s", e.Object.Kind, e.Object.Name, e.Err)
}

// Unwrap returns the error of the cluster.
func (e *StorageFixed) Unwrap() error { return e.Err }

// Entry returns the entry of the catalog that the error belongs to.
func (e *StorageFixed) Entry() *hclspec.Entry { return hclspec.VolumeFixed }
