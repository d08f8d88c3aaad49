// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"sync"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Options configures an operation.
type Options struct {
	// Workspace contains the name of the workspace and its declared clusters.
	Workspace *hclspec.Workspace
	// Named reports whether the configuration sets the workspace name.
	Named bool
	// Directory is the base of relative paths, and contains the embedded local
	// cluster. If Directory is empty, there is no local cluster.
	Directory string
	// Declarer is the front end that declares the jobs.
	Declarer planner.Declarer
	// WithoutObjects is set if plans omit the objects that apply sends to the
	// clusters.
	WithoutObjects bool
	// Policies are evaluated against every plan. They include the policies of
	// the workspace and policies that the workspace cannot change.
	Policies []*hclspec.Policy
	// DownloadSize returns the size of a download from the lock file in bytes. It
	// returns 0 if the size is unknown. DownloadSize may be nil.
	DownloadSize func(*resolve.Fetch) int64
	// Secret reads the value of a declared secret.
	Secret func(*hclspec.Secret) (string, error)

	// Patience is the maximum wait for a lock of another live process. 0
	// means no wait.
	Patience time.Duration

	// Origin returns the source of a submission for the run record. The
	// operation calls it for each submission. It may be nil.
	Origin func() history.Origin
	// Now returns the current time; nil means time.Now.
	Now func() time.Time

	// Open opens a declared cluster, or the local cluster if its argument is
	// nil. If Open is nil, the operation opens real clusters.
	Open Opener
	// Renderer renders jobs; nil means render.Objects.
	Renderer planner.Renderer
}

// Operation is one CLI command, or one provider connection that many
// resources share. It is safe for concurrent use.
type Operation struct {
	options    Options
	renderings *renderings

	opening  sync.Mutex // guards clusters
	clusters map[string]cluster.Cluster

	guarding sync.Mutex // held during a request to a cluster, so that only one request is sent
	guarded  map[string]hcl.Diagnostics

	asking  sync.Mutex // guards claims and secrets; held during a request to a cluster
	claims  map[place]bool
	secrets map[secretPlace]bool

	caching sync.Mutex // guards caches
	caches  map[string]*Cache

	numbering sync.Mutex               // guards histories
	histories map[[2]string]*historyOf // by cluster and workspace
	kept      keptRuns
	patience  logPatience

	locking sync.Mutex // guards locks
	locks   map[string]*lock
}

// New returns an operation. It does not open any cluster.
func New(o Options) *Operation {
	if o.Open == nil {
		o.Open = o.openReal
	}
	return &Operation{options: o, renderings: newRenderings(o.Renderer), clusters: map[string]cluster.Cluster{}, guarded: map[string]hcl.Diagnostics{}, claims: map[place]bool{}, secrets: map[secretPlace]bool{}, caches: map[string]*Cache{}, locks: map[string]*lock{}, histories: map[[2]string]*historyOf{}}
}

func (o *Operation) now() time.Time {
	if o.options.Now == nil {
		return time.Now().UTC()
	}
	return o.options.Now().UTC()
}

// Refused is the error that an operation returns if its diagnostics contain
// an error.
type Refused struct{ Diagnostics hcl.Diagnostics }

func (r *Refused) Error() string { return r.Diagnostics.Error() }

// refuse returns a Refused if at least one diagnostic is an error, and otherwise
// nil.
func refuse(diags hcl.Diagnostics) error {
	if !diags.HasErrors() {
		return nil
	}
	return &Refused{Diagnostics: hclspec.Sort(diags)}
}
