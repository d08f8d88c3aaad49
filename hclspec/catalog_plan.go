package hclspec

// Findings of the planner.
var (
	ForeignJob = defineError("foreign-job", "Job belongs to somebody else",
		"The cluster already has a job of this name that another workspace, another program or an OpenPAI server made. Nothing of it is touched. Rename the job, or take the existing one over with `openpai adopt ADDRESS`.")
	OtherUser = defineError("other-user", "Job belongs to another user",
		"The job exists and was made for another user than the one in the configuration. A job never changes its user: write the same `user` in the cluster block wherever the workspace is applied, or destroy the job as that user first.")
	DestroyPrevented = defineError("destroy-prevented", "Job must not be destroyed",
		"The job has `prevent_destroy = true`, and the plan would delete or replace it. Undo the change, or remove `prevent_destroy` and plan again.")
	UnknownPlanAddress = defineError("unknown-plan-address", "Unknown address",
		"An ADDRESS, `--job` and `--rerun` name what the workspace has, such as `job.mnist`, `prerequisite.data.mnist` or `storage.nfs`.")
	SameFramework = defineError("same-framework", "Two jobs with one name",
		"A job's name is unique per user on a cluster. Give one of the jobs another `name`.")
	MovedStillDeclared = defineError("moved-still-declared", "Moved job is still declared",
		"A `moved` block says that a job has a new address, so the old address must not be declared any more. Remove the old job, or the block.")
	ShortSecret = defineWarning("short-secret", "Secret too short to be masked",
		"Values of one to three characters occur everywhere, so masking them would make logs unreadable. They are kept out of files as any other secret, but a command that prints one shows it in the log. Use a longer value.")
	RecordMissing = defineWarning("record-missing", "What was applied is not known",
		"The job exists, but the record of what was applied is gone or was written by a version of the program that this one cannot compare with. It is left as it is. `--rerun ADDRESS` replaces it.")
	UnreadableJob = defineWarning("unreadable-job", "State of a job cannot be read",
		"A file below .openpai that holds the state of the job is damaged. The job is left as it is; all other jobs work. `openpai repair` moves its files to .openpai/quarantine, and the next apply submits the job again; destroy removes them.")
)
