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

// Options are what an operation is made from.
type Options struct {
	// Workspace names the workspace and declares its clusters.
	Workspace *hclspec.Workspace
	// Named reports whether the name of the workspace is written in its files.
	Named bool
	// Directory holds the embedded local cluster, and relative paths start from
	// it; empty: there is no local cluster.
	Directory string
	// Declarer is the front end that declares the jobs.
	Declarer planner.Declarer
	// Policies judge every plan: those of the workspace, and others that it
	// cannot change.
	Policies []*hclspec.Policy
	// DownloadSize returns the locked size of a download in bytes, or 0; may be nil.
	DownloadSize func(*resolve.Fetch) int64
	// Secret reads the value of a declared secret.
	Secret func(*hclspec.Secret) (string, error)

	// Patience is how long a lock is waited for that another live process holds;
	// 0: not at all.
	Patience time.Duration

	// Origin says where jobs are submitted from, for the records of runs. It may be
	// nil, and is called when something is submitted.
	Origin func() history.Origin
	// Now is the clock; nil is the real one.
	Now func() time.Time

	// Open opens a declared cluster, the local one for nil. nil: the real
	// ones.
	Open Opener
	// Renderer renders jobs; nil is render.Objects.
	Renderer planner.Renderer
}

// Operation is one command of the command line, or one connection of the
// provider, which serves many resources. It is safe for concurrent use.
type Operation struct {
	options    Options
	renderings *renderings

	opening  sync.Mutex // guards clusters
	clusters map[string]cluster.Cluster

	guarding sync.Mutex // held while a cluster is asked, so that it is asked once
	guarded  map[string]hcl.Diagnostics

	asking sync.Mutex // guards claims; held while a cluster is asked
	claims map[place]bool

	caching sync.Mutex // guards caches
	caches  map[string]*Cache

	numbering sync.Mutex               // guards histories
	histories map[[2]string]*historyOf // by cluster and workspace
	kept      keptRuns

	locking sync.Mutex // guards locks
	locks   map[string]*lock
}

// New returns an operation. Nothing is opened yet.
func New(o Options) *Operation {
	if o.Open == nil {
		o.Open = o.openReal
	}
	return &Operation{options: o, renderings: newRenderings(o.Renderer), guarded: map[string]hcl.Diagnostics{}, claims: map[place]bool{}, caches: map[string]*Cache{}, locks: map[string]*lock{}, histories: map[[2]string]*historyOf{}}
}

func (o *Operation) now() time.Time {
	if o.options.Now == nil {
		return time.Now().UTC()
	}
	return o.options.Now().UTC()
}

// Refused is the error of an operation that diagnostics forbid.
type Refused struct{ Diagnostics hcl.Diagnostics }

func (r *Refused) Error() string { return r.Diagnostics.Error() }

// refuse returns the error of diagnostics that hold one, sorted; else nil.
func refuse(diags hcl.Diagnostics) error {
	if !diags.HasErrors() {
		return nil
	}
	return &Refused{Diagnostics: hclspec.Sort(diags)}
}
