package cluster

import (
	"context"
	"errors"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// The optional abilities of a cluster. A caller asks for one with a type
// assertion; [EventSource], [Executor] and [SSHCluster] are others.

// Guarded is a cluster that may be unsafe to write to.
type Guarded interface {
	// Guard returns errors when a job that is applied there would not last.
	// sources gives them their places and may be nil.
	Guard(ctx context.Context, sources hclspec.SourceMap) (hcl.Diagnostics, error)
}

// Adopter is a cluster where other workspaces and programs create jobs too.
type Adopter interface {
	// Holder returns who owns a Framework; ErrNotFound when there is none.
	Holder(ctx context.Context, framework string) (*Holder, error)
	// Adopt makes the Framework of a job one of the job's workspace, declared by
	// a front end. Running tasks do not change.
	// run is its number in the history; 0: none is kept.
	Adopt(ctx context.Context, job *resolve.Job, by planner.Declarer, run int) error
}

// Holder is the owner of a Framework.
type Holder struct {
	// Workspace and Address name the job of a workspace; empty when another
	// program created it.
	Workspace string
	Address   hclspec.Address
	// DeclaredBy is the front end that declares the job; "" when unknown.
	DeclaredBy planner.Declarer
	// Description names the owner for people.
	Description string
}

// Namespacer is a cluster whose jobs are in a namespace.
type Namespacer interface {
	// Namespace returns it without asking the cluster.
	Namespace() (string, error)
}

// Addressed is a cluster behind a server.
type Addressed interface {
	// Server returns the URL of the server without asking it.
	Server() (string, error)
}

// Finder is a cluster that can read one job without reading all of a
// workspace. Find never writes; it returns nil when there is neither the
// Framework nor a record of it.
type Finder interface {
	Find(ctx context.Context, framework string) (*planner.LiveJob, error)
}

// Deleter is a cluster that can delete a job as it was read just before.
type Deleter interface {
	// FindToDelete is Find for a caller that deletes the job next: Delete uses what
	// was read. The job has no Applied. The caller holds the lock of the workspace.
	FindToDelete(ctx context.Context, framework string) (*planner.LiveJob, error)
}

// PermissionReviewer is a cluster that knows what its user may do there.
type PermissionReviewer interface {
	// MissingPermissions returns what creating a job needs and the user may not
	// do, such as "create roles", sorted. It is empty when the cluster does not
	// know. A caller with many jobs makes the cluster ask once.
	MissingPermissions(ctx context.Context, s Submission) ([]string, error)
}

// NameLister is a cluster that can list the names of all Frameworks and
// records, those of other workspaces included, for less than a Find for each.
type NameLister interface {
	UsedNames(ctx context.Context) (map[string]bool, error)
}

// UsageReader is a cluster that knows what the unfinished jobs of other
// workspaces and programs use of virtual clusters, as far as it can see them: GPUs
// only.
type UsageReader interface {
	OthersUse(ctx context.Context, workspace string, virtualClusters []string) (map[string]planner.Usage, error)
}

// DownloadHolder is a cluster that keeps downloads for all its tasks, where they
// can be seen. Downloaded returns the size in bytes of what it has.
type DownloadHolder interface {
	Downloaded(f *resolve.Fetch) (size int64, ok bool)
}

// Checker is a cluster that can find what it lacks to run jobs.
type Checker interface {
	// Check returns the outcome of each check, in a fixed order. It writes
	// nothing.
	Check(ctx context.Context, ws *hclspec.Workspace, jobs []*resolve.Job) ([]CheckResult, error)
}

// Cleaner is a cluster that keeps objects which belong to no job. CleanUp removes
// them once no job of the workspace is left, by its records. Storages that are
// declared to go are removed for the command line only: a state has its own.
// The caller holds the lock of the workspace alone.
type Cleaner interface {
	CleanUp(ctx context.Context, by planner.Declarer) error
}

// Locker is a cluster that can keep other processes from changing the jobs of
// the workspace until release is called.
type Locker interface {
	Lock(ctx context.Context) (release func(), err error)
}

// Repairer is a cluster that keeps its state in files. Repair ends jobs of the
// workspace of which a file cannot be read, and puts their files aside.
type Repairer interface {
	Repair(ctx context.Context, workspace string) ([]Repaired, error)
}

// Repaired is something that was put aside.
type Repaired struct {
	What       string // the address of a job, or a description of anything else
	Unreadable string // the file that could not be read
	Aside      string // the directory where its files are
}

// SecretSource is a cluster that holds values of secrets itself, for secret
// blocks that name a Secret of the cluster.
type SecretSource interface {
	SecretValue(ctx context.Context, name, key string) (string, error)
}

// StorageKeeper is a cluster that keeps its own storages: volumes and claims.
type StorageKeeper interface {
	// MakeStorage creates the volume and the claim of a storage; a StorageFixed
	// says that they exist with another declaration.
	MakeStorage(ctx context.Context, s *hclspec.Storage) error
	// HasStorage reports whether the claim of a storage exists and stays.
	HasStorage(ctx context.Context, s *hclspec.Storage) (bool, error)
	RemoveStorage(ctx context.Context, s *hclspec.Storage) error
}

// Result is the outcome of one check.
type Result string

// The results. Only Missing keeps jobs from running.
const (
	ResultOK      Result = "ok"
	ResultWarning Result = "warning"
	ResultMissing Result = "missing"
	ResultUnknown Result = "unknown" // it could not be found out, mostly for want of permission
)

// CheckResult is what one check of a cluster found.
type CheckResult struct {
	Check  string
	Result Result
	Found  string
	// Advice is what to do; empty when nothing is.
	Advice message.Text
}

// ErrBeingCreated says that another process creates a job and has not finished
// yet.
var ErrBeingCreated = errors.New("another process is creating it")

// Creator is a cluster that remembers which jobs were submitted for a caller
// that does not have them yet, see [Submission.Creating]. A caller that keeps a
// separate state may be killed before it wrote that: the mark distinguishes its next
// try from a second owner.
type Creator interface {
	// HoldCreation keeps other processes from continuing the creation of a job
	// until release is called or this process ends. It fails with
	// ErrBeingCreated while another process holds it.
	HoldCreation(ctx context.Context, framework string) (release func(), err error)
	// FinishCreation removes the mark and returns the job; nil when there is
	// none. Its Applied may be nil: the caller has it. waited says that the job is
	// read again, as time has passed since its creation.
	FinishCreation(ctx context.Context, framework string, waited bool) (*planner.LiveJob, error)
}

// EventSource is a cluster that keeps events of its objects for a while.
type EventSource interface {
	// Events returns what is kept of a job and its tasks, oldest first.
	Events(ctx context.Context, framework string) ([]Event, error)
}

// Event is something that happened to a job or one of its tasks.
type Event struct {
	Last    time.Time `json:"last"`
	Count   int       `json:"count"`
	Type    string    `json:"type"` // Normal or Warning
	Object  string    `json:"object"`
	Reason  string    `json:"reason"`
	Message string    `json:"message"`
}

// StorageOwner is a cluster that remembers which of its storages a caller with a
// state has. A storage that nobody has, since a job created it or its owner kept
// it, may be taken.
type StorageOwner interface {
	// CreateStorage makes a storage the caller's and creates what it is; created
	// is false for a directory that existed. It fails with ErrStorageTaken when
	// the storage has an owner. The caller holds the lock of the workspace.
	CreateStorage(ctx context.Context, s *hclspec.Storage) (created bool, err error)
	// ReleaseStorage gives a storage up and keeps it.
	ReleaseStorage(ctx context.Context, s *hclspec.Storage) error
	// RemoveStorage gives a storage up and deletes it.
	RemoveStorage(ctx context.Context, s *hclspec.Storage) error
}

// ErrStorageTaken says that a storage has an owner already.
var ErrStorageTaken = errors.New("it has an owner")

// ErrLocked says that another process changes the jobs of the workspace.
var ErrLocked = errors.New("another process is changing the jobs of the workspace")
