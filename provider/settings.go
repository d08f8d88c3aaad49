// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/user"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/gitstate"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// settings contains the settings from a provider block and the environment.
type settings struct {
	// Directory is the directory of the embedded local cluster, or "" on
	// Kubernetes.
	Directory string
	// Cluster is the Kubernetes cluster, or nil for the local cluster.
	Cluster *hclspec.Cluster
	// User is the owner of the jobs, and Workspace is the workspace that
	// manages the jobs.
	User, Workspace string
	// Version is the version of the provider.
	Version string
	// Policies are the policies that the provider evaluates for each job.
	Policies []*hclspec.Policy
	// Unknown reports whether any value is unknown; if so, the cluster cannot
	// be accessed.
	Unknown bool
}

// localWorkspace is the default workspace of jobs on the local cluster. It
// differs from the directory's workspace, so that `openpai apply` in the
// directory does not manage these jobs.
const localWorkspace = "terraform"

// kubernetesName is the name of the cluster in resolved jobs.
const kubernetesName = "kubernetes"

func currentUser() string { return workspace.CurrentUser(user.Current, os.Getuid()) }

// clusterName returns the name of the configured cluster, or "local" if no
// cluster is configured.
func (s *settings) clusterName() string {
	if s.Cluster == nil {
		return "local"
	}
	return s.Cluster.Name
}

// fingerprint returns a hash of the cluster settings that affect tasks, or "" if no
// such settings are set. A resolved job depends only on its declaration and these
// settings.
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

// workspaceOf returns a model workspace that contains only the cluster and its
// log storage.
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

// origin returns the origin for job records. On the local cluster, it
// includes the git repository that contains the directory of the cluster.
func (s *settings) origin() history.Origin {
	o := history.Origin{Command: "terraform", OpenPAI: s.Version, Git: gitstate.Read(s.Directory, "")}
	if s.Cluster != nil {
		o.Runtimes = map[string]string{s.Cluster.Name: s.Cluster.Runtime.Image}
	}
	return o
}
