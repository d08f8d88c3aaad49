// SPDX-License-Identifier: MPL-2.0

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

// The optional interfaces of a cluster. Callers use a type assertion to check
// for an interface. [EventSource], [Executor] and [SSHCluster] are also
// optional.

// Guarded is a cluster on which another program may delete jobs.
type Guarded interface {
	// Guard returns errors if another program would delete applied jobs.
	// sources provides the source ranges of the errors, and may be nil.
	Guard(ctx context.Context, sources hclspec.SourceMap) (hcl.Diagnostics, error)
}

// Adopter is a cluster on which other workspaces and programs can also create jobs.
type Adopter interface {
	// Holder returns the owner of a Framework. It fails with ErrNotFound if the
	// Framework does not exist.
	Holder(ctx context.Context, framework string) (*Holder, error)
	// Adopt transfers a Framework to the workspace of the job. It also records
	// the declaring front end. Adopt does not change running tasks. run is the
	// run number in the history, or 0 without a history.
	Adopt(ctx context.Context, job *resolve.Job, by planner.Declarer, run int) error
}

// Holder is the owner of a Framework.
type Holder struct {
	// Workspace and Address identify the job in a workspace. They are empty if
	// another program created the job.
	Workspace string
	Address   hclspec.Address
	// DeclaredBy is the front end that declares the job, or "" if unknown.
	DeclaredBy planner.Declarer
	// Description describes the owner for messages.
	Description string
}

// Namespacer is a cluster whose jobs are in a namespace.
type Namespacer interface {
	// Namespace returns the namespace without sending a request.
	Namespace() (string, error)
}

// Addressed is a cluster that clients reach through a server.
type Addressed interface {
	// Server returns the URL of the server without sending a request.
	Server() (string, error)
}

// Finder is a cluster that can read one job without the whole workspace. Find
// returns nil if neither the Framework nor its record exists. Find does not
// write anything.
type Finder interface {
	Find(ctx context.Context, framework string) (*planner.LiveJob, error)
}

// JobLister is a cluster that lists the jobs of a workspace with fewer
// requests than Read. Jobs does not write anything and does not set Drift.
type JobLister interface {
	Jobs(ctx context.Context, workspace string) ([]*planner.LiveJob, error)
}

// WorkspaceLister is a cluster whose directory can contain jobs of several workspaces.
type WorkspaceLister interface {
	// TerraformWorkspaces returns the sorted names of the workspaces whose jobs
	// Terraform declares. It omits jobs whose record cannot be read.
	TerraformWorkspaces() []string
}

// WorkspaceFinder is a cluster that can contain jobs from workspaces of other
// users.
type WorkspaceFinder interface {
	// Workspaces returns the sorted names of workspaces with jobs. It may omit some
	// workspaces of a large cluster.
	Workspaces(ctx context.Context) ([]string, error)
}

// StatusLister is a cluster that reads several job statuses with fewer requests
// than separate Status calls.
type StatusLister interface {
	// ListStatuses reads the given jobs once. The returned function returns the
	// status from this read.
	ListStatuses(ctx context.Context, frameworks []string) (StatusFunc, error)
}

// StatusFunc returns the status of a job, like [Cluster.Status].
type StatusFunc func(ctx context.Context, framework string) (*Status, error)

// Deleter is a cluster that can delete a job without a second read.
type Deleter interface {
	// FindToDelete is like Find, but the next Delete of the job uses the result.
	// The result's Applied field is nil. The caller must hold the workspace
	// lock.
	FindToDelete(ctx context.Context, framework string) (*planner.LiveJob, error)
}

// PermissionReviewer is a cluster that can check the permissions of its user.
type PermissionReviewer interface {
	// MissingPermissions returns the missing permissions to create a job, such
	// as "create roles", sorted. The result is empty if the permissions are
	// unknown. The cluster reads the permissions once, even for many jobs.
	MissingPermissions(ctx context.Context, s Submission) ([]string, error)
}

// NameLister is a cluster that lists all Framework and record names with
// fewer requests than one Find per name.
type NameLister interface {
	UsedNames(ctx context.Context) (map[string]bool, error)
}

// UsageReader is a cluster that can read the GPU use of other workspaces and
// programs per virtual cluster. OthersUse includes only the unfinished jobs
// that the user may read.
type UsageReader interface {
	OthersUse(ctx context.Context, workspace string, virtualClusters []string) (map[string]planner.OthersUse, error)
}

// DownloadHolder is a cluster with local tasks that share a download cache.
// Downloaded returns the size, in bytes, of a cached download or a local file. The
// size is 0 if it is unknown. ok reports whether a task can use the cached data
// without downloading it again.
type DownloadHolder interface {
	Downloaded(f *resolve.Fetch) (size int64, ok bool)
}

// Checker is a cluster that can check whether it can run jobs.
type Checker interface {
	// Check returns the result of each check, in a fixed order. It does not
	// write anything.
	Check(ctx context.Context, ws *hclspec.Workspace, jobs []*resolve.Job) ([]CheckResult, error)
}

// Cleaner is a cluster with objects that do not belong to a job. CleanUp removes
// these objects if the workspace does not have any job records. It also deletes
// storages with on_destroy = "delete", except for Terraform, which manages
// storages in its state. The caller must hold the workspace lock.
type Cleaner interface {
	CleanUp(ctx context.Context, by planner.Declarer) error
}

