package render

import (
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// LogPath returns the directory, in the log storage or in the node's log
// directory, that holds one directory per Pod UID of a task role's tasks.
// Source: microsoft/pai: src/rest-server/src/models/v2/job/k8s.js.
func LogPath(job *resolve.Job, role string) string {
	return job.User + "/" + job.Framework + "/" + role
}

// LogPlace tells people where logs outlive the Pod: the name of the storage,
// or "" for the nodes, and what that leads to; both empty: nowhere.
func (t Target) LogPlace(workspace string) (storage, root string) {
	s := t.LogStorage
	switch {
	case s == nil && t.features().HostLogs:
		return "", contract.HostLogDir + " of the node"
	case s == nil:
		return "", ""
	case s.HostPath != "":
		return s.Name, s.HostPath + " of the node"
	case s.NFS != nil:
		return s.Name, s.NFS.Server + ":" + s.NFS.Path
	}
	return s.Name, "the claim " + ClaimName(workspace, s.Name, s)
}

// keepsLogs reports whether logs outlive the Pod.
func (r *renderer) keepsLogs() bool {
	return r.target.LogStorage != nil || r.features.HostLogs
}

// logEnvironment tells the runtime that logs outlive the container.
func (r *renderer) logEnvironment() []framework.EnvVar {
	if r.target.LogStorage == nil {
		return nil
	}
	return []framework.EnvVar{{Name: contract.EnvLogsStored, Value: "true"}}
}

// logVolume is the storage for logs, or the node's log directory.
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
