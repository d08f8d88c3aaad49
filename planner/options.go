package planner

import (
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/render"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

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
	// Destroy plans the deletion of every job of the workspace.
	Destroy bool
	// Sources finds the place of a finding; may be nil.
	Sources hclspec.SourceMap
}
