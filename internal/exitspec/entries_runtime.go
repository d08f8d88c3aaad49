// SPDX-License-Identifier: MPL-2.0

package exitspec

// Exit codes of the runtime itself.
const (
	CodeSucceeded = 0
	// CodeConfiguration is the code for a task that cannot run with its
	// configuration. The codes from CodeConfiguration to CodeNoSpace are extensions
	// of this project.
	CodeConfiguration         = 240
	CodePrerequisite          = 241
	CodeChecksum              = 242
	CodeSourceUnreachable     = 243
	CodeSourceRefused         = 244
	CodePlugin                = 245
	CodeNoSpace               = 246
	CodeSSHBarrierTimeout     = 249
	CodeBarrierTransient      = 250
	CodeGangTimeout           = 251
	CodeBarrierPermanent      = 252
	CodePortConflict          = 253
	CodeImageNotExists        = 254
	CodeUnknown               = 255
	codeUndefinedNegative     = -8000
	codeRuntimeExitAbnormally = 256
)

// runtimeEntries contains the codes of the runtime. The last two entries are for codes
// that are not in the specification.
var runtimeEntries = []Entry{
	{Code: CodeSucceeded, Phrase: "Succeeded", Issuer: IssuerUser, Causer: CauserUser, Type: TypeSuccess, Stage: StageCompleting, Behavior: Unknown,
		Reason: "the task succeeded"},
	{Code: CodeConfiguration, Phrase: "TaskConfigurationError", Issuer: IssuerRuntime, Causer: CauserUser, Type: TypeUser, Stage: StageLaunching, Behavior: Permanent,
		Reason: "the task cannot run with its image or configuration", Hint: HintReadMessage},
	{Code: CodePrerequisite, Phrase: "PrerequisiteFailed", Issuer: IssuerRuntime, Causer: CauserUser, Type: TypeUser, Stage: StageLaunching, Behavior: Unknown,
		Reason: "a prerequisite of the task failed", Hint: HintReadPrerequisite},
	{Code: CodeChecksum, Phrase: "FetchChecksumMismatch", Issuer: IssuerRuntime, Causer: CauserUser, Type: TypeUser, Stage: StageLaunching, Behavior: Permanent,
		Reason: "downloaded data does not match the declared checksum", Hint: HintCheckChecksum},
	{Code: CodeSourceUnreachable, Phrase: "FetchSourceUnreachable", Issuer: IssuerRuntime, Causer: CauserPlatform, Type: TypePlatform, Stage: StageLaunching, Behavior: Transient,
		Reason: "a server that provides the task's data did not respond or was not ready", Hint: HintCheckServer},
	{Code: CodeSourceRefused, Phrase: "FetchSourceRefused", Issuer: IssuerRuntime, Causer: CauserUser, Type: TypeUser, Stage: StageLaunching, Behavior: Permanent,
		Reason: "the task's data does not exist at the configured location, or the task may not read it", Hint: HintCheckSource},
	{Code: CodePlugin, Phrase: "RuntimePluginFailed", Issuer: IssuerRuntime, Causer: CauserUndetermined, Type: TypeUnknown, Stage: StageLaunching, Behavior: Unknown,
		Reason: "a runtime plugin of the task failed", Hint: HintReadPlugin},
	{Code: CodeNoSpace, Phrase: "NoSpaceLeft", Issuer: IssuerRuntime, Causer: CauserUndetermined, Type: TypeUnknown, Stage: StageRunning, Behavior: Unknown,
		Reason: "a file system had no space left", Hint: HintFreeSpace,
		Patterns: userLogs(tail(`(?i)no space left on device`, "no space left on device"), tail(`(?i)disk quota exceeded`, "disk quota exceeded"))},
	{Code: CodeSSHBarrierTimeout, Phrase: "PAIRuntimeSSHBarrierTimeout", Issuer: IssuerRuntime, Causer: CauserRuntime, Type: TypePlatform, Stage: StageRunning, Behavior: Permanent,
		Reason: "some tasks were not reachable over SSH in time", Hint: HintRaiseSSHTimeout,
		Patterns: []Pattern{{ExitCode: 10, RuntimeLog: newRegexp(`SSH barrier reaches max retry count`, "ssh barrier reaches max retry count")}}},
	{Code: CodeBarrierTransient, Phrase: "FrameworkBarrierTransientFailed", Issuer: IssuerRuntime, Causer: CauserRuntime, Type: TypePlatform, Stage: StageLaunching, Behavior: Transient,
		Reason: "the API server was unreachable while the tasks waited for each other", Hint: HintWaitForRetry},
	{Code: CodeGangTimeout, Phrase: "JobGangAllocationTimeout", Issuer: IssuerRuntime, Causer: CauserResources, Type: TypeResources, Stage: StageAllocating, Behavior: TransientConflict,
		Reason: "not all tasks of the job received their resources in time", Hint: HintAskForLess},
	{Code: CodeBarrierPermanent, Phrase: "FrameworkBarrierPermanentFailed", Issuer: IssuerRuntime, Causer: CauserRuntime, Type: TypePlatform, Stage: StageLaunching, Behavior: Permanent,
		Reason: "the tasks could not wait for each other: the job no longer exists, or its service account may not read it", Hint: HintReadPermission},
	{Code: CodePortConflict, Phrase: "ContainerPortConflict", Issuer: IssuerRuntime, Causer: CauserRuntime, Type: TypePlatform, Stage: StageLaunching, Behavior: Transient,
		Reason: "a port of the task is already in use on its node", Hint: HintOtherPorts},
	{Code: CodeImageNotExists, Phrase: "ContainerImageNotExists", Issuer: IssuerRuntime, Causer: CauserRuntime, Type: TypeUser, Stage: StageLaunching, Behavior: Permanent,
		Reason: "the image does not exist, or its registry rejects the login", Hint: HintCheckImage},
	{Code: CodeUnknown, Phrase: "PAIRuntimeUnknownFailed", Issuer: IssuerRuntime, Causer: CauserUndetermined, Type: TypeUnknown, Stage: StageUnknown, Behavior: Unknown,
		Reason: "the task failed for an unknown reason", Hint: HintReadEndOfLog},
	{Code: codeUndefinedNegative, Phrase: "ContainerUndefinedNegativeExitCode", Issuer: IssuerUnknown, Causer: CauserUndetermined, Type: TypeUnknown, Stage: StageUnknown, Behavior: Unknown,
		Reason: "the task ended with an exit code that is not in the specification", Hint: HintReadDiagnostics},
	{Code: codeRuntimeExitAbnormally, Phrase: "PAIRuntimeExitAbnormally", Issuer: IssuerRuntime, Causer: CauserRuntime, Type: TypePlatform, Stage: StageUnknown, Behavior: Unknown,
		Reason: "the runtime ended with an unknown exit code", Hint: HintReadRuntimeLog},
}
