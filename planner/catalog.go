// SPDX-License-Identifier: MPL-2.0

package planner

import "github.com/openpai/terraform-provider-openpai/hclspec"

// Diagnostics of the planner.
var (
	DestroyPrevented = hclspec.DefineError("destroy-prevented", "Job must not be destroyed",
		"The job has `prevent_destroy = true`, and the plan would delete or replace it. Undo the change, or remove `prevent_destroy` and plan again.")
	UnknownAddress = hclspec.DefineError("unknown-plan-address", "Unknown address",
		"An ADDRESS, `--job` and `--rerun` name what the workspace has, such as `job.mnist`, `prerequisite.data.mnist` or `storage.nfs`.")
	SameFramework = hclspec.DefineError("same-framework", "Two jobs with one name",
		"A job's name is unique per user on a cluster. Give one of the jobs another `name`.")
	MovedStillDeclared = hclspec.DefineError("moved-still-declared", "Moved job is still declared",
		"A `moved` block says that a job has a new address, so the old address must not be declared any more. Remove the old job, or the block.")
	ShortSecret = hclspec.DefineWarning("short-secret", "Secret too short to be masked",
		"Values of one to three characters occur everywhere, so masking them would make logs unreadable. They are kept out of files as any other secret, but a command that prints one shows it in the log. Use a longer value.")
	RecordMissing = hclspec.DefineWarning("record-missing", "What was applied is not known",
		"The job exists, but the record of what was applied is gone or was written by a version of the program that this one cannot compare with. It is left as it is. `--rerun ADDRESS` replaces it.")
	UnreadableJob = hclspec.DefineWarning("unreadable-job", "State of a job cannot be read",
		"A file below .openpai that holds the state of the job is damaged. The job is left as it is; all other jobs work. `openpai repair` moves its files to .openpai/quarantine, and the next apply submits the job again; destroy removes them.")
	UnreadableSecretKey = hclspec.DefineWarning("unreadable-secret-key", "Key for versions of secrets cannot be read",
		"A plan sees that the value of a secret changed by its version, which needs the key of the workspace below .openpai/secrets. The file of the key is damaged, so versions are not compared, and jobs with secrets are neither submitted nor replaced. `openpai repair` puts it aside; the next apply makes another.")
)

// StorageGroupsUnknown covers storages.
var StorageGroupsUnknown = hclspec.DefineWarning("storage-groups-unknown", "Groups of a storage are not known",
	"A storage block names groups, and group membership comes from the ConfigMap openpai-storage-permissions of a cluster, which does not exist. The job is not refused.")

// Diagnostics about the quotas of virtual clusters.
var (
	QuotaExceeded = hclspec.DefineError("quota-exceeded", "Job exceeds the quota of its virtual cluster",
		"The job needs more of a resource at once than the cluster block gives its virtual cluster in all SKUs together, so it can never run. A gang needs all its tasks at once, another job its largest task.")
	QuotaQueues = hclspec.DefineWarning("quota-queues", "Jobs exceed the quota of a virtual cluster together",
		"The jobs of the workspace, with what runs there of other workspaces, want more than the quota of a virtual cluster. They run one after the other. Nothing is reserved; a policy can deny such a plan.")
)
