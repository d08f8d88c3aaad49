// SPDX-License-Identifier: MPL-2.0

package message

import (
	"unicode"
	"unicode/utf8"
)

// Hint is an action that a user can take. A hint consists of a kind and the data
// that the kind requires. Front ends phrase a hint as a clause: "run `openpai
// init` to look it up".
type Hint struct {
	Kind HintKind
	// Address is the address of a job in the configuration.
	Address string
	// Job is the username and name of a job, such as alice~mnist.
	Job string
	// Workspace is the workspace that owns the job, or "".
	Workspace string
	// Item is the address of a marketplace item.
	Item string
	// Path is the workspace path as the user specified it. "" means the current
	// directory. Marketplaces are the additional sources, as NAME=SOURCE.
	Path         string
	Marketplaces []string
	// Values are the variable values from the user's options, as NAME=VALUE.
	// Sensitive variables are omitted. VarFiles are the variables files from the
	// user's options.
	Values, VarFiles []string
	// Name is the name of a storage or job.
	Name string
	// Place is the location of a stored log.
	Place string
	// Sentence requests a sentence instead of a clause.
	Sentence bool
}

// HintKind is the kind of a hint.
type HintKind string

// Hints about jobs.
const (
	// HintAdopt means: adopt the existing job. The text before the hint is
	// "Rename this job, or". The hint uses Address, Job and Workspace.
	HintAdopt HintKind = "adopt"
	// HintReplace means: replace the job at Address.
	HintReplace HintKind = "replace"
	// HintPlanOnline means: plan with the live state.
	HintPlanOnline HintKind = "plan-online"
	// HintContinueSubmission means: resume or remove an incomplete submission.
	HintContinueSubmission HintKind = "continue-submission"
	// HintContinueJob means: resume a job that has no running supervisor.
	HintContinueJob HintKind = "continue-job"
	// HintContinueDeletion means: resume an incomplete deletion, or submit again.
	HintContinueDeletion HintKind = "continue-deletion"
	// HintFinishDeletion means: finish a deletion, or submit again.
	HintFinishDeletion HintKind = "finish-deletion"
	// HintSubmitAgain means: submit a deleted job again, or remove its remaining
	// objects.
	HintSubmitAgain HintKind = "submit-again"
	// HintRepair means: move or remove the unreadable files of a job.
	HintRepair HintKind = "repair"
	// HintRepairKey means: quarantine the damaged key for secret versions.
	HintRepairKey HintKind = "repair-key"
	// HintRemoveLogs means: destroy the job to remove its logs.
	HintRemoveLogs HintKind = "remove-logs"
	// HintStoredLog means: read the complete log at Place.
	HintStoredLog HintKind = "stored-log"
)

// Hints about items and marketplaces.
const (
	// HintLookUp means: look up Item. If Item is "", look up all items that are
	// not locked.
	HintLookUp HintKind = "look-up"
	// HintFetch means: fetch Item. If Item is "", fetch all items that are
	// not on this machine.
	HintFetch HintKind = "fetch"
	// HintFetchAgain means: replace the cached content.
	HintFetchAgain HintKind = "fetch-again"
	// HintLookUpAgain means: look up the locked Item again.
	HintLookUpAgain HintKind = "look-up-again"
	// HintUpdateLock means: update the locked Item.
	HintUpdateLock HintKind = "update-lock"
	// HintAcceptItem means: update the locked Item if its change is intended.
	HintAcceptItem HintKind = "accept-item"
	// HintNewerItem means: update the locked Item to the version in the marketplace.
	HintNewerItem HintKind = "newer-item"
	// HintRunItem means: run Item, because it is a whole job.
	HintRunItem HintKind = "run-item"
	// HintUseItem means: create a job that uses Item, because Item is a
	// prerequisite.
	HintUseItem HintKind = "use-item"
	// HintDeclareMarketplace: declare a marketplace.
	HintDeclareMarketplace HintKind = "declare-marketplace"
	// HintAuthor means: specify the author of the item.
	HintAuthor HintKind = "author"
	// HintChooseJob means: choose one of several jobs.
	HintChooseJob HintKind = "choose-job"
)

// Hints about clusters and this machine.
const (
	// HintListRequirements means: list all permissions that a cluster must grant.
	HintListRequirements HintKind = "list-requirements"
	// HintListMissing means: list all missing requirements of a cluster.
	HintListMissing HintKind = "list-missing"
	// HintCheckAsAdministrator means: have an administrator check the cluster.
	HintCheckAsAdministrator HintKind = "check-as-administrator"
	// HintStorageDirectory means: specify the directory for the storage called
	// Name.
	HintStorageDirectory HintKind = "storage-directory"
	// HintRuntimeBase means: build the runtime image from a different base
	// image.
	HintRuntimeBase HintKind = "runtime-base"
)

// HintKinds returns all kinds, for the tests of the front ends.
func HintKinds() []HintKind {
	return []HintKind{
		HintAdopt, HintReplace, HintPlanOnline, HintContinueSubmission, HintContinueJob, HintContinueDeletion, HintFinishDeletion, HintSubmitAgain, HintRepair, HintRepairKey, HintRemoveLogs, HintStoredLog,
		HintLookUp, HintFetch, HintFetchAgain, HintLookUpAgain, HintUpdateLock, HintAcceptItem, HintNewerItem, HintRunItem, HintUseItem,
		HintDeclareMarketplace, HintAuthor, HintChooseJob,
		HintListRequirements, HintListMissing, HintCheckAsAdministrator, HintStorageDirectory, HintRuntimeBase,
	}
}

// Fact implements [Fact].
func (Hint) Fact() {}

// Finish returns a front end's clause, or a sentence if the hint requests
// one.
func (h Hint) Finish(clause string) string {
	if !h.Sentence {
		return clause
	}
	first, size := utf8.DecodeRuneInString(clause)
	return string(unicode.ToUpper(first)) + clause[size:] + "."
}

func (h Hint) String() string { return "hint:" + string(h.Kind) }

// Command is a user action. Each front end replaces a Command with the name of one
// of its commands.
type Command string

// Commands.
const (
	CommandAdopt                  Command = "adopt"
	CommandGraph                  Command = "graph" // as a drawing
	CommandInit                   Command = "init"
	CommandLogs                   Command = "logs"
	CommandManifests              Command = "manifests"
	CommandPriorityClassManifests Command = "priority-class-manifests"
	CommandPushRuntime            Command = "push-runtime"
)

// Commands returns all commands, for the tests of the front ends.
func Commands() []Command {
	return []Command{
		CommandAdopt, CommandGraph, CommandInit, CommandLogs,
		CommandManifests, CommandPriorityClassManifests, CommandPushRuntime,
	}
}

// Fact implements [Fact].
func (Command) Fact() {}

func (c Command) String() string { return string(c) }

// Option is an input of an operation. Each front end replaces an Option with an
// input name, such as a flag.
type Option string

// Options.
const (
	OptionVariable   Option = "var"
	OptionPath       Option = "path"
	OptionLogStorage Option = "log-storage"
	OptionDeployment Option = "deployment"
	OptionRerun      Option = "rerun"
	OptionDetail     Option = "detail"
)

// Options returns all options, for the tests of the front ends.
func Options() []Option {
	return []Option{OptionVariable, OptionPath, OptionLogStorage, OptionDeployment, OptionRerun, OptionDetail}
}

// Fact implements [Fact].
func (Option) Fact() {}

func (o Option) String() string { return string(o) }
