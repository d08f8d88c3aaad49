// SPDX-License-Identifier: MPL-2.0

package phrase

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/internal/shellquote"
)

// hint returns a hint as a clause.
func hint(h message.Hint) string {
	switch h.Kind {
	case message.HintAdopt:
		return "adopt the existing job with: openpai adopt " + JobArgument(h.Address)
	case message.HintReplace:
		return fmt.Sprintf("use %s to replace it", rerunArgument(h.Address))
	case message.HintPlanOnline:
		return "plan again without --offline"
	case message.HintContinueSubmission:
		return `"openpai apply" continues the submission, whereas "openpai destroy" removes the job`
	case message.HintContinueJob:
		return `"openpai apply" continues it`
	case message.HintContinueDeletion:
		return `"openpai destroy" continues the deletion, whereas "openpai apply" submits the job again`
	case message.HintFinishDeletion:
		return `"openpai destroy" finishes the deletion, whereas "openpai apply" submits the job again`
	case message.HintSubmitAgain:
		return `"openpai apply" submits the job again, whereas "openpai destroy" removes the remaining objects`
	case message.HintRepair:
		return `"openpai repair" quarantines the files of the job, whereas "openpai destroy" removes them`
	case message.HintRepairKey:
		return `"openpai repair" quarantines the file`
	case message.HintRemoveLogs:
		return `"openpai destroy" still works and removes the logs of the job`
	case message.HintStoredLog:
		return fmt.Sprintf("the complete log is in %s; to print it, pass --log-storage on a machine that mounts the storage", h.Place)
	}
	if text, ok := itemHint(h); ok {
		return text
	}
	return clusterHint(h)
}

func itemHint(h message.Hint) (text string, ok bool) {
	switch h.Kind {
	case message.HintLookUp:
		return fmt.Sprintf("run `%s` to look it up", initOf(h)), true
	case message.HintFetch:
		return fmt.Sprintf("run `%s` to fetch it", initOf(h)), true
	case message.HintFetchAgain:
		return fmt.Sprintf("run `%s` to fetch it again", initOf(h)), true
	case message.HintLookUpAgain:
		return fmt.Sprintf("run `%s` to look it up again", lockOf(h)), true
	case message.HintUpdateLock:
		return fmt.Sprintf("run `%s`", lockOf(h)), true
	case message.HintAcceptItem:
		return fmt.Sprintf("run `%s` if the change is intended", lockOf(h)), true
	case message.HintNewerItem:
		return fmt.Sprintf("`%s` locks the new content", lockOf(h)), true
	case message.HintRunItem:
		return fmt.Sprintf("run it with `%s`", commandLine("openpai run", h.Marketplaces, h.Item)), true
	case message.HintUseItem:
		return fmt.Sprintf("`%s` writes a job that uses it", commandLine("openpai marketplace use", h.Marketplaces, h.Item)), true
	case message.HintDeclareMarketplace:
		return "add a marketplace block, or pass --marketplace NAME=SOURCE", true
	case message.HintAuthor:
		return "set --author", true
	case message.HintChooseJob:
		return "choose one with --job", true
	}
	return "", false
}

func clusterHint(h message.Hint) string {
	switch h.Kind {
	case message.HintListRequirements:
		return `"openpai cluster check" lists all requirements`
	case message.HintListMissing:
		return `"openpai cluster check" lists the missing requirements`
	case message.HintCheckAsAdministrator:
		return "ask an administrator to run this command"
	case message.HintStorageDirectory:
		return fmt.Sprintf("set it with --storage %s=DIRECTORY, or declare storage %q { host_path = ... } in a workspace", h.Name, h.Name)
	case message.HintRuntimeBase:
		return "or build the runtime image from your own base image that contains a shell (make runtime-image RUNTIME_BASE=IMAGE, or openpai cluster push-runtime --base IMAGE)"
	}
	panic("phrase: no text defined for the hint " + string(h.Kind))
}

// initOf returns the command that locks the items of the workspace at h.Item.
// If h.Item is empty, it uses h.Path.
func initOf(h message.Hint) string {
	return commandLine("openpai init"+valueOptions(h), h.Marketplaces, cmp.Or(h.Item, h.Path))
}

// InitCommand returns the command that locks the items of the workspace at
// path. The parameter marketplaces lists sources of items that the workspace
// does not declare.
func InitCommand(path string, marketplaces []string) string {
	if path == "." {
		path = ""
	}
	return initOf(message.Hint{Path: path, Marketplaces: marketplaces})
}

// lockOf returns the command that updates a locked item.
func lockOf(h message.Hint) string {
	return commandLine("openpai lock"+valueOptions(h), h.Marketplaces, h.Path) + " --update " + shellquote.Quote(h.Item)
}

// valueOptions returns the user's options that set values, each preceded by a
// space.
func valueOptions(h message.Hint) string {
	var text strings.Builder
	for _, name := range h.VarFiles {
		text.WriteString(" --var-file " + shellquote.Word(name))
	}
	for _, value := range h.Values {
		text.WriteString(" --var " + shellquote.Word(value))
	}
	return text.String()
}
