// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"context"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Live reads the live state of a cluster. It never writes.
type Live interface {
	// Read returns all jobs of the workspace, and other jobs with the given
	// Framework names.
	Read(ctx context.Context, workspace string, frameworks []string) (*Snapshot, error)
}

// Snapshot is the state of a cluster at one point in time.
type Snapshot struct {
	Jobs []*LiveJob // sorted by address
	// SecretKey is the workspace key for secret versions; nil if the key does
	// not exist yet.
	SecretKey []byte
	// UnreadableKey is the file of the secret key if the file exists but
	// cannot be read, otherwise "". If UnreadableKey is set, plans do not
	// compare secret versions.
	UnreadableKey string
	// Others contains the GPU usage of unfinished jobs in other workspaces,
	// by virtual cluster. It contains only virtual clusters with a quota; nil
	// if not requested.
	Others map[string]OthersUse
	// Permissions defines who may use which storage; nil if the cluster has no
	// permission table.
	Permissions *StoragePermissions
}

// LiveJob is a job that exists or has a record.
type LiveJob struct {
	Address   hclspec.Address
	Workspace string
	User      string
	Framework string
	// UID is the UID of the Framework; "" if only the record remains.
	UID string
	// Declaration is the data that the front end recorded, or nil. See
	// cluster.Submission.
	Declaration []byte
	// Owner describes the program that created the job; "" for the CLI and
	// the provider.
	Owner string
	State JobState
	// Present is false if only the record remains. In that case, State is the
	// last known state. StateUnknown then means that the job ended, but its
	// outcome is no longer retained.
	Present bool
	// Unreadable is set if a file of the job cannot be read.
	Unreadable *Unreadable
	// Unstarted is set if apply created the job but was interrupted before it
	// started the job.
	Unstarted bool
	// DeclaredBy is the front end that declares the job; "" if the record does not
	// contain one.
	DeclaredBy Declarer
	// Creating is set until the caller that created the job has recorded the
	// job; see cluster.Creator.
	Creating bool

	// Hash is the content hash of the applied job; Fields contains one hash
	// per path.
	Hash   string
	Fields map[string]string
	// Applied is the resolved job that was applied, or nil if it is no longer
	// available.
	Applied *resolve.Job
	// SecretVersions contains the applied version of each secret, by name.
	SecretVersions map[string]string

	// Drift lists the differences between the applied objects and the objects on
	// the cluster. Other programs caused these differences.
	Drift []Drift

	// RunningTasks is the number of running tasks.
	RunningTasks int
	// Run is the number of the run in the history; 0 without a history. RepeatOf is
	// the number of the run that this run repeats, or 0. If RepeatOf is not 0, the
	// content comes from the record of the repeated run, not from the files.
	Run, RepeatOf int
	ExitCode      *int // exit code of a finished job's commands, for openpai run
}

// Vanished reports whether the Framework was deleted before the job ended.
func (j *LiveJob) Vanished() bool {
	return !j.Present && !j.State.Finished() && j.State != StateUnknown
}

// Job returns the job with the given Framework, or nil.
func (s *Snapshot) Job(framework string) *LiveJob {
	for _, j := range s.Jobs {
		if j.Framework == framework {
			return j
		}
	}
	return nil
}

// Unreadable identifies a job file that cannot be read.
type Unreadable struct {
	File string
	// Unknown is set if the owner of the job is unknown. In that case, the
	// Address and Workspace of the job are placeholders.
	Unknown bool
}
