// SPDX-License-Identifier: MPL-2.0

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

// RecordVersion is the version of the [Record] format. Increase RecordVersion
// if older versions of openpai must not read the new format.
const RecordVersion = 1

// ErrLaterRecord is the error for a record from a later version of openpai.
var ErrLaterRecord = errors.New("a later version of openpai wrote it; use that version")

// Record contains the applied configuration and the outcome of a job. It is stored
// separately from the job. It does not contain secret values. Every cluster uses this
// format. If only some clusters set a field, its comment states which clusters.
type Record struct {
	// Version is 0 in early records from the local cluster.
	Version        int               `json:"version,omitempty"`
	Address        hclspec.Address   `json:"address"`
	Workspace      string            `json:"workspace"`
	Name           string            `json:"name"`
	User           string            `json:"user"`
	Framework      string            `json:"framework"`
	Hash           string            `json:"hash,omitempty"`
	Fields         map[string]string `json:"fields,omitempty"`
	SecretVersions map[string]string `json:"secret_versions,omitempty"`
	// Applied is the resolved job. On Kubernetes, it is in a separate object.
	Applied *resolve.Job `json:"applied,omitempty"`
	// RoleNames maps the Framework's names for task roles to the declared
	// names. Kubernetes only.
	RoleNames map[string]string `json:"role_names,omitempty"`
	// Objects are the objects that the Framework owns. Kubernetes only.
	Objects []ObjectID `json:"objects,omitempty"`
	// Logs is the location of the logs of finished tasks, or nil if the logs
	// are deleted with the Pod. Kubernetes only.
	Logs *LogPlace `json:"logs,omitempty"`
	// PriorityClass is the name of the job's own PriorityClass, or "" for
	// none.
	PriorityClass string    `json:"priority_class,omitempty"`
	Created       time.Time `json:"created"`
	// Declaration is stored for import; see [Submission]. On Kubernetes, it is
	// compressed and stored under a separate key.
	Declaration []byte `json:"declaration,omitempty"`
	// DeclaredBy is the front end that declares the job. It is "" in early
	// records.
	DeclaredBy planner.Declarer `json:"declared_by,omitempty"`
	// Run is the run number in the workspace's history, or 0 without a history.
	// RepeatOf is the number of the run that this run repeats.
	Run      int `json:"run,omitempty"`
	RepeatOf int `json:"repeat_of,omitempty"`
	// Creating is true until the caller's state contains the job. On
	// Kubernetes, an annotation of the record stores Creating.
	Creating bool `json:"creating,omitempty"`

	// Seen is the time at which the job was last read from Kubernetes.
	Seen *time.Time `json:"seen,omitempty"`
	// The outcome, if known. On Kubernetes, State is the last observed state.
	State     planner.JobState `json:"state,omitempty"`
	ExitCode  *int             `json:"exit_code,omitempty"`
	Completed *time.Time       `json:"completed,omitempty"`
	// Attempts contains the latest ended task attempts that the engine no
	// longer lists, oldest first. Kubernetes only.
	Attempts []EndedAttempt `json:"attempts,omitempty"`
}

// EndedAttempt is the part of the record that describes one ended task
// attempt.
type EndedAttempt struct {
	Role       string           `json:"role"` // name in the Framework
	Index      int              `json:"index"`
	JobAttempt int              `json:"job_attempt"`
	Attempt    int              `json:"attempt"`
	Host       string           `json:"host,omitempty"`
	Exit       *exitspec.Record `json:"exit"`
}

// ObjectID identifies an object in a job's namespace.
type ObjectID struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
}

func (o ObjectID) String() string { return o.Kind + " " + o.Name }

// LogPlace is a directory for a job's logs, on a storage or on the nodes. It
// contains one subdirectory per task role.
type LogPlace struct {
	Storage string `json:"storage,omitempty"` // "": on the nodes themselves
	// Root is the target of the storage, for messages.
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

// NewRecord returns the record for a submission. It sets only the fields that
// every cluster stores.
func NewRecord(s Submission, created time.Time) Record {
	return Record{
		Version: RecordVersion, Address: s.Job.Address, Workspace: s.Job.Workspace, Name: s.Job.Name, User: s.Job.User,
		Framework: s.Job.Framework, Hash: s.Hash, Fields: s.Fields, SecretVersions: s.SecretVersions, Created: created,
		DeclaredBy: s.DeclaredBy, Creating: s.Creating, RepeatOf: s.RepeatOf,
	}
}

// Declarer returns the front end that declares the job, or "" if unknown. If a
// record has a declaration but no front end, Terraform stored the declaration.
func (r *Record) Declarer(declaration []byte) planner.Declarer {
	if r.DeclaredBy == "" && len(declaration) > 0 {
		return planner.DeclaredByTerraform
	}
	return r.DeclaredBy
}

// DecodeRecord decodes a record of this version or an older version.
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

// BelongsTo reports whether the record belongs to a job.
func (r *Record) BelongsTo(job *resolve.Job) bool {
	return r.Workspace == job.Workspace && r.Address == job.Address
}

// KeepOutcome copies the run and the outcome from an older record of the job.
func (r *Record) KeepOutcome(before *Record) {
	r.Run, r.RepeatOf = before.Run, before.RepeatOf
	r.Created, r.State, r.ExitCode, r.Completed = before.Created, before.State, before.ExitCode, before.Completed
	r.Attempts = before.Attempts
}

// ForgetOutcome removes the outcome: a job in deletion must not be listed as
// finished.
func (r *Record) ForgetOutcome() { r.State, r.ExitCode, r.Completed = "", nil, nil }

// WrittenName returns the declared name of a task role.
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
