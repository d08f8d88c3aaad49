// SPDX-License-Identifier: MPL-2.0

package hclspec

// Diagnostics about jobs that have a different owner or user.
var (
	ForeignJob = DefineError("foreign-job", "Job has another owner",
		"A job with this name already exists on the cluster, created by another workspace, another program or an OpenPAI server. The existing job is unchanged. Rename the job, or adopt the existing job.")
	OtherUser = DefineError("other-user", "Job belongs to another user",
		"The existing job belongs to a user other than the configured user. You cannot change the user of an existing job. Set the same `user` in the cluster block wherever you apply the workspace, or first destroy the job as its current user.")
)

// Diagnostics about jobs that run on Kubernetes.
var (
	UnnamedWorkspace = DefineError("unnamed-workspace", "Workspace has no name",
		"On Kubernetes, the workspace name determines which jobs belong to the workspace. Use the same name wherever you apply the configuration. Set the name in the openpai block: openpai { workspace = \"...\" }.")
	ClusterWithoutUser = DefineError("cluster-without-user", "Cluster block has no user",
		"On Kubernetes, the user is part of a job's identity. Use the same user wherever you apply the configuration. Set `user` in the cluster block.")
	LivingOpenPAI = DefineError("living-openpai", "Namespace is in use by OpenPAI",
		"In its namespace, OpenPAI's database-controller deletes every Framework that it did not create. Use a different namespace for the cluster, or enable the database-controller's retain mode.")
)

// Diagnostics about the claims and volumes of storages on Kubernetes.
var (
	ClaimNotFound = DefineError("claim-not-found", "Claim does not exist",
		"A storage with `claim` uses an existing PersistentVolumeClaim in the jobs' namespace. Create the claim, set `claim` to a different claim, or replace `claim` with an nfs, azure_file, azure_blob or csi block so that apply creates the claim.")
	VolumeFixed = DefineError("volume-fixed", "Volume cannot be changed",
		"Kubernetes does not allow changes to the source or the size of a volume. Declare the new volume as a storage with a different name. If the data is no longer needed, delete the claim and the volume from the cluster instead.")
)
