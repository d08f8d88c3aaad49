// SPDX-License-Identifier: MPL-2.0

package operation

import "github.com/openpai/terraform-provider-openpai/hclspec"

// SecretUnavailable reports that the value of a secret is missing or empty.
var SecretUnavailable = hclspec.DefineError("secret-unavailable", "Value of a secret is not available",
	"The environment variable, file or Kubernetes Secret of a secret block is missing or empty, or the Kubernetes Secret of a storage does not exist. This is an error if the plan replaces an unfinished job; otherwise, it is a warning. Apply requires the values of secret blocks.")

// SecretNotCompared reports that the user may not read a Kubernetes Secret.
var SecretNotCompared = hclspec.DefineWarning("secret-not-compared", "Secret cannot be compared",
	"The cluster credentials do not permit openpai to read the Kubernetes Secret of a secret block. The plan therefore cannot compare the secret with the applied value. The plan shows the secret as not checked. An apply that creates the job must be able to read the value. Ask an administrator for permission to `get` the Secret. Alternatively, declare `version`, and change the version with each new value.")

// PermissionMissing reports that the user may not create a job. The API server
// of the cluster determines the user.
var PermissionMissing = hclspec.DefineError("permission-missing", "Permission to create the job is missing",
	"The user of the cluster credentials may not create objects that the job needs. Ask an administrator for the user role. This is an error if the plan replaces an unfinished job, because the job would be lost. Otherwise, this is a warning.")

// Errors of saved plans.
var (
	SavedPlanTampered = hclspec.DefineError("saved-plan-tampered", "Saved plan was changed",
		"The file of a saved plan was modified. apply compares the file with a new plan first, so a forged file has no effect. apply also reports this error if the user, the environment or the kubeconfig has changed. Save a new plan.")
	SavedPlanVersion = hclspec.DefineError("saved-plan-version", "Saved plan is from another version",
		"A different version of openpai saved the plan and may make different decisions. Use that version, or save a new plan.")
	SavedPlanExpired = hclspec.DefineError("saved-plan-expired", "Saved plan has expired",
		"A saved plan expires after 30 days, unless another duration was set when the plan was saved. Save a new plan.")
	SavedPlanWorkspace = hclspec.DefineError("saved-plan-workspace", "Saved plan is for another workspace",
		"The workspace in this directory differs from the plan's workspace. Apply the plan in the directory of the plan's workspace.")
	SavedPlanApplied = hclspec.DefineError("saved-plan-applied", "Saved plan was already applied",
		"A saved plan can be applied only once, even if its jobs were destroyed afterwards. Save a new plan.")
	SavedPlanSuperseded = hclspec.DefineError("saved-plan-superseded", "Jobs of the saved plan have run since",
		"The plan creates jobs that did not exist when the plan was saved. The jobs were submitted and destroyed afterwards, for example by another plan of the same state. Save a new plan.")
	SavedPlanForgotten = hclspec.DefineError("saved-plan-forgotten", "History was removed since the plan was saved",
		"The history of a workspace records which saved plans were applied and which jobs ran. The history was removed after this plan was saved, so the plan may have been applied before. Nothing was applied. Save a new plan.")
	SavedPlanStale = hclspec.DefineError("saved-plan-stale", "Saved plan is out of date",
		"The files or the jobs have changed since the plan was saved. A new plan would differ. Nothing was applied. Review and save a new plan.")
	SavedPlanSecret = hclspec.DefineError("saved-plan-secret", "Secret has changed since the plan was saved",
		"A secret or sensitive variable has changed since the plan was saved, or the variable is not set. Nothing was applied. Save a new plan.")
)
