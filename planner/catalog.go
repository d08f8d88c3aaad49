// SPDX-License-Identifier: MPL-2.0

package planner

import "github.com/openpai/terraform-provider-openpai/hclspec"

// Diagnostics of the planner.
var (
	DestroyPrevented = hclspec.DefineError("destroy-prevented", "Job is protected from deletion",
		"The job has `prevent_destroy = true`, and the plan would delete or replace the job. Undo the change, or remove `prevent_destroy` and plan again.")
	UnknownAddress = hclspec.DefineError("unknown-plan-address", "Unknown address",
		"The workspace has no declaration with the given address. Addresses have the form `job.mnist`, `prerequisite.data.mnist` or `storage.nfs`.")
	SameFramework = hclspec.DefineError("same-framework", "Two jobs have the same name",
		"A user's jobs on one cluster must have unique names. Set a different `name` for one of the jobs.")
	MovedStillDeclared = hclspec.DefineError("moved-still-declared", "Moved job is still declared",
		"A `moved` block records the new address of a job, so the old address must not be declared. Remove the old job or the `moved` block.")
	ShortSecret = hclspec.DefineWarning("short-secret", "Secret too short to be masked",
		"Strings of one to three characters occur in almost any text, so masking them would make logs unreadable. openpai itself does not log secrets. If a command prints such a short value, the log shows the value. Use a longer value.")
	RecordMissing = hclspec.DefineWarning("record-missing", "Applied content is unknown",
		"The job exists, but its record is missing or was written by an incompatible version of openpai. Apply does not change the job until you replace it.")
	UnreadableJob = hclspec.DefineWarning("unreadable-job", "State of a job cannot be read",
		"A file in .openpai that stores the state of the job is damaged. Apply does not change this job; other jobs are not affected. Move the job's files out of .openpai: the next apply then submits the job again. destroy also removes these files.")
	UnreadableSecretKey = hclspec.DefineWarning("unreadable-secret-key", "Key for secret versions cannot be read",
		"A plan detects a changed secret by comparing versions, which it computes with the workspace key in .openpai/secrets. Because the key file is damaged, plans do not compare versions, and apply neither submits nor replaces jobs with secrets. Move the key file elsewhere: the next apply then creates a new key.")
)

// StorageGroupsUnknown warns that the plan cannot check the groups of a
// storage.
var StorageGroupsUnknown = hclspec.DefineWarning("storage-groups-unknown", "Storage groups are unknown",
	"A storage block lists groups, but the ConfigMap openpai-storage-permissions, which defines group membership, does not exist on the cluster. The plan cannot check the groups, so it accepts the job.")

// Diagnostics about virtual cluster quotas.
var (
	QuotaExceeded = hclspec.DefineError("quota-exceeded", "Job exceeds the quota of its virtual cluster",
		"The job can never run: it needs more of a resource at the same time than the quota of its virtual cluster allows. The quota is the sum over all SKUs in the cluster block. A gang needs the resources of all its tasks at the same time. Any other job needs only the resources of its largest task.")
	QuotaQueues = hclspec.DefineWarning("quota-queues", "Jobs together exceed the quota of a virtual cluster",
		"Jobs of the workspace and running jobs of other workspaces together request more than the quota of a virtual cluster. Some of the jobs wait until other jobs end. A plan does not reserve resources. Use a policy to deny such a plan.")
)
