package provider

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/user"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// settings are what a provider block says, with the environment behind it.
type settings struct {
	// Directory holds the embedded local cluster. Empty on Kubernetes.
	Directory string
	// Cluster is the Kubernetes cluster, nil for the local one.
	Cluster *hclspec.Cluster
	// User owns the jobs, Workspace is what they are managed in.
	User, Workspace string
	// Policies judge each job.
	Policies []*hclspec.Policy
	// Unknown says that some value is not known yet: nothing can be asked.
	Unknown bool
}

// localWorkspace is the workspace of jobs on the local cluster when none is
// written. It is not that of the directory, so that `openpai apply` there does
// not take the jobs for its own.
const localWorkspace = "terraform"

// kubernetesName is the name of the cluster in resolved jobs.
const kubernetesName = "kubernetes"

func currentUser() string { return workspace.CurrentUser(user.Current, os.Getuid()) }

// clusterName is what jobs of these settings write as their cluster.
func (s *settings) clusterName() string {
	if s.Cluster == nil {
		return "local"
	}
	return s.Cluster.Name
}

// fingerprint is a hash of what of the cluster block decides what jobs run, beside
// what they say themselves; "" for none. Only this part is looked at when a
// declaration is resolved.
func (s *settings) fingerprint() string {
	if s.Cluster == nil {
		return ""
	}
	part := clusterObject.Encode(&hclspec.Cluster{
		MaxRunTime: s.Cluster.MaxRunTime, MaxWaitTime: s.Cluster.MaxWaitTime, Scheduler: s.Cluster.Scheduler, SKUs: s.Cluster.SKUs, VirtualClusters: s.Cluster.VirtualClusters,
	})
	none := clusterObject.Encode(&hclspec.Cluster{})
	if text := shape.MarshalTree(part); !bytes.Equal(text, shape.MarshalTree(none)) {
		sum := sha256.Sum256(text)
		return hex.EncodeToString(sum[:8])
	}
	return ""
}

// workspaceOf returns a workspace of the model that holds the cluster and
// nothing else yet.
func (s *settings) workspaceOf(sources hclspec.SourceMap) *hclspec.Workspace {
	ws := &hclspec.Workspace{Name: s.Workspace, Dir: s.Directory, Sources: sources}
	if s.Cluster != nil {
		ws.Clusters = []*hclspec.Cluster{s.Cluster}
		if claim := s.Cluster.LogStorage; claim != "" {
			ws.Storages = []*hclspec.Storage{{Name: claim, Claim: claim, Path: "log_storage"}}
		}
	}
	return ws
}
