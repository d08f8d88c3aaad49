// SPDX-License-Identifier: MPL-2.0

package view

import (
	"cmp"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
)

// ExitAdvice returns advice for a failed task, or "". Advice in the exit
// record takes precedence over the advice for the record's hint. r.Advice
// comes from the cluster operator's exit specification, or from the openpai
// version that wrote the record.
func ExitAdvice(r *exitspec.Record) string { return cmp.Or(r.Advice, exitHints[r.Hint]) }

// exitHints maps hints in exit records to advice. It does not contain hints
// that only newer versions of openpai write.
var exitHints = map[exitspec.Hint]string{
	exitspec.HintWaitForRetry:         "wait for the retry",
	exitspec.HintReportRepetition:     "wait for the retry; ask the administrator if the failure recurs",
	exitspec.HintReportNode:           "report the node to the administrator",
	exitspec.HintReportNodeAndWait:    "wait for the retry; report the node to the administrator",
	exitspec.HintReportRepeatingNode:  "wait for the retry; ask the administrator if the failure recurs on the same node",
	exitspec.HintFindDeleter:          "wait for the retry; if the failure recurs, find out who deletes ConfigMaps in the namespace",
	exitspec.HintRaisePriority:        "wait for the retry; a higher priority class avoids preemption",
	exitspec.HintServerOverloaded:     "wait for the retry; if the failure recurs, the API server is overloaded",
	exitspec.HintFreeQuota:            "wait for the retry, or free up quota",
	exitspec.HintUseStorage:           "wait for the retry; write large files to a storage, not into the container",
	exitspec.HintOtherPorts:           "wait for the retry, which uses different ports",
	exitspec.HintAskForLess:           "wait for the retry, request fewer resources, or increase max_wait_time",
	exitspec.HintRaiseMemory:          "increase memory_mb, or use less memory",
	exitspec.HintRaiseSharedMemory:    "increase shm_mb",
	exitspec.HintRaiseRunTime:         "increase max_run_time, or shorten the task",
	exitspec.HintRaiseSSHTimeout:      "increase sshbarrierTimeout, or check why the listed tasks did not start ssh",
	exitspec.HintShrinkJob:            "reduce the size of the job: use fewer task roles or shorter commands",
	exitspec.HintSaveGPUMemory:        "use a smaller batch or model, or more GPUs",
	exitspec.HintReadContainerMessage: "read the container's message",
	exitspec.HintReadFieldInMessage:   "correct the field that the message reports, and apply the job again",
	exitspec.HintReadMessage:          "check the message for the missing or invalid object",
	exitspec.HintReadRefusal:          "read the message; the usual cause is a missing permission or an admission rule",
	exitspec.HintReadPermission:       "check the message for the missing permission",
	exitspec.HintRemoveSetting:        "remove the setting that the message reports",
	exitspec.HintReadTrigger:          "check the task that caused the job to complete",
	exitspec.HintReadNodeEvents:       "check the events of the Pod's node",
	exitspec.HintReadDiagnostics:      "check the engine's diagnostics",
	exitspec.HintReadEndOfLog:         "check the exit code of the commands and the end of the log",
	exitspec.HintReadRuntimeLog:       "check the end of the runtime log",
	exitspec.HintReadOutputBefore:     "check its earlier output",
	exitspec.HintFindAssertion:        "check the log for a failed assertion or an uncaught exception",
	exitspec.HintCheckExecutable:      "check that the image's user may execute files on mounted volumes",
	exitspec.HintCheckRuntimeImage:    "check that the runtime image supports the node's CPU architecture",
	exitspec.HintCheckImage:           "check the image name, the tag and the registry credentials",
	exitspec.HintCheckLibraries:       "check native libraries and their versions",
	exitspec.HintCheckMPILibraries:    "check native libraries, and check that all tasks have the same versions",
	exitspec.HintCheckData:            "check the paths, mounts and file formats",
	exitspec.HintCheckCheckpoint:      "check the path, and check that the checkpoint is complete",
	exitspec.HintBuildForProcessor:    "use a program built for the cluster's CPUs",
	exitspec.HintMatchCUDA:            "use an image with an older CUDA version, or a node with a newer driver",
	exitspec.HintMatchCUDNN:           "use an image whose cuDNN version matches the framework",
	exitspec.HintCorrectProgram:       "correct the program",
	exitspec.HintCorrectCode:          "correct the code; the log shows the line",
	exitspec.HintCorrectArguments:     "correct the arguments in commands",
	exitspec.HintCorrectCommand:       "correct the command name, or use an image or prerequisite that provides the command",
	exitspec.HintInstallModule:        "install the module in the image or in a prerequisite",
	exitspec.HintAskMeaning:           "ask the cluster administrator what the code means",
	exitspec.HintReadPrerequisite:     "check the last lines of the prerequisite's output",
	exitspec.HintReadPlugin:           "check the last lines of the plugin's output",
	exitspec.HintCheckChecksum:        "check the file and the declared sha256",
	exitspec.HintCheckServer:          "wait for the retry; check that the node can reach the server",
	exitspec.HintCheckSource:          "check the address and the token",
	exitspec.HintCheckHost:            "check the spelling of the host name, and check that the node can resolve it",
	exitspec.HintCheckPort:            "check the port in the address, and check that the server is running",
	exitspec.HintCheckCertificate:     "check the server's certificate; the image must trust the issuer of the certificate",
	exitspec.HintFreeSpace:            "free space, write to a storage, or increase shm_mb if /dev/shm is full",
	exitspec.HintCheckNCCL:            "check the first failed task; NCCL_DEBUG=INFO shows the broken connection",
	exitspec.HintMakeExecutable:       "set the program's executable bit, or start the program with its interpreter",
	exitspec.HintCheckPermissions:     "check the owner and mode of the file, and the user that the image runs as",
	exitspec.HintRestrictPods:         `set pod_security = "restricted" in the cluster block and apply again`,
}
