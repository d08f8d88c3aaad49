// SPDX-License-Identifier: MPL-2.0

package view

import (
	"cmp"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
)

// ExitAdvice returns advice for a failed task, or "": the advice in the record,
// from the cluster operator or the version that wrote the record, otherwise the
// advice for its hint.
func ExitAdvice(r *exitspec.Record) string { return cmp.Or(r.Advice, exitHints[r.Hint]) }

// exitHints are the clauses for the hints of exit records. An unknown hint of a
// newer version has none.
var exitHints = map[exitspec.Hint]string{
	exitspec.HintWaitForRetry:         "wait for the retry",
	exitspec.HintReportRepetition:     "wait for the retry; ask the administrator when it happens again",
	exitspec.HintReportNode:           "ask the administrator which node it was",
	exitspec.HintReportNodeAndWait:    "wait for the retry; ask the administrator which node it was",
	exitspec.HintReportRepeatingNode:  "wait for the retry; ask the administrator when one node does it again and again",
	exitspec.HintFindDeleter:          "wait for the retry; if it happens again, ask who deletes ConfigMaps in the namespace",
	exitspec.HintRaisePriority:        "wait for the retry; a higher priority class avoids preemption",
	exitspec.HintServerOverloaded:     "wait for the retry; if it happens again, the API server is overloaded",
	exitspec.HintFreeQuota:            "wait for the retry, or free some quota",
	exitspec.HintUseStorage:           "wait for the retry; write large files to a storage, not into the container",
	exitspec.HintOtherPorts:           "wait for the retry, which gets other ports",
	exitspec.HintAskForLess:           "wait for the retry, ask for less, or raise max_wait_time",
	exitspec.HintRaiseMemory:          "raise memory_mb, or use less memory",
	exitspec.HintRaiseSharedMemory:    "raise shm_mb",
	exitspec.HintRaiseRunTime:         "raise max_run_time, or make the task shorter",
	exitspec.HintRaiseSSHTimeout:      "raise sshbarrierTimeout, or look why the named tasks did not start ssh",
	exitspec.HintShrinkJob:            "make the job smaller: fewer task roles, shorter commands",
	exitspec.HintSaveGPUMemory:        "use a smaller batch or model, or more GPUs",
	exitspec.HintReadContainerMessage: "read the message of the container",
	exitspec.HintReadFieldInMessage:   "read the message for the field, correct the job and apply it again",
	exitspec.HintReadMessage:          "read the message, which names what is missing or wrong",
	exitspec.HintReadRefusal:          "read the message; a missing permission or an admission rule is the usual cause",
	exitspec.HintReadPermission:       "look at the message for the missing permission",
	exitspec.HintRemoveSetting:        "remove the setting that the message names",
	exitspec.HintReadTrigger:          "look at the task that the job names as the trigger",
	exitspec.HintReadNodeEvents:       "look at the events of the Pod's node",
	exitspec.HintReadDiagnostics:      "look at the engine's diagnostics",
	exitspec.HintReadEndOfLog:         "look at the user's exit code and the end of the log",
	exitspec.HintReadRuntimeLog:       "look at the end of the runtime log",
	exitspec.HintReadOutputBefore:     "look at what it wrote before",
	exitspec.HintFindAssertion:        "look for a failed assertion or an uncaught exception in the log",
	exitspec.HintCheckExecutable:      "check that the image lets its user execute files of mounted volumes",
	exitspec.HintCheckRuntimeImage:    "check that the runtime image fits the node's processor",
	exitspec.HintCheckImage:           "check the image's name, tag and login",
	exitspec.HintCheckLibraries:       "check native libraries and their versions",
	exitspec.HintCheckMPILibraries:    "check native libraries, and that all tasks have the same versions",
	exitspec.HintCheckData:            "check the paths, the mounts and the format of the files",
	exitspec.HintCheckCheckpoint:      "check the path and that the checkpoint is complete",
	exitspec.HintBuildForProcessor:    "use a build for the processors of the cluster",
	exitspec.HintMatchCUDA:            "use an image with an older CUDA version, or a node with a newer driver",
	exitspec.HintMatchCUDNN:           "use an image whose cuDNN version fits the framework",
	exitspec.HintCorrectProgram:       "correct the program",
	exitspec.HintCorrectCode:          "correct the code; the log names the line",
	exitspec.HintCorrectArguments:     "correct the arguments in commands",
	exitspec.HintCorrectCommand:       "correct the name, or use an image or prerequisite that brings the program",
	exitspec.HintInstallModule:        "install the module in the image or in a prerequisite",
	exitspec.HintAskMeaning:           "ask the administrator of the cluster what the code means",
	exitspec.HintReadPrerequisite:     "look at the last lines of the prerequisite's output",
	exitspec.HintCheckChecksum:        "check whether the file or the declared sha256 is right",
	exitspec.HintCheckServer:          "wait for the retry; check that the node can reach the server",
	exitspec.HintCheckSource:          "check the address and the token",
	exitspec.HintFreeSpace:            "free space, write to a storage, or raise shm_mb where it was /dev/shm",
	exitspec.HintCheckNCCL:            "look for the first task that failed; NCCL_DEBUG=INFO shows the connection that broke",
	exitspec.HintMakeExecutable:       "set its executable bit, or start it with its interpreter",
	exitspec.HintCheckPermissions:     "check the owner and mode of the file, and the user that the image runs as",
	exitspec.HintRestrictPods:         `Write pod_security = "restricted" in the cluster block and apply again`,
}
