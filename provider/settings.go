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

// settings are the settings of a provider block, combined with the environment.
type settings struct {
	// Directory is the directory of the embedded local cluster, or "" on
	// Kubernetes.
	Directory string
	// Cluster is the Kubernetes cluster, or nil for the local cluster.
	Cluster *hclspec.Cluster
	// User owns the jobs; Workspace is the workspace that manages them.
	User, Workspace string
	// Version is the version of the provider.
	Version string
	// Policies are checked for each job.
	Policies []*hclspec.Policy
	// Unknown reports whether any value is unknown; if so, the cluster cannot
	// be accessed.
	Unknown bool
}

// localWorkspace is the default workspace of jobs on the local cluster. It
// differs from the workspace of the directory, so that `openpai apply` in the
// directory does not manage these jobs.
const localWorkspace = "terraform"

// kubernetesName is the name of the cluster in resolved jobs.
const kubernetesName = "kubernetes"

func currentUser() string { return workspace.CurrentUser(user.Current, os.Getuid()) }

// clusterName returns the cluster name in jobs with these settings.
func (s *settings) clusterName() string {
	if s.Cluster == nil {
		return "local"
	}
	return s.Cluster.Name
}

// fingerprint returns a hash of the cluster settings that affect tasks, in addition
// to the jobs themselves, or "" if no such settings are set. Resolving a declaration
// depends only on these settings.
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

// workspaceOf returns a workspace of the model that contains only the cluster.
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

// origin returns the origin for the records of jobs. Only the local cluster has a
// directory, whose repository is recorded.
func (s *settings) origin() history.Origin {
	o := history.Origin{Command: "terraform", OpenPAI: s.Version, Git: gitstate.Read(s.Directory, "")}
	if s.Cluster != nil {
		o.Runtimes = map[string]string{s.Cluster.Name: s.Cluster.Runtime.Image}
	}
	return o
}
