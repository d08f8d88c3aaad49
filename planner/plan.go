// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/render"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Plan describes what apply does. It does not contain secret values. The same
// input produces the same plan.
type Plan struct {
	Workspace string
	// Offline is set if the live state is unknown; such a plan cannot be
	// applied.
	Offline bool
	// Targets limits the plan to these addresses; empty for no limit.
	Targets []hclspec.Address
	Changes []*Change // declared jobs in order of declaration, then deletions
	// Sums lists the total resources that the jobs use on each cluster, virtual
	// cluster and SKU.
	Sums []Sum
	// Inputs lists the data and images of the jobs that apply starts.
	Inputs Inputs
	// Quotas lists the virtual clusters with a quota, and their usage.
	Quotas []QuotaUse
	// Policies lists the results of the policies, in the order of the
	// policies.
	Policies []PolicyResult
	// Declarer is the front end that declares the jobs. Elsewhere is the
	// sorted list of addresses of workspace jobs that only the other front
	// end declares. The plan does not change the jobs in Elsewhere.
	Declarer  Declarer
	Elsewhere []hclspec.Address
	// Others describes the changes that do not concern jobs, if another
	// program created the plan. Otherwise, it is nil.
	Others *OtherChanges
	// Diagnostics lists the errors and warnings of planning. A plan with an error
	// cannot be applied.
	Diagnostics hcl.Diagnostics
}

// Empty reports whether apply would make no changes.
func (p *Plan) Empty() bool {
	for _, c := range p.Changes {
		if c.Action != NoOp {
			return false
		}
	}
	return true
}

// Action is the action that apply performs on one job.
type Action string

// The actions.
const (
	NoOp    Action = "no-op"
	Create  Action = "create"
	Update  Action = "update"
	Replace Action = "replace"
	Delete  Action = "delete"
)

// Change is the planned change to one job.
type Change struct {
	Address hclspec.Address
	Cluster string
	// Framework is the metadata.name after the change. If apply keeps the live
	// job, Framework is the live job's name.
	Framework string
	// Replaced is the metadata.name that apply deletes. It is set for Delete and
	// Replace. It is also set for a Create if a vanished job's record has a name
	// other than Framework. For a Replace, it differs from Framework if the job
	// was renamed.
	Replaced string
	// MovedFrom is the address that a moved job still has on the cluster, or "".
	MovedFrom hclspec.Address
	Action    Action
	Reason    Reason
	// Impact describes the running work that apply ends or restarts.
	Impact Impact
	// Outdated is set for a finished job whose declaration has changed. Apply
	// does not run such a job again automatically.
	Outdated bool
	// State is the live state, or StateAbsent.
	State JobState

	Fields  []FieldChange
	Secrets []SecretChange
	// Drift lists the changes that other programs or users made after apply. An
	// update reverts these changes; a replacement deletes the changed objects.
	Drift []Drift

	// Job is the declared job, nil for Delete.
	Job *resolve.Job
	// Manifest is the job rendered for its cluster, as apply sends it. It is
	// nil if apply does not send the job or if the job was not rendered.
	Manifest *render.Manifest
	// Objects lists the objects that apply sends for a job that it creates or
	// replaces.
	Objects []Object
}

// FieldChange is one field that differs.
type FieldChange struct {
	// Path is relative to the job: task_role["worker"].commands[0]. The path
	// of a removed list element contains the index in the applied list. The
	// path of any other element contains the index in the declared list.
	Path hclspec.Path
	// Before and After are canonical JSON values; nil means absent. BeforeKnown is
	// false if only a hash of Before is recorded. AfterKnown is false if After is
	// known only after apply.
	Before, After           any
	BeforeKnown, AfterKnown bool
	Effect                  hclspec.Effect
	// Cause is the prerequisite, storage or cluster that sets the field, or the
	// list of variables that change the field ("var.epochs, var.lr"). Other jobs
	// may have the same cause. Cause is "" if the job itself sets the field.
	Cause hclspec.Address
}

