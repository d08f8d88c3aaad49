// SPDX-License-Identifier: MPL-2.0

package hclspec

// Diagnostics about jobs of other users.
var (
	ForeignJob = DefineError("foreign-job", "Job belongs to somebody else",
		"The cluster already has a job of this name that another workspace, another program or an OpenPAI server made. Nothing of it is touched. Rename the job, or take the existing one over with `openpai adopt ADDRESS`.")
	OtherUser = DefineError("other-user", "Job belongs to another user",
		"The job exists and was made for another user than the one in the configuration. A job never changes its user: write the same `user` in the cluster block wherever the workspace is applied, or destroy the job as that user first.")
)

// Diagnostics about jobs that run on Kubernetes.
var (
	UnnamedWorkspace = DefineError("unnamed-workspace", "Workspace has no name",
		"On Kubernetes the name of the workspace decides which jobs belong to it, so it must be the same wherever the configuration is applied. Write it: openpai { workspace = \"...\" }.")
	ClusterWithoutUser = DefineError("cluster-without-user", "Cluster block names no user",
		"On Kubernetes the user is part of a job's identity, so it must be the same wherever the configuration is applied. Write `user` in the cluster block.")
	LivingOpenPAI = DefineError("living-openpai", "Namespace of a running OpenPAI",
		"The database-controller of OpenPAI deletes every Framework of its namespace that it did not make. Use another namespace of the cluster, or switch its retain mode on.")
)

// Diagnostics about storages that a cluster keeps.
var (
	ClaimNotFound = DefineError("claim-not-found", "The claim does not exist",
		"A storage with `claim` adopts a PersistentVolumeClaim that is there already, in the namespace of the jobs. Create it, name another one, or declare the volume itself: then the claim is made with it.")
	VolumeFixed = DefineError("volume-fixed", "The volume never changes",
		"Kubernetes keeps the source and the size of a volume as they were made. Declare the other volume as a storage with another name, or delete the claim and the volume from the cluster when nobody needs what they hold.")
)
