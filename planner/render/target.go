// SPDX-License-Identifier: MPL-2.0

package render

import (
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// Cluster profiles.
const (
	ProfileStandard = "standard"
	ProfileOpenPAI  = "openpai"
)

// Target describes the cluster for which a job is rendered.
type Target struct {
	// Local is true if tasks are local processes or containers. Such tasks do
	// not need a runtime image, and the limits of Kubernetes do not apply.
	Local bool

	// Profile is ProfileStandard (the default) or ProfileOpenPAI.
	Profile string

	Namespace      string
	RuntimeImage   string
	PullPolicy     string // pull policy of the runtime image; default: the policy of the profile
	ServiceAccount string
	// FetchCache is the node directory that caches downloads, or "" for no
	// cache. FetchCacheMB is the size limit of the cache in MiB; 0 means the
	// runtime's default.
	FetchCache   string
	FetchCacheMB int
	// Pod contains the Pod settings of the cluster block. Pod settings of the
	// job and the task role take precedence.
	Pod *hclspec.Pod

	// PodSecurity is the Pod security level that the Pods must meet. It
	// defaults to baseline.
	PodSecurity string

	// PriorityClass configures the job's own PriorityClass; nil means none. The
	// priority value of the class depends on Submitted.
	PriorityClass *hclspec.PriorityClass
	// Submitted is the time of the first apply.
	Submitted time.Time

	// LogStorage is the storage for the logs of finished tasks, or nil for none.
	LogStorage *hclspec.Storage

	// Workspace is the workspace of the job. The renderer uses the workspace to
	// convert the job to protocol text. OpenPAI's services read the text from
	// an annotation. If Workspace is nil and Config is "", the annotation is
	// omitted.
	Workspace *hclspec.Workspace
	// Config is the protocol text of the annotation. It takes precedence over
	// the text generated from the job and Workspace.
	Config string
	// Sources maps paths to positions for diagnostics.
	Sources hclspec.SourceMap
}

// features are the Pod settings that only some clusters need.
type features struct {
	HostNetwork    bool
	WorkerAffinity bool // only nodes labeled pai-worker=true
	Capabilities   bool // SYS_ADMIN, IPC_LOCK, DAC_READ_SEARCH, no MKNOD
	FuseLimit      bool // one github.com/fuse per task
	HostLogs       bool // the node keeps the logs under /var/log/pai
	AlwaysPull     bool
}

// openPAI contains the features that OpenPAI's rest-server adds to every Pod.
// Source: microsoft/pai: src/rest-server/src/models/v2/job/k8s.js.
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

// Account returns the existing service account of init containers, or "" if
// each job has its own account.
func (t Target) Account() string { return t.serviceAccount() }

func (t Target) serviceAccount() string {
	if t.ServiceAccount == "" && t.Profile == ProfileOpenPAI {
		return runtimeAccount
	}
	return t.ServiceAccount
}
