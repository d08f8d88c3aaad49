// SPDX-License-Identifier: MPL-2.0

package exitspec

// containerEntries contains the codes of the container engine, the operating system
// and the hardware. Negative codes are derived from the container state, because a
// container cannot exit with a negative code.
var containerEntries = []Entry{
	{Code: -1300, Phrase: "InitContainerDockerOOMKilled", Issuer: IssuerContainer, Causer: CauserRuntime, Type: TypePlatform, Stage: StageLaunching, Behavior: Transient,
		Reason: "the init container ran out of memory and was killed", Hint: HintReportRepetition,
		Patterns: []Pattern{{Container: &ContainerPattern{Name: "init", Reason: newRegexp(`^OOMKilled$`)}}}},
	{Code: -1200, Phrase: "UserContainerDockerOOMKilled", Issuer: IssuerContainer, Causer: CauserUser, Type: TypeUser, Stage: StageRunning, Behavior: Permanent,
		Reason: "the task exceeded its memory limit and was killed", Hint: HintRaiseMemory,
		Patterns: []Pattern{{Container: &ContainerPattern{Reason: newRegexp(`^OOMKilled$`)}}, {OOMKilled: true}}},
	{Code: -1201, Phrase: "ContainerDockerCreationError", Issuer: IssuerContainer, Causer: CauserUndetermined, Type: TypeUnknown, Stage: StageLaunching, Behavior: Unknown,
		Reason: "the container could not be created", Hint: HintReadContainerMessage,
		Patterns: cannotRun(125, nil)},
	{Code: -1202, Phrase: "ContainerDockerStartCmdPermissionDenied", Issuer: IssuerContainer, Causer: CauserRuntime, Type: TypePlatform, Stage: StageLaunching, Behavior: Permanent,
		Reason: "the container's entrypoint is not executable", Hint: HintCheckExecutable,
		Patterns: cannotRun(126, nil)},
	// An entry that matches a specific message precedes the general entries
	// for the same exit code.
	{Code: -1205, Phrase: "ContainerGpuDeviceNotFoundError", Issuer: IssuerContainer, Causer: CauserHardware, Type: TypePlatform, Stage: StageLaunching, Behavior: Transient,
		Reason: "a GPU assigned to the task is not available", Hint: HintReportNodeAndWait,
		Patterns: cannotRun(128, newRegexp(`(?i)nvidia-container-cli: device error: .*unknown device`))},
	{Code: -1203, Phrase: "ContainerDockerStartCmdNotFound", Issuer: IssuerContainer, Causer: CauserRuntime, Type: TypePlatform, Stage: StageLaunching, Behavior: Permanent,
		Reason: "the container's entrypoint was not found", Hint: HintCheckRuntimeImage,
		Patterns: append(cannotRun(127, nil), cannotRun(128, newRegexp(`(?i)not found|cannot find|no such`))...)},
	{Code: -1204, Phrase: "ContainerDockerStartUnknownError", Issuer: IssuerContainer, Causer: CauserUndetermined, Type: TypeUnknown, Stage: StageLaunching, Behavior: Unknown,
		Reason: "the container could not be started", Hint: HintReadContainerMessage,
		Patterns: cannotRun(128, nil)},

	{Code: 130, Phrase: "ContainerSigIntReceived", Issuer: IssuerOS, Causer: CauserOS, Type: TypePlatform, Stage: StageRunning, Behavior: Transient,
		Reason: "the task received SIGINT from outside", Hint: HintWaitForRetry,
		Patterns: forwarded(130)},
	{Code: 131, Phrase: "ContainerSigQuitReceived", Issuer: IssuerOS, Causer: CauserOS, Type: TypePlatform, Stage: StageRunning, Behavior: Transient,
		Reason: "the task received SIGQUIT from outside", Hint: HintWaitForRetry,
		Patterns: forwarded(131)},
	{Code: 132, Phrase: "ContainerSigIllReceived", Issuer: IssuerUser, Causer: CauserUser, Type: TypeUser, Stage: StageRunning, Behavior: Permanent,
		Reason: "the program executed an instruction that this processor does not support (SIGILL)", Hint: HintBuildForProcessor,
		Patterns: exit(132)},
	{Code: 134, Phrase: "ContainerSigAbrtReceived", Issuer: IssuerUser, Causer: CauserUndetermined, Type: TypeUnknown, Stage: StageRunning, Behavior: Unknown,
		Reason: "the program aborted (SIGABRT)", Hint: HintFindAssertion,
		Patterns: exit(134)},
	{Code: 135, Phrase: "ContainerSigBusReceived", Issuer: IssuerUser, Causer: CauserUser, Type: TypeUser, Stage: StageRunning, Behavior: Permanent,
		Reason: "the program accessed unbacked memory (SIGBUS), often because shared memory is full", Hint: HintRaiseSharedMemory,
		Patterns: exit(135)},
	{Code: 136, Phrase: "ContainerSigFpeReceived", Issuer: IssuerUser, Causer: CauserUser, Type: TypeUser, Stage: StageRunning, Behavior: Permanent,
		Reason: "the program caused an arithmetic error, such as a division by zero (SIGFPE)", Hint: HintCorrectProgram,
		Patterns: exit(136)},
	{Code: 137, Phrase: "ContainerSigKillReceived", Issuer: IssuerOS, Causer: CauserOS, Type: TypePlatform, Stage: StageRunning, Behavior: Transient,
		Reason: "the task was killed from outside (SIGKILL)", Hint: HintWaitForRetry,
		Patterns: forwarded(137)},
	{Code: 139, Phrase: "ContainerSigSegvReceived", Issuer: IssuerUser, Causer: CauserUndetermined, Type: TypeUnknown, Stage: StageRunning, Behavior: Unknown,
		Reason: "the program accessed invalid memory (SIGSEGV)", Hint: HintCheckLibraries,
		Patterns: exit(139)},
	{Code: 141, Phrase: "ContainerSigPipeReceived", Issuer: IssuerUser, Causer: CauserUser, Type: TypeUser, Stage: StageRunning, Behavior: Permanent,
		Reason: "the program wrote to a closed pipe or connection (SIGPIPE)", Hint: HintCorrectProgram,
		Patterns: exit(141)},
	{Code: 143, Phrase: "ContainerSigTermReceived", Issuer: IssuerOS, Causer: CauserOS, Type: TypePlatform, Stage: StageRunning, Behavior: Transient,
		Reason: "the task received SIGTERM from outside", Hint: HintWaitForRetry,
		Patterns: forwarded(143)},
}

func exit(code int) []Pattern      { return []Pattern{{ExitCode: code}} }
func forwarded(code int) []Pattern { return []Pattern{{ExitCode: code, Forwarded: true}} }

// cannotRun matches a container that never started. docker and containerd
// report different reasons.
func cannotRun(code int, message *Regexp) []Pattern {
	return []Pattern{{Container: &ContainerPattern{Reason: newRegexp(`^(ContainerCannotRun|StartError)$`), ExitCode: code, Message: message}}}
}
