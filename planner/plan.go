package planner

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/render"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Plan is what apply would do. It holds no secret value. Same input, same
// plan.
type Plan struct {
	Workspace string
	// Offline says that the live state is unknown; such a plan cannot be
	// applied.
	Offline bool
	// Targets limits the plan to these addresses; empty: everything.
	Targets []hclspec.Address
	Changes []*Change // in order of declaration, deletions last
	// Sums are what the jobs use, by cluster, virtual cluster and SKU.
	Sums []Sum
	// Inputs are the data and images of the jobs that start.
	Inputs Inputs
	// Quotas are the virtual clusters with a quota, and what is used of them.
	Quotas []QuotaUse
	// Policies are what policies found, in their order.
	Policies []PolicyResult
	// Declarer is the front end that declares the jobs. Elsewhere are the other
	// jobs of the workspace, sorted, which another front end declares and which
	// the plan leaves alone.
	Declarer  Declarer
	Elsewhere []hclspec.Address
	// Others are the other changes of a plan that another program made; nil for
	// a plan of this one.
	Others *OtherChanges
	// Diagnostics are errors and warnings of planning; a plan with an error cannot
	// be applied.
	Diagnostics hcl.Diagnostics
}

// Empty reports whether apply would write nothing.
func (p *Plan) Empty() bool {
	for _, c := range p.Changes {
		if c.Action != NoOp {
			return false
		}
	}
	return true
}

// Action is what apply does with one job.
type Action string

// The actions.
const (
	NoOp    Action = "no-op"
	Create  Action = "create"
	Update  Action = "update"
	Replace Action = "replace"
	Delete  Action = "delete"
)

// Change is what happens to one job.
type Change struct {
	Address hclspec.Address
	Cluster string
	// Framework is the metadata.name after the change: that of the live job
	// when it is kept.
	Framework string
	// Replaced is the metadata.name that is deleted: set for Delete and Replace,
	// and for the Create of a job that vanished under another name, whose record
	// is left. It differs from Framework when the job was renamed.
	Replaced string
	// MovedFrom is the address that the live job still carries, or "".
	MovedFrom hclspec.Address
	Action    Action
	Reason    Reason
	// Impact is the running work that is lost or restarted.
	Impact Impact
	// Outdated marks a finished job whose declaration changed since; it is
	// not run again automatically.
	Outdated bool
	// State is the live state, or StateAbsent.
	State JobState

	Fields  []FieldChange
	Secrets []SecretChange
	// Drift lists what somebody else changed since it was applied. It is put
	// back by an update; a replacement makes it void.
	Drift []Drift

	// Job is what is wanted, nil for Delete.
	Job *resolve.Job
	// Manifest is what apply sends: the job as rendered for its cluster. nil
	// when nothing is sent, and where nothing was rendered.
	Manifest *render.Manifest
	// Objects lists what is sent for a job that is created or replaced.
	Objects []Object
}

// FieldChange is one field that differs.
type FieldChange struct {
	// Path is relative to the job: task_role["worker"].commands[0]. Elements
	// of lists are aligned: one that goes is named by its place in the list as
	// applied, every other by its place in the list as wanted.
	Path hclspec.Path
	// Before and After are canonical JSON values; nil means absent. Known is
	// false for a side of which only a hash was kept.
	Before, After           any
	BeforeKnown, AfterKnown bool
	Effect                  hclspec.Effect
	// Cause is the address of a prerequisite, storage or cluster that the field comes
	// from, which other jobs may share; "" for a field of the job itself.
	Cause hclspec.Address
}

// SecretChange reports whether a secret's value differs from the applied one.
type SecretChange struct {
	Name  string
	State SecretState
	// Version is that of the value at plan, or the applied one when it was not
	// checked. It says nothing about the value.
	Version string
}

// SecretState says what is known of a secret's value.
type SecretState string

// The states of a secret.
const (
	SecretUnchanged  SecretState = "unchanged"
	SecretChanged    SecretState = "changed"
	SecretNew        SecretState = "new"
	SecretNotChecked SecretState = "not checked"
)

// JobState is the state of a job in OpenPAI's words.
type JobState string

// The states of a job.
const (
	StateAbsent    JobState = "ABSENT"
	StateWaiting   JobState = "WAITING"
	StateRunning   JobState = "RUNNING"
	StateStopping  JobState = "STOPPING"
	StateSucceeded JobState = "SUCCEEDED"
	StateFailed    JobState = "FAILED"
	StateStopped   JobState = "STOPPED"
	StateUnknown   JobState = "UNKNOWN"
	// StateGone is that of a job whose Framework somebody deleted before an
	// outcome was seen.
	StateGone JobState = "GONE"
	// StateUnreadable is that of a job of which a file cannot be read.
	StateUnreadable JobState = "UNREADABLE"
)

// JobStates lists every state, those of finished jobs first.
func JobStates() []JobState {
	return []JobState{
		StateSucceeded, StateFailed, StateStopped, StateGone, StateUnknown,
		StateRunning, StateStopping, StateWaiting, StateAbsent, StateUnreadable,
	}
}

// Finished reports whether nothing will happen any more.
func (s JobState) Finished() bool {
	return s == StateSucceeded || s == StateFailed || s == StateStopped
}

// Options are what a plan is made from. Everything comes in as a value: New
// reads no file, no cluster and no clock.
type Options struct {
	Workspace string
	Jobs      []*resolve.Job // in order of declaration
	Moved     []*hclspec.Moved
	// Live holds a snapshot for every cluster that a job names, and for every
	// other one that may still run jobs of the workspace. Not read when
	// Offline.
	Live map[string]*Snapshot
	// RenderTargets describe the clusters by name. A job that is sent to one of
	// them is rendered; nil: no job is.
	RenderTargets map[string]render.Target
	// Renderer renders; nil is [render.Objects].
	Renderer Renderer
	// SecretValue returns the value of a secret, or false when it is not to be
	// had here. nil: no secret is checked. The plan keeps no value.
	SecretValue func(*resolve.Secret) (string, bool)
	// Targets limits the plan to jobs, or to the jobs that use the named
	// prerequisites and storages.
	Targets []hclspec.Address
	// Rerun names finished jobs that run again.
	Rerun []hclspec.Address
	// Offline plans without live state.
	Offline bool
	// Declarer is the front end that plans. Jobs of another one are left alone.
	Declarer Declarer
	// Destroy plans the deletion of every job of the workspace.
	Destroy bool
	// Downloads looks downloads up; nil: nothing is known of them.
	Downloads Downloads
	// Clusters are the declared clusters, for the quotas of virtual clusters.
	Clusters []*hclspec.Cluster
	// Sources finds the place of a diagnostic; may be nil.
	Sources hclspec.SourceMap
}

// PolicyResult is what a policy found in a plan. Each violation is a diagnostic
// of the plan as well.
type PolicyResult struct {
	Name string
	// Directory is the directory of policies that it comes from, "" for the
	// workspace.
	Directory string
	Level     string
	// Checked is the number of jobs, task roles or others that it judged,
	// Violations that of those which it is against.
	Checked, Violations int
	// Failed says that it could not be evaluated, which denies the plan.
	Failed bool
}

// Denies reports whether the policy refuses the plan.
func (r PolicyResult) Denies() bool { return r.Failed || r.Violations > 0 && r.Level != "warn" }
