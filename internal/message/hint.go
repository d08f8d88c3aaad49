package message

import (
	"unicode"
	"unicode/utf8"
)

// Hint is what a user can do, as a kind and its data. A front end phrases it as
// a clause, such as "run `openpai init` to look it up".
type Hint struct {
	Kind HintKind
	// Address is that of a job in the configuration.
	Address string
	// Job is the user and name of a job, as in alice~mnist.
	Job string
	// Workspace is the workspace that owns the job now, "" for none.
	Workspace string
	// Item is the address of an item of a marketplace.
	Item string
	// Path is the workspace that the hint is about, as the user gave it; "" is
	// the current directory. Marketplaces are the sources that were given beside
	// it, as NAME=SOURCE.
	Path         string
	Marketplaces []string
	// Name is that of a storage or job.
	Name string
	// Place is where a log is kept.
	Place string
	// Sentence asks for a sentence instead of a clause.
	Sentence bool
}

// HintKind says what a hint advises.
type HintKind string

// Hints about jobs.
const (
	// HintAdopt follows "Rename this one, or": take over the job that is
	// there. Address, Job, and the Workspace of its owner.
	HintAdopt HintKind = "adopt"
	// HintReplace: replace the job of the Address.
	HintReplace HintKind = "replace"
	// HintPlanOnline: plan with the live state.
	HintPlanOnline HintKind = "plan-online"
	// HintContinueSubmission: continue or remove what was submitted in part.
	HintContinueSubmission HintKind = "continue-submission"
	// HintContinueJob: continue a job without a supervisor.
	HintContinueJob HintKind = "continue-job"
	// HintContinueDeletion: continue what was deleted in part, or submit again.
	HintContinueDeletion HintKind = "continue-deletion"
	// HintFinishDeletion: see the end of a deletion, or submit again.
	HintFinishDeletion HintKind = "finish-deletion"
	// HintSubmitAgain: submit a job again that vanished, or remove its rest.
	HintSubmitAgain HintKind = "submit-again"
	// HintRepair: put the files of a job aside that cannot be read, or remove
	// them.
	HintRepair HintKind = "repair"
	// HintRemoveLogs: destroy the job to remove its logs.
	HintRemoveLogs HintKind = "remove-logs"
	// HintStoredLog: read the whole log at the Place.
	HintStoredLog HintKind = "stored-log"
)

// Hints about items and marketplaces.
const (
	// HintLookUp: look up the Item, or all items, that the lock file lacks.
	HintLookUp HintKind = "look-up"
	// HintFetch: fetch the Item, or all items, that this machine lacks.
	HintFetch HintKind = "fetch"
	// HintFetchAgain: replace what the cache holds.
	HintFetchAgain HintKind = "fetch-again"
	// HintLookUpAgain: look up the locked Item again.
	HintLookUpAgain HintKind = "look-up-again"
	// HintUpdateLock: update the locked Item.
	HintUpdateLock HintKind = "update-lock"
	// HintAcceptItem: update the locked Item if its change is wanted.
	HintAcceptItem HintKind = "accept-item"
	// HintNewerItem: update the locked Item to what the marketplace has.
	HintNewerItem HintKind = "newer-item"
	// HintRunItem: run the Item, a whole job.
	HintRunItem HintKind = "run-item"
	// HintUseItem: write a job around the Item, a prerequisite.
	HintUseItem HintKind = "use-item"
	// HintDeclareMarketplace: declare a marketplace.
	HintDeclareMarketplace HintKind = "declare-marketplace"
	// HintAuthor: name the author of the item.
	HintAuthor HintKind = "author"
	// HintChooseJob: choose one of several jobs.
	HintChooseJob HintKind = "choose-job"
)

// Hints about clusters and this machine.
const (
	// HintListRequirements: list all that a cluster must permit.
	HintListRequirements HintKind = "list-requirements"
	// HintListMissing: list what a cluster lacks.
	HintListMissing HintKind = "list-missing"
	// HintCheckAsAdministrator: let an administrator check the cluster.
	HintCheckAsAdministrator HintKind = "check-as-administrator"
	// HintStorageDirectory: give the directory of the storage of the Name.
	HintStorageDirectory HintKind = "storage-directory"
	// HintRuntimeBase: choose another base for the runtime image.
	HintRuntimeBase HintKind = "runtime-base"
)

// HintKinds lists every kind, for the tests of the front ends.
func HintKinds() []HintKind {
	return []HintKind{
		HintAdopt, HintReplace, HintPlanOnline, HintContinueSubmission, HintContinueJob, HintContinueDeletion, HintFinishDeletion, HintSubmitAgain, HintRepair, HintRemoveLogs, HintStoredLog,
		HintLookUp, HintFetch, HintFetchAgain, HintLookUpAgain, HintUpdateLock, HintAcceptItem, HintNewerItem, HintRunItem, HintUseItem,
		HintDeclareMarketplace, HintAuthor, HintChooseJob,
		HintListRequirements, HintListMissing, HintCheckAsAdministrator, HintStorageDirectory, HintRuntimeBase,
	}
}

// Fact marks a hint as a fact.
func (Hint) Fact() {}

// Finish returns the clause of a front end as the hint asks for it: as it is, or
// as a sentence.
func (h Hint) Finish(clause string) string {
	if !h.Sentence {
		return clause
	}
	first, size := utf8.DecodeRuneInString(clause)
	return string(unicode.ToUpper(first)) + clause[size:] + "."
}

func (h Hint) String() string { return "hint:" + string(h.Kind) }

// Command is an action of the user, which each front end calls by the name of
// its own command.
type Command string

// The commands.
const (
	CommandInit                   Command = "init"
	CommandLogs                   Command = "logs"
	CommandManifests              Command = "manifests"
	CommandPriorityClassManifests Command = "priority-class-manifests"
	CommandPushRuntime            Command = "push-runtime"
)

// Commands lists every command, for the tests of the front ends.
func Commands() []Command {
	return []Command{
		CommandInit, CommandLogs,
		CommandManifests, CommandPriorityClassManifests, CommandPushRuntime,
	}
}

// Fact marks a command as a fact.
func (Command) Fact() {}

func (c Command) String() string { return string(c) }

// Option is an input of an operation, which each front end calls by another
// name, such as that of a flag.
type Option string

// The options.
const (
	OptionVariable   Option = "var"
	OptionJob        Option = "job"
	OptionPath       Option = "path"
	OptionLogStorage Option = "log-storage"
)

// Options lists every option, for the tests of the front ends.
func Options() []Option {
	return []Option{OptionVariable, OptionJob, OptionPath, OptionLogStorage}
}

// Fact marks an option as a fact.
func (Option) Fact() {}

func (o Option) String() string { return string(o) }
