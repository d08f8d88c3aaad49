// SPDX-License-Identifier: MPL-2.0

package render

import (
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// LogPath returns a task role's log directory, relative to the log storage or
// the node's log directory. The directory contains one subdirectory per Pod,
// named after the UID of the Pod. Source: microsoft/pai:
// src/rest-server/src/models/v2/job/k8s.js.
func LogPath(job *resolve.Job, role string) string {
	return job.User + "/" + job.Framework + "/" + role
}

// KeptLogs is the location of logs that remain after the Pods of a job are
// deleted.
type KeptLogs struct {
	Storage string // storage name, or "" if the nodes keep the logs
	Root    string // root of the storage, for display
}

// keptLogs describes the storage for logs. It returns nil if the logs are
// deleted with the Pods.
func (r *renderer) keptLogs() *KeptLogs {
	s := r.target.LogStorage
	switch {
	case s == nil && r.features.HostLogs:
		return &KeptLogs{Root: contract.HostLogDir + " of the node"}
	case s == nil:
		return nil
	case s.HostPath != "":
		return &KeptLogs{s.Name, s.HostPath + " of the node"}
	case s.NFS != nil:
		return &KeptLogs{s.Name, s.NFS.Server + ":" + s.NFS.Path}
	}
	return &KeptLogs{s.Name, "the claim " + ClaimName(r.job.Workspace, s.Name, s)}
}

// keepsLogs reports whether logs remain after a Pod is deleted.
func (r *renderer) keepsLogs() bool { return r.keptLogs() != nil }

// logEnvironment returns nil if logs do not remain after the container ends.
func (r *renderer) logEnvironment() []framework.EnvVar {
	if r.target.LogStorage == nil {
		return nil
	}
	return []framework.EnvVar{{Name: contract.EnvLogsStored, Value: "true"}}
}

// logVolume returns the log storage or the node's log directory.
func (r *renderer) logVolume() framework.Volume {
	v := framework.Volume{Name: volumeLogs}
	switch s := r.target.LogStorage; {
	case s == nil:
		v.HostPath = &framework.HostPath{Path: contract.HostLogDir}
	case s.HostPath != "":
		v.HostPath = &framework.HostPath{Path: s.HostPath}
	default:
		v.PersistentVolumeClaim = &framework.ClaimVolume{ClaimName: ClaimName(r.job.Workspace, s.Name, s)}
	}
	return v
}
