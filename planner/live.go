package planner

import (
	"context"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Live reads what a cluster has. It never writes.
type Live interface {
	// Read returns every job of the workspace, and every other job whose
	// Framework has one of the given names.
	Read(ctx context.Context, workspace string, frameworks []string) (*Snapshot, error)
}

// Snapshot is what a cluster has, at one moment.
type Snapshot struct {
	Jobs []*LiveJob // sorted by address
	// SecretKey is the workspace's key for versions of secrets; nil when none
	// was made yet.
	SecretKey []byte
	// UnreadableKey is the file of a key that exists and cannot be read, else "".
	// Versions are not compared then.
	UnreadableKey string
	// Others is what the unfinished jobs of other workspaces use of virtual
	// clusters with a quota, GPUs only; nil where nobody asked.
	Others map[string]Usage
	// Permissions says who may use which storage; nil when the cluster has no
	// such table.
	Permissions *StoragePermissions
}

// LiveJob is a job that exists, or whose record does.
type LiveJob struct {
	Address   hclspec.Address
	Workspace string
	User      string
	Framework string
	// UID is that of the Framework; "" when only the record is left.
	UID string
	// Declaration is what the front end wrote for the record, see
	// cluster.Submission; nil when nothing was kept.
	Declaration []byte
	// Owner describes who made it when it was not this tool, else "".
	Owner string
	State JobState
	// Present is false when only the record is left. State is then the last
	// one seen; StateUnknown says that the job ended with an outcome that
	// nobody saw (its retention time is over).
	Present bool
	// Unreadable is set for a job of which a file cannot be read.
	Unreadable *Unreadable
	// Unstarted says that an apply was interrupted before it started the job.
	Unstarted bool
	// DeclaredBy is the front end that declares the job; "" when no record
	// says so.
	DeclaredBy Declarer
	// Creating says that the caller that created the job does not have it yet,
	// see cluster.Creator.
	Creating bool

	// Hash is the content hash that was applied, Fields one hash per path.
	Hash   string
	Fields map[string]string
	// Applied is the resolved job as applied, when it is still known.
	Applied *resolve.Job
	// SecretVersions holds the applied version of each secret by name.
	SecretVersions map[string]string

	// Drift lists what was changed behind our back: the cluster has something
	// else than what was sent.
	Drift []Drift

	// RunningTasks is the number of tasks that run now.
	RunningTasks int
	// Run is the number of the run in the history; 0 where none is kept.
	// RepeatOf is the run that it repeats: it was not submitted from the files.
	Run, RepeatOf int
	ExitCode      *int // of a finished job: the user's code, as run returns it
}

// Vanished reports whether the job vanished before it ended.
func (j *LiveJob) Vanished() bool {
	return !j.Present && !j.State.Finished() && j.State != StateUnknown
}

// Job returns the job that has a Framework; nil when there is none.
func (s *Snapshot) Job(framework string) *LiveJob {
	for _, j := range s.Jobs {
		if j.Framework == framework {
			return j
		}
	}
	return nil
}

// Unreadable says what of a job cannot be read.
type Unreadable struct {
	File string
	// Unknown is set when nothing shows whose job it is: Address and Workspace
	// are made up.
	Unknown bool
}
