package cluster

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// RecordVersion is the version of the format of [Record]. It is raised when an
// older program must not read what a newer one wrote.
const RecordVersion = 1

// ErrLaterRecord says that a later version of the program wrote a record.
var ErrLaterRecord = errors.New("a later version of openpai wrote it; use that one")

// Record is what a cluster remembers of a job, beside the job: what was applied
// and what came of it. It holds no secret value. Every cluster keeps this
// format; a field that only some fill says so.
type Record struct {
	// Version is 0 in records that the local cluster wrote before it had one.
	Version        int               `json:"version,omitempty"`
	Address        hclspec.Address   `json:"address"`
	Workspace      string            `json:"workspace"`
	Name           string            `json:"name"`
	User           string            `json:"user"`
	Framework      string            `json:"framework"`
	Hash           string            `json:"hash,omitempty"`
	Fields         map[string]string `json:"fields,omitempty"`
	SecretVersions map[string]string `json:"secret_versions,omitempty"`
	// Applied is the resolved job; on Kubernetes it has its own object.
	Applied *resolve.Job `json:"applied,omitempty"`
	// RoleNames are the names of the task roles as written, by those in the
	// Framework; Kubernetes.
	RoleNames map[string]string `json:"role_names,omitempty"`
	// Objects are those that the Framework owns; Kubernetes.
	Objects []ObjectID `json:"objects,omitempty"`
	// Logs is where the logs of finished tasks are kept; nil: they go with the
	// Pod. Kubernetes.
	Logs *LogPlace `json:"logs,omitempty"`
	// PriorityClass is the name of the job's own one; empty: it has none.
	PriorityClass string    `json:"priority_class,omitempty"`
	Created       time.Time `json:"created"`
	// Declaration is kept for import, see [Submission]; on Kubernetes it is
	// compressed beside the record.
	Declaration []byte `json:"declaration,omitempty"`
	// DeclaredBy is the front end that declares the job; "" in older records.
	DeclaredBy planner.Declarer `json:"declared_by,omitempty"`
	// Run is the number of the run in the history of the workspace; 0 where none
	// is kept. RepeatOf is the run that it repeats.
	Run      int `json:"run,omitempty"`
	RepeatOf int `json:"repeat_of,omitempty"`
	// Creating says that the caller that submitted the job does not have it yet;
	// on Kubernetes it is an annotation of the record.
	Creating bool `json:"creating,omitempty"`

	// Seen is when Kubernetes was asked last.
	Seen *time.Time `json:"seen,omitempty"`
	// The outcome, once there is one; on Kubernetes State is the last one seen.
	State     planner.JobState `json:"state,omitempty"`
	ExitCode  *int             `json:"exit_code,omitempty"`
	Completed *time.Time       `json:"completed,omitempty"`
	// Attempts are the latest attempts of tasks that were seen to end and that
	// the engine has forgotten, the oldest first; Kubernetes.
	Attempts []EndedAttempt `json:"attempts,omitempty"`
}

// EndedAttempt is what a record keeps of an attempt of a task.
type EndedAttempt struct {
	Role       string           `json:"role"` // in the Framework
	Index      int              `json:"index"`
	JobAttempt int              `json:"job_attempt"`
	Attempt    int              `json:"attempt"`
	Host       string           `json:"host,omitempty"`
	Exit       *exitspec.Record `json:"exit"`
}

// ObjectID names an object of the namespace of a job.
type ObjectID struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
}

func (o ObjectID) String() string { return o.Kind + " " + o.Name }

// LogPlace is a storage that keeps logs, and the directory in it that has one
// directory per task role.
type LogPlace struct {
	Storage string `json:"storage,omitempty"` // empty: the nodes themselves
	// Root is what the storage leads to, for people.
	Root string `json:"root,omitempty"`
	Path string `json:"path"`
}

func (p *LogPlace) String() string {
	switch {
	case p.Storage == "":
		return fmt.Sprintf("%s in %s", p.Path, p.Root)
	case p.Root == "":
		return fmt.Sprintf("%s on the storage %q", p.Path, p.Storage)
	}
	return fmt.Sprintf("%s on the storage %q (%s)", p.Path, p.Storage, p.Root)
}

// NewRecord returns the record of a submission, with what every cluster keeps.
func NewRecord(s Submission, created time.Time) Record {
	return Record{
		Version: RecordVersion, Address: s.Job.Address, Workspace: s.Job.Workspace, Name: s.Job.Name, User: s.Job.User,
		Framework: s.Job.Framework, Hash: s.Hash, Fields: s.Fields, SecretVersions: s.SecretVersions, Created: created,
		DeclaredBy: s.DeclaredBy, Creating: s.Creating, RepeatOf: s.RepeatOf,
	}
}

// Declarer returns the front end that declares the job; "" when the record does
// not say so. Only Terraform kept declarations before records said it.
func (r *Record) Declarer(declaration []byte) planner.Declarer {
	if r.DeclaredBy == "" && len(declaration) > 0 {
		return planner.DeclaredByTerraform
	}
	return r.DeclaredBy
}

// DecodeRecord reads a record of this version or an older one.
func DecodeRecord(text []byte) (*Record, error) {
	r := &Record{}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, err
	}
	if r.Version > RecordVersion {
		return nil, ErrLaterRecord
	}
	return r, nil
}

// BelongsTo reports whether the record is that of a job.
func (r *Record) BelongsTo(job *resolve.Job) bool {
	return r.Workspace == job.Workspace && r.Address == job.Address
}

// KeepOutcome takes over from an older record of the job which run it is and
// what came of it.
func (r *Record) KeepOutcome(before *Record) {
	r.Run, r.RepeatOf = before.Run, before.RepeatOf
	r.Created, r.State, r.ExitCode, r.Completed = before.Created, before.State, before.ExitCode, before.Completed
	r.Attempts = before.Attempts
}

// ForgetOutcome makes a job whose deletion began one that is not finished.
func (r *Record) ForgetOutcome() { r.State, r.ExitCode, r.Completed = "", nil, nil }

// WrittenName returns the name of a task role as the user wrote it.
func (r *Record) WrittenName(role string) string {
	if r == nil {
		return role
	}
	if name, ok := r.RoleNames[role]; ok {
		return name
	}
	if r.Applied != nil {
		for _, written := range r.Applied.TaskRoles {
			if written.FrameworkName == role {
				return written.Name
			}
		}
	}
	return role
}
