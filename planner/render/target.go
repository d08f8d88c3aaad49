package render

import (
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// The profiles of a cluster.
const (
	ProfileStandard = "standard"
	ProfileOpenPAI  = "openpai"
)

// Target is what rendering needs to know of the cluster.
type Target struct {
	// Local says that tasks are processes or containers of this machine. No
	// runtime image is needed then and no limit of Kubernetes is checked.
	Local bool

	// Profile is ProfileStandard, also when empty, or ProfileOpenPAI.
	Profile string

	Namespace      string
	RuntimeImage   string
	PullPolicy     string // of the runtime image; empty: that of the profile
	ServiceAccount string
	// FetchCache is a directory of the nodes for downloads, FetchCacheMB its
	// bound in MiB, 0 for the runtime's own; empty: no cache.
	FetchCache   string
	FetchCacheMB int
	// Pod holds the settings of the cluster block; those of the job and of the
	// task role win.
	Pod *hclspec.Pod

	// PodSecurity is the Pod security level that the Pods must pass; empty:
	// baseline.
	PodSecurity string

	// PriorityClass gives the job its own PriorityClass; nil: none. Its
	// value depends on Submitted.
	PriorityClass *hclspec.PriorityClass
	// Submitted is the time of the first apply.
	Submitted time.Time

	// LogStorage keeps the logs of finished tasks; nil: nowhere.
	LogStorage *hclspec.Storage

	// Workspace is where the declaration of the job leads: the annotation that
	// OpenPAI's services read is written from both. nil: there is none.
	Workspace *hclspec.Workspace
	// Config is another text for that annotation.
	Config string
	// Sources gives diagnostics their place.
	Sources hclspec.SourceMap
}

// features are the parts of a Pod that plain clusters do without.
type features struct {
	HostNetwork    bool
	WorkerAffinity bool // only nodes labeled pai-worker=true
	Capabilities   bool // SYS_ADMIN, IPC_LOCK, DAC_READ_SEARCH, no MKNOD
	FuseLimit      bool // one github.com/fuse per task
	HostLogs       bool // logs under /var/log/pai of the node
	AlwaysPull     bool
}

// openPAI is what OpenPAI's rest-server puts into every Pod. Source:
// microsoft/pai: src/rest-server/src/models/v2/job/k8s.js.
var openPAI = features{HostNetwork: true, WorkerAffinity: true, Capabilities: true, FuseLimit: true, HostLogs: true, AlwaysPull: true}

// runtimeAccount is the service account of OpenPAI's jobs.
const runtimeAccount = "runtime-account"

func (t Target) features() features {
	if t.Profile == ProfileOpenPAI {
		return openPAI
	}
	return features{}
}

func (t Target) pullPolicy() string {
	switch {
	case t.PullPolicy != "":
		return t.PullPolicy
	case t.features().AlwaysPull:
		return "Always"
	default:
		return "IfNotPresent"
	}
}

// Account is the existing service account that init containers run as, or ""
// when each job gets its own.
func (t Target) Account() string { return t.serviceAccount() }

func (t Target) serviceAccount() string {
	if t.ServiceAccount == "" && t.Profile == ProfileOpenPAI {
		return runtimeAccount
	}
	return t.ServiceAccount
}