// SecretChange compares the value of a secret with its applied value.
type SecretChange struct {
	Name  string
	State SecretState
	// Version is the version of the value at plan time. If the plan did not check
	// the value, Version is the applied version. It does not reveal the value.
	Version string
}

// SecretState is the result of comparing a secret with its applied value.
type SecretState string

// The states of a secret.
const (
	SecretUnchanged  SecretState = "unchanged"
	SecretChanged    SecretState = "changed"
	SecretNew        SecretState = "new"
	SecretNotChecked SecretState = "not checked"
)

// JobState is the state of a job, in OpenPAI terms.
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
	// StateGone is the state of a job whose Framework was deleted before its
	// outcome was known.
	StateGone JobState = "GONE"
	// StateUnreadable is the state of a job if one of its files cannot be
	// read.
	StateUnreadable JobState = "UNREADABLE"
)

// JobStates returns all states, beginning with the states of finished jobs.
func JobStates() []JobState {
	return []JobState{
		StateSucceeded, StateFailed, StateStopped, StateGone, StateUnknown,
		StateRunning, StateStopping, StateWaiting, StateAbsent, StateUnreadable,
	}
}

// Finished reports whether the state is final.
func (s JobState) Finished() bool {
	return s == StateSucceeded || s == StateFailed || s == StateStopped
}

// Options contains the input of a plan. New reads only these values; it does not
// read files, clusters or the clock.
type Options struct {
	Workspace string
	Jobs      []*resolve.Job // in order of declaration
	Moved     []*hclspec.Moved
	// Live contains a snapshot of each cluster that a job refers to or that
	// may still run jobs of the workspace. New ignores Live if Offline is
	// set.
	Live map[string]*Snapshot
	// RenderTargets maps the names of clusters to their render targets. New renders
	// a job only if apply would send it to one of these clusters. If RenderTargets
	// is nil, New does not render any jobs.
	RenderTargets map[string]render.Target
	// Renderer renders jobs. It defaults to [render.Objects].
	Renderer Renderer
	// WithoutObjects leaves Change.Objects empty; it is meant for front ends that
	// do not show objects. This saves time: computing the size of an object
	// requires its JSON.
	WithoutObjects bool
	// SecretValue returns the value of a job's secret on a cluster, or false if
	// unavailable. If SecretValue is nil, the plan does not check secrets. The
	// plan does not store the values.
	SecretValue func(cluster string, s *resolve.Secret) (string, bool)
	// Targets limits the plan to the listed jobs and to users of the listed
	// prerequisites and storages.
	Targets []hclspec.Address
	// Rerun lists finished jobs to run again.
	Rerun []hclspec.Address
	// RepeatOf maps jobs to the numbers of the runs that they repeat. These jobs
	// run again, like the jobs in Rerun.
	RepeatOf map[hclspec.Address]int
	// Replace lists existing jobs to replace, regardless of their state and even
	// if they have no change.
	Replace []hclspec.Address
	// Offline is set if New must plan without the live state.
	Offline bool
	// Declarer is the front end that creates the plan. The plan does not change
	// jobs that a different front end declares.
	Declarer Declarer
	// Destroy plans the deletion of every job of the workspace.
	Destroy bool
	// Downloads returns the size and the cache state of a download. It is nil
	// if no information on downloads is available.
	Downloads Downloads
	// Clusters contains the declared clusters, which define the quotas of
	// virtual clusters.
	Clusters []*hclspec.Cluster
	// Sources maps paths to positions for diagnostics. It may be nil.
	Sources hclspec.SourceMap
}

// PolicyResult is the result of checking a plan against a policy. Each
// violation is also a diagnostic of the plan.
type PolicyResult struct {
	Name string
	// Directory is the directory that contains the policy, "" for the
	// workspace.
	Directory string
	Level     string
	// Checked is the number of checked subjects, such as jobs or task roles.
	// Violations is the number of subjects that violate the policy.
	Checked, Violations int
	// Failed is set if evaluating the policy or its message failed. Such a
	// policy also denies the plan.
	Failed bool
}

// Denies reports whether the policy denies the plan.
func (r PolicyResult) Denies() bool { return r.Failed || r.Violations > 0 && r.Level != "warn" }
