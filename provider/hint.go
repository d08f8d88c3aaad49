// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"fmt"

	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// hint returns a hint as a clause.
func hint(h message.Hint) string {
	switch h.Kind {
	case message.HintAdopt:
		return adoptHint(h)
	case message.HintReplace:
		return "replace it with -replace"
	case message.HintPlanOnline:
		return "plan again when the cluster answers"
	case message.HintContinueSubmission:
		return `"terraform apply" continues it, "terraform destroy" removes it`
	case message.HintContinueJob:
		return `"terraform apply" continues it`
	case message.HintContinueDeletion:
		return `"terraform destroy" continues that, "terraform apply" submits it again`
	case message.HintFinishDeletion:
		return `"terraform destroy" finishes that, "terraform apply" submits it again`
	case message.HintSubmitAgain:
		return `"terraform apply" submits it again, "terraform destroy" removes what is left`
	case message.HintRepair:
		return `"terraform destroy" removes the files of the job, "openpai repair" puts them aside`
	case message.HintRemoveLogs:
		return `"terraform destroy" still works and removes its logs`
	case message.HintStoredLog:
		return "the whole log is kept in " + h.Place
	}
	if text, ok := itemHint(h); ok {
		return text
	}
	return clusterHint(h)
}

func adoptHint(h message.Hint) string {
	if h.Workspace != "" {
		return "write that workspace in the provider block."
	}
	return "take that one over with: terraform import ADDRESS " + h.Job
}

// itemHint returns hints about items. A data source reads locked items.
func itemHint(h message.Hint) (text string, ok bool) {
	switch h.Kind {
	case message.HintLookUpAgain, message.HintAcceptItem: // about an item in the lock file
		return "update the lock file when the change is wanted", true
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
		return "the data source openpai_cluster lists all that is needed"
	case message.HintListMissing:
		return "the data source openpai_cluster reports what it lacks"
	case message.HintCheckAsAdministrator:
		return "let an administrator read this data source"
	case message.HintStorageDirectory:
		return fmt.Sprintf("declare an openpai_storage %q with host_path", h.Name)
	case message.HintRuntimeBase:
		return "or use an image of yours that has a shell"
	}
	panic("provider: no words for the hint " + string(h.Kind))
}

// advice returns advice about the result of a cluster check, for Terraform users.
// If it only concerns the cluster, and not the configuration, it uses the text of
// the command line, because administrators of a cluster need its commands in any
// case.
func advice(a message.Advice) string {
	switch a.Kind {
	case message.AdviceVolumePermission:
		return "Let an administrator create the volume and the claim, and set claim of the openpai_storage."
	case message.AdvicePriorityPermission:
		return fmt.Sprintf("Ask for what %q prints, or remove priority_class from the provider block.", phrase(message.CommandPriorityClassManifests))
	case message.AdviceConnection:
		return "Check kubeconfig and context of the provider block."
	case message.AdviceNamespace:
		return "Create it, or set another namespace in the provider block."
	case message.AdvicePodSecurity:
		return `Set pod_security = "restricted" in the provider block.`
	case message.AdviceRuntimeImage:
		return fmt.Sprintf("Push one with %q and set runtime_image in the provider block.", phrase(message.CommandPushRuntime))
	}
	return view.Advice(a)
}
