// SPDX-License-Identifier: MPL-2.0

package exitspec

// logEntries contains the codes whose patterns match the output of the user's
// program. Patterns that also match healthy programs apply only to the end of the
// log.
var logEntries = []Entry{
	{Code: 220, Phrase: "UserCommandExitWithError", Issuer: IssuerUser, Causer: CauserUser, Type: TypeUser, Stage: StageRunning, Behavior: Permanent,
		Reason: "a command was not found", Hint: HintCorrectCommand,
		Patterns: []Pattern{{ExitCode: 127, UserLog: tail(`(?i)command not found|: not found`, "command not found", ": not found")}}},
	userFailure(221, "ContainerTensorflowOOMKilled", "TensorFlow ran out of GPU memory", HintSaveGPUMemory,
		tail(`(?i)ResourceExhaustedError|OOM when allocating tensor`, "resourceexhaustederror", "oom when allocating tensor"),
		tail(`(?i)ran out of memory trying to allocate`, "ran out of memory trying to allocate").unless("not a failure")),
	userFailure(222, "ContainerMPISegvFault", "an MPI process accessed invalid memory", HintCheckMPILibraries,
		newRegexp(`(?i)signal code: address not mapped`, "signal code: address not mapped")),
	{Code: 223, Phrase: "ContainerCudaUncorrectableECCError", Issuer: IssuerRuntime, Causer: CauserHardware, Type: TypePlatform, Stage: StageRunning, Behavior: Transient,
		Reason: "a GPU reported an uncorrectable memory error", Hint: HintReportNodeAndWait,
		Patterns: userLogs(newRegexp(`(?i)CUDA_ERROR_ECC_UNCORRECTABLE|uncorrectable ECC error encountered`, "cuda_error_ecc_uncorrectable", "uncorrectable ecc error encountered"))},
	userFailure(224, "ContainerCudaVersionMismatch", "the node's GPU driver is too old for the image's CUDA version", HintMatchCUDA,
		newRegexp(`(?i)cuda driver version is insufficient for cuda runtime version`, "cuda driver version is insufficient for cuda runtime version")),
	userFailure(225, "ContainerCudaDnnVersionMismatch", "the image's cuDNN version does not match the program", HintMatchCUDNN,
		newRegexp(`(?i)dropout supported only in cudnn v`, "dropout supported only in cudnn v"),
		newRegexp(`(?i)loaded runtime cudnn library: .* but source was compiled with`, "loaded runtime cudnn library")),
	userFailure(226, "ContainerCudaOOMKilled", "the program ran out of GPU memory", HintSaveGPUMemory,
		tail(`(?i)cuda runtime error \(2\) ?: out of memory`, "cuda runtime error (2)"),
		tail(`(?i)CUDA out of memory|CUDA error: out of memory|CUDA_ERROR_OUT_OF_MEMORY|torch\.(cuda\.)?OutOfMemoryError`,
			"cuda out of memory", "cuda error: out of memory", "cuda_error_out_of_memory", "outofmemoryerror")),
	{Code: 236, Phrase: "NCCLError", Issuer: IssuerRuntime, Causer: CauserUndetermined, Type: TypeUnknown, Stage: StageRunning, Behavior: Unknown,
		Reason: "the job's GPUs could not communicate (NCCL)", Hint: HintCheckNCCL,
		Patterns: userLogs(
			tail(`\bNCCL (ERROR|error|failure)\b|\bDistBackendError\b`, "nccl error", "nccl failure", "distbackenderror"),
			tail(`\bnccl(UnhandledCuda|System|Internal|Remote)Error\b`, "ncclunhandledcudaerror", "ncclsystemerror", "ncclinternalerror", "ncclremoteerror"),
			tail(`\bNCCL communicator was aborted\b|\bNCCL WARN .*: Call to .* failed`, "nccl communicator was aborted", "nccl warn"),
			tail(`Watchdog caught collective operation timeout`, "watchdog caught collective operation timeout"))},
	userFailure(228, "ContainerIncorrectParameterError", "the program rejected its arguments", HintCorrectArguments,
		tail(`(?i)unknown option`, "unknown option"),
		tail(`(?i)typeerror: dynamic_rnn\(\) got`, "dynamic_rnn() got"),
		tail(`(?i)bad argument #2 to`, "bad argument #2 to"),
		tail(`(?i)invalid argument:`, "invalid argument:"),
		tail(`(?i)option -start_symbol has no default value`, "option -start_symbol has no default value"),
		tail(`error: (unrecognized arguments:|the following arguments are required:|argument .*: (invalid|expected))`,
			"error: unrecognized arguments:", "error: the following arguments are required:", "error: argument ")),
	userFailure(229, "ContainerIncorrectDataModelError", "the program could not read its data or model", HintCheckData,
		tail(`(?i)filenotfounderror: \[errno 2\] no such file`, "filenotfounderror:"),
		tail(`(?i)unicode(en|de)codeerror\b`, "unicodeencodeerror", "unicodedecodeerror"),
		tail(`(?i)eoferror: ran out of input`, "eoferror: ran out of input"),
		tail(`(?i)(wrong|unknown|unsupported) file format`, "file format"),
		tail(`(?i)unknown (text|label) header`, "unknown text header", "unknown label header"),
		tail(`(?i)\bbadzipfile:`, "badzipfile:"),
		tail(`(?i)\bdatalosserror\b`, "datalosserror"),
		tail(`(?i)input/output error`, "input/output error")),
	userFailure(230, "ContainerInvalidSavePath", "the program could not restore a checkpoint from the specified path", HintCheckCheckpoint,
		tail(`(?i)restore called with invalid save path|save_path is not a valid checkpoint`, "restore called with invalid save path", "save_path is not a valid checkpoint")),
	userFailure(231, "ContainerSyntaxError", "the program has an error in its code", HintCorrectCode,
		tail(`\b(SyntaxError|IndentationError|TabError): `, "syntaxerror: ", "indentationerror: ", "taberror: "),
		tail(`\bUnpicklingError\b`, "unpicklingerror"),
		tail(`(?i)assign requires shapes of both tensors to match`, "assign requires shapes of both tensors to match"),
		tail(`(?i)\.lua:\d+: .*(attempt to|bad argument)`, ".lua:"),
		tail(`\bAttributeError: .*has no attribute`, "attributeerror: "),
		tail(`\bNameError: name .* is not defined`, "nameerror: name ")),
	userFailure(232, "ContainerImportError", "a Python module was not found or could not be loaded", HintInstallModule,
		tail(`\b(ImportError|ModuleNotFoundError): `, "importerror: ", "modulenotfounderror: ")),
	userFailure(233, "ContainerIndexOutOfRange", "the program used an index outside the bounds of a list or array", HintCorrectCode,
		tail(`\bIndexError: .*out of (range|bounds)`, "indexerror: ")),
	userFailure(234, "ContainerSigvFault", "a process accessed invalid memory", HintCheckLibraries,
		tail(`(?i)segmentation fault`, "segmentation fault")),
	userFailure(235, "ContainerEngineCoreDump", "a process crashed and dumped core", HintReadOutputBefore,
		tail(`(?i)core dumped`, "core dumped")),
	{Code: 238, Phrase: "UserCommandNotExecutable", Issuer: IssuerUser, Causer: CauserUser, Type: TypeUser, Stage: StageRunning, Behavior: Permanent,
		Reason: "a program is not executable", Hint: HintMakeExecutable,
		Patterns: []Pattern{{ExitCode: 126, UserLog: tail(`(?i)(permission denied|is a directory|cannot execute.*|exec format error)$`,
			"permission denied", "is a directory", "cannot execute", "exec format error")}}},
	// Some programs print this line and then continue. A retry remains possible.
	{Code: 237, Phrase: "PermissionDenied", Issuer: IssuerRuntime, Causer: CauserUser, Type: TypeUser, Stage: StageRunning, Behavior: Unknown,
		Reason: "the program has no permission to read or write a file", Hint: HintCheckPermissions,
		Patterns: userLogs(tail(`\bPermissionError: `, "permissionerror: "), tail(`: Permission denied$`, ": permission denied"))},
	// This entry follows the entries for the program's messages, because a
	// GPU error is only a possible cause.
	{Code: 128, Phrase: "ContainerMayFailDueToGpuDeviceEccError", Issuer: IssuerUser, Causer: CauserHardware, Type: TypePlatform, Stage: StageRunning, Behavior: Unknown,
		Reason: "the program failed on a node whose GPU has memory errors, which may be the cause", Hint: HintReportNode,
		Patterns: []Pattern{{ECC: true}}},
}

func userFailure(code int, phrase, reason string, hint Hint, expressions ...*Regexp) Entry {
	return Entry{Code: code, Phrase: phrase, Issuer: IssuerRuntime, Causer: CauserUser, Type: TypeUser, Stage: StageRunning, Behavior: Permanent,
		Reason: reason, Hint: hint, Patterns: userLogs(expressions...)}
}

func userLogs(expressions ...*Regexp) []Pattern {
	var patterns []Pattern
	for _, e := range expressions {
		patterns = append(patterns, Pattern{UserLog: e})
	}
	return patterns
}