// Locker is a cluster with a lock. Until release, other processes cannot
// change the jobs of the workspace.
type Locker interface {
	Lock(ctx context.Context) (release func(), err error)
}

// Repairer is a cluster that keeps its state in files. Repair ends jobs with
// unreadable files and moves the files to another directory.
type Repairer interface {
	Repair(ctx context.Context, workspace string) ([]Repaired, error)
}

// Repaired is an item whose files Repair moved to another directory.
type Repaired struct {
	What       string // address of a job, or a description of another item
	Unreadable string // file that could not be read
	Aside      string // directory with its files
}

// SecretSource is a cluster with Secrets from which secret blocks can read
// values.
type SecretSource interface {
	// SecretValue returns a value. It fails with ErrNotFound for a missing Secret
	// or key. It fails with ErrForbidden if the user may not read the Secret.
	SecretValue(ctx context.Context, name, key string) (string, error)
	// HasSecret reports whether a Secret exists in a namespace; "" means the
	// cluster's namespace. It does not check other namespaces and returns true for
	// their Secrets.
	HasSecret(ctx context.Context, namespace, name string) (bool, error)
}

// StorageKeeper is a cluster that manages the volumes and claims of storages.
type StorageKeeper interface {
	// MakeStorage creates the volume and the claim of a storage. It returns a
	// StorageFixed if an existing volume or claim has a different
	// declaration.
	MakeStorage(ctx context.Context, s *hclspec.Storage) error
	// HasStorage reports whether the claim of a storage exists and is not being
	// deleted.
	HasStorage(ctx context.Context, s *hclspec.Storage) (bool, error)
	RemoveStorage(ctx context.Context, s *hclspec.Storage) error
}

// Result is the outcome of one check.
type Result string

// The results. Only ResultMissing prevents jobs from running.
const (
	ResultOK      Result = "ok"
	ResultWarning Result = "warning"
	ResultMissing Result = "missing"
	ResultUnknown Result = "unknown" // unknown, usually because of missing permissions
)

// CheckResult is the result of one check of a cluster.
type CheckResult struct {
	Check  string
	Result Result
	Found  string
	// Advice describes how to fix the problem. It is empty if there is no problem.
	Advice message.Text
}

// ErrBeingCreated is returned while another process is still creating a job.
var ErrBeingCreated = errors.New("another process is creating the job")

// Creator is a cluster that marks a job until the caller's state contains the job;
// see [Submission.Creating]. The mark allows the caller to resume the creation if
// the caller was killed before it wrote its state.
type Creator interface {
	// HoldCreation prevents other processes from resuming the creation of a
	// job. The hold ends when release is called or this process ends.
	// HoldCreation fails with ErrBeingCreated while another process holds the
	// creation.
	HoldCreation(ctx context.Context, framework string) (release func(), err error)
	// FinishCreation removes the mark and returns the job, or nil for a missing job.
	// The job's Applied may be nil, because the caller already has it. waited is true
	// after the caller has waited for a state of the job. FinishCreation then reads the
	// job again.
	FinishCreation(ctx context.Context, framework string, waited bool) (*planner.LiveJob, error)
}

// EventSource is a cluster that stores events for a limited time.
type EventSource interface {
	// Events returns the events of a job and its tasks, oldest first.
	Events(ctx context.Context, framework string) ([]Event, error)
}

// Event is an event of a job or one of its tasks.
type Event struct {
	Last    time.Time `json:"last"`
	Count   int       `json:"count"`
	Type    string    `json:"type"` // Normal or Warning
	Object  string    `json:"object"`
	Reason  string    `json:"reason"`
	Message string    `json:"message"`
}

// StorageOwner is a cluster that records the owners of storages. An owner is a
// caller with a separate state, such as the Terraform provider. A storage has
// no owner if a job created the storage or the owner released the storage. Any
// caller can then become the owner.
type StorageOwner interface {
	// CreateStorage creates a storage and makes the caller its owner. created is
	// false if the directory already existed. CreateStorage fails with
	// ErrStorageTaken if the storage has an owner. The caller must hold the
	// workspace lock.
	CreateStorage(ctx context.Context, s *hclspec.Storage) (created bool, err error)
	// HasOwner reports whether a storage has an owner. The result is intended
	// for plans and may be outdated, so CreateStorage checks again.
	HasOwner(ctx context.Context, s *hclspec.Storage) (bool, error)
	// IsOwned reports whether a storage currently has an owner. The caller
	// must hold the workspace lock.
	IsOwned(ctx context.Context, s *hclspec.Storage) (bool, error)
	// ReleaseStorage removes the owner of a storage and keeps the storage.
	ReleaseStorage(ctx context.Context, s *hclspec.Storage) error
	// RemoveStorage removes the owner of a storage and deletes the storage.
	RemoveStorage(ctx context.Context, s *hclspec.Storage) error
}

// ErrStorageTaken is returned if a storage already has an owner.
var ErrStorageTaken = errors.New("the storage already has an owner")

// ErrLocked is returned while another process is changing the jobs of the
// workspace.
var ErrLocked = errors.New("another process is changing the jobs of the workspace")
