// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"fmt"
	"maps"
	"slices"

	commandline "github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/internal/message"
)

func hint(h message.Hint) string {
	switch h.Kind {
	case message.HintAdopt:
		return adoptHint(h)
	case message.HintReplace:
		return "replace it with -replace"
	case message.HintPlanOnline:
		return "plan again when the cluster responds"
	case message.HintContinueSubmission:
		return `"terraform apply" continues the submission, whereas "terraform destroy" removes the job`
	case message.HintContinueJob:
		return `"terraform apply" continues it`
	case message.HintContinueDeletion:
		return `"terraform destroy" continues the deletion, whereas "terraform apply" submits the job again`
	case message.HintFinishDeletion:
		return `"terraform destroy" finishes the deletion, whereas "terraform apply" submits the job again`
	case message.HintSubmitAgain:
		return `"terraform apply" submits the job again, whereas "terraform destroy" removes the remaining objects`
	case message.HintRepair:
		return `"terraform destroy" removes the files of the job and "openpai repair" quarantines them`
	case message.HintRepairKey:
		return `"openpai repair" quarantines the file`
	case message.HintRemoveLogs:
		return `"terraform destroy" still works and removes the logs of the job`
	case message.HintStoredLog:
		return "the complete log is in " + h.Place
	}
	if text, ok := itemHint(h); ok {
		return text
	}
	return clusterHint(h)
}

func adoptHint(h message.Hint) string {
	if h.Workspace != "" {
		return "set that workspace in the provider block."
	}
	return "import the existing job with: terraform import ADDRESS " + h.Job
}

// itemHint returns the text of a hint about a marketplace item. It returns
// false for other hints. Terraform reads items with a data source instead of
// `openpai init`.
func itemHint(h message.Hint) (text string, ok bool) {
	switch h.Kind {
	case message.HintLookUpAgain, message.HintAcceptItem: // about an item in the lock file
		return "update the lock file if the change is intended", true
	case message.HintLookUp, message.HintFetch, message.HintFetchAgain, message.HintUpdateLock:
		return "read it with the data source openpai_marketplace_item", true
	case message.HintNewerItem:
		return "the data source openpai_marketplace_item reads it", true
	case message.HintRunItem:
		return "declare it as an openpai_job", true
	case message.HintUseItem:
		return "declare an openpai_job that lists it", true
	case message.HintDeclareMarketplace:
		return "give its source", true
	case message.HintAuthor:
		return "give the author", true
	case message.HintChooseJob:
		return "name the job", true
	}
	return "", false
}

func clusterHint(h message.Hint) string {
	switch h.Kind {
	case message.HintListRequirements:
		return "the data source openpai_cluster lists all requirements"
	case message.HintListMissing:
		return "the data source openpai_cluster lists the missing requirements"
	case message.HintCheckAsAdministrator:
		return "ask an administrator to read this data source"
	case message.HintStorageDirectory:
		return fmt.Sprintf("declare an openpai_storage %q with host_path", h.Name)
	case message.HintRuntimeBase:
		return "or use your own image with a shell"
	}
	panic("provider: no phrase for the hint " + string(h.Kind))
}

// advice returns advice for Terraform users on the result of a cluster check. If
// no change to the configuration helps, advice returns the advice of the openpai
// CLI. In that case, only a cluster administrator can fix the problem, with the
// CLI.
func advice(a message.Advice) string {
	switch a.Kind {
	case message.AdviceVolumePermission:
		return "Ask an administrator to create the volume and the claim. Then set the attribute claim of the openpai_storage to the name of the claim."
	case message.AdvicePriorityPermission:
		return fmt.Sprintf("Ask an administrator to apply the output of %q, or remove priority_class from the provider block.", phrase(message.CommandPriorityClassManifests))
	case message.AdviceConnection:
		return "Check the attributes kubeconfig and context in the provider block."
	case message.AdviceNamespace:
		return "Create the namespace, or set a different namespace in the provider block."
	case message.AdvicePodSecurity:
		return `Set pod_security = "restricted" in the provider block.`
	case message.AdviceRuntimeImage:
		return fmt.Sprintf("Push an image with %q and set runtime_image in the provider block.", phrase(message.CommandPushRuntime))
	}
	return commandline.Advice(a)
}

// Remedy describes how a Terraform user solves the problem in a catalog entry. It
// returns "" if the explanation of the entry is sufficient. The openpai CLI has a
// separate table of remedies. Cluster administrators need that table in any case.
func Remedy(code string) string { return remedies[code] }

// Remedies returns the codes of the entries with a remedy, sorted.
func Remedies() []string { return slices.Sorted(maps.Keys(remedies)) }

var remedies = map[string]string{
	"foreign-job":           "Adopt the existing job with `terraform import ADDRESS USER~NAME`. If another workspace owns the job, set `workspace` of the provider block to that workspace.",
	"missing-runtime-image": "Push the image with `openpai cluster push-runtime REPOSITORY` and set `runtime_image` in the provider block.",
	"permission-missing":    "`openpai cluster manifests` prints the role.",
	"pod-not-restricted":    "`openpai cluster manifests` prints the policy.",
	"policy-denied":         "The provider block's `policies` and OPENPAI_POLICY set the policy directories.",
	"policy-directory":      "Correct the directory in the provider block's `policies` or in OPENPAI_POLICY.",
	"record-missing":        "`terraform apply -replace=ADDRESS` replaces the job.",
	"secret-not-compared":   "`openpai cluster manifests` prints the role.",
	"unreadable-job":        "`terraform destroy -target=ADDRESS` removes the files; `openpai repair` moves them to .openpai/quarantine.",
	"unreadable-secret-key": "`openpai repair` moves the file to .openpai/quarantine.",

	"invalid-lock-file":       "`openpai init` creates a missing lock file.",
	"item-not-a-job":          "Declare an openpai_job whose task role lists the prerequisite.",
	"item-not-a-prerequisite": "Declare the item as an openpai_job.",
	"item-not-found":          "The data source openpai_marketplace_items lists the items of a source.",
	"lock-mismatch":           "`openpai lock --update ADDRESS` updates the lock file of the working directory.",
}
