// SPDX-License-Identifier: MPL-2.0

package exitspec

// Hint is an action that a user can take after a task fails. Exit records store
// hints, and front ends print a sentence for each hint. The values never change.
type Hint string

// Hints.
const (
	HintWaitForRetry         Hint = "wait-for-retry"
	HintReportRepetition     Hint = "report-repetition"
	HintReportNode           Hint = "report-node"
	HintReportNodeAndWait    Hint = "report-node-and-wait"
	HintReportRepeatingNode  Hint = "report-repeating-node"
	HintFindDeleter          Hint = "find-deleter"
	HintRaisePriority        Hint = "raise-priority"
	HintServerOverloaded     Hint = "server-overloaded"
	HintFreeQuota            Hint = "free-quota"
	HintUseStorage           Hint = "use-storage"
	HintOtherPorts           Hint = "other-ports"
	HintAskForLess           Hint = "ask-for-less"
	HintRaiseMemory          Hint = "raise-memory"
	HintRaiseSharedMemory    Hint = "raise-shared-memory"
	HintRaiseRunTime         Hint = "raise-run-time"
	HintRaiseSSHTimeout      Hint = "raise-ssh-timeout"
	HintShrinkJob            Hint = "shrink-job"
	HintSaveGPUMemory        Hint = "save-gpu-memory"
	HintReadContainerMessage Hint = "read-container-message"
	HintReadFieldInMessage   Hint = "read-field-in-message"
	HintReadMessage          Hint = "read-message"
	HintReadRefusal          Hint = "read-refusal"
	HintReadPermission       Hint = "read-permission"
	HintRemoveSetting        Hint = "remove-setting"
	HintReadTrigger          Hint = "read-trigger"
	HintReadNodeEvents       Hint = "read-node-events"
	HintReadDiagnostics      Hint = "read-diagnostics"
	HintReadEndOfLog         Hint = "read-end-of-log"
	HintReadRuntimeLog       Hint = "read-runtime-log"
	HintReadOutputBefore     Hint = "read-output-before"
	HintFindAssertion        Hint = "find-assertion"
	HintCheckExecutable      Hint = "check-executable"
	HintCheckRuntimeImage    Hint = "check-runtime-image"
	HintCheckImage           Hint = "check-image"
	HintCheckLibraries       Hint = "check-libraries"
	HintCheckMPILibraries    Hint = "check-mpi-libraries"
	HintCheckData            Hint = "check-data"
	HintCheckCheckpoint      Hint = "check-checkpoint"
	HintBuildForProcessor    Hint = "build-for-processor"
	HintMatchCUDA            Hint = "match-cuda"
	HintMatchCUDNN           Hint = "match-cudnn"
	HintCorrectProgram       Hint = "correct-program"
	HintCorrectCode          Hint = "correct-code"
	HintCorrectArguments     Hint = "correct-arguments"
	HintCorrectCommand       Hint = "correct-command"
	HintInstallModule        Hint = "install-module"
	HintAskMeaning           Hint = "ask-meaning"
	HintRestrictPods         Hint = "restrict-pods"
	HintReadPrerequisite     Hint = "read-prerequisite"
	HintReadPlugin           Hint = "read-plugin"
	HintCheckChecksum        Hint = "check-checksum"
	HintCheckServer          Hint = "check-server"
	HintCheckSource          Hint = "check-source"
	HintCheckHost            Hint = "check-host"
	HintCheckPort            Hint = "check-port"
	HintCheckCertificate     Hint = "check-certificate"
	HintFreeSpace            Hint = "free-space"
	HintCheckNCCL            Hint = "check-nccl"
	HintMakeExecutable       Hint = "make-executable"
	HintCheckPermissions     Hint = "check-permissions"
)

// Fact implements message.Fact in internal/message.
func (Hint) Fact() {}

func (h Hint) String() string { return string(h) }
