// SPDX-License-Identifier: MPL-2.0

package view

import (
	"cmp"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
)

// ExitAdvice returns advice for a failed task, or "". It returns the advice in
// the record or, if the record does not contain advice, the advice for the hint
// in the record. The advice in a record comes from the cluster operator or from
// the version of openpai that wrote the record.
func ExitAdvice(r *exitspec.Record) string { return cmp.Or(r.Advice, exitHints[r.Hint]) }

// exitHints maps the hints of exit records to advice. It does not contain hints
// that only newer versions of openpai write.
var exitHints = map[exitspec.Hint]string{
	exitspec.HintWaitForRetry:         "wait for the retry",
	exitspec.HintReportRepetition:     "wait for the retry; ask the administrator if it happens again",
	exitspec.HintReportNode:           "report the node to the administrator",
	exitspec.HintReportNodeAndWait:    "wait for the retry; report the node to the administrator",
	exitspec.HintReportRepeatingNode:  "wait for the retry; ask the administrator if it happens repeatedly on one node",
	exitspec.HintFindDeleter:          "wait for the retry; if it happens again, ask who deletes ConfigMaps in the namespace",
	exitspec.HintRaisePriority:        "wait for the retry; a higher priority class avoids preemption",
	exitspec.HintServerOverloaded:     "wait for the retry; if it happens again, the API server is overloaded",
	exitspec.HintFreeQuota:            "wait for the retry, or free some quota",
	exitspec.HintUseStorage:           "wait for the retry; write large files to a storage, not into the container",
	exitspec.HintOtherPorts:           "wait for the retry, which uses other ports",
	exitspec.HintAskForLess:           "wait for the retry, request less, or increase max_wait_time",
	exitspec.HintRaiseMemory:          "increase memory_mb, or use less memory",
	exitspec.HintRaiseSharedMemory:    "raise shm_mb",
	exitspec.HintRaiseRunTime:         "increase max_run_time, or shorten the task",
	exitspec.HintRaiseSSHTimeout:      "increase sshbarrierTimeout, or check why the listed tasks did not start ssh",
	exitspec.HintShrinkJob:            "make the job smaller: fewer task roles, shorter commands",
	exitspec.HintSaveGPUMemory:        "use a smaller batch or model, or more GPUs",
	exitspec.HintReadContainerMessage: "read the message of the container",
	exitspec.HintReadFieldInMessage:   "correct the field that the message reports, and apply the job again",
	exitspec.HintReadMessage:          "read the message for the missing or invalid object",
	exitspec.HintReadRefusal:          "read the message; the usual cause is a missing permission or an admission rule",
	exitspec.HintReadPermission:       "read the message for the missing permission",
	exitspec.HintRemoveSetting:        "remove the setting that the message reports",
	exitspec.HintReadTrigger:          "check the task that triggered the completion of the job",
	exitspec.HintReadNodeEvents:       "check the events of the Pod's node",
	exitspec.HintReadDiagnostics:      "check the diagnostics of the engine",
	exitspec.HintReadEndOfLog:         "check the exit code of the commands and the end of the log",
	exitspec.HintReadRuntimeLog:       "check the end of the runtime log",
	exitspec.HintReadOutputBefore:     "check its earlier output",
	exitspec.HintFindAssertion:        "check the log for a failed assertion or an uncaught exception",
	exitspec.HintCheckExecutable:      "check that the image lets its user execute files of mounted volumes",
	exitspec.HintCheckRuntimeImage:    "check that the runtime image supports the CPU architecture of the node",
	exitspec.HintCheckImage:           "check the image's name, tag and login",
	exitspec.HintCheckLibraries:       "check native libraries and their versions",
	exitspec.HintCheckMPILibraries:    "check native libraries, and check that all tasks have the same versions",
	exitspec.HintCheckData:            "check the paths, the mounts and the format of the files",
	exitspec.HintCheckCheckpoint:      "check the path, and check that the checkpoint is complete",
	exitspec.HintBuildForProcessor:    "use a program built for the CPUs of the cluster",
	exitspec.HintMatchCUDA:            "use an image with an older CUDA version, or a node with a newer driver",
	exitspec.HintMatchCUDNN:           "use an image whose cuDNN version matches the framework",
	exitspec.HintCorrectProgram:       "correct the program",
	exitspec.HintCorrectCode:          "correct the code; the log shows the line",
	exitspec.HintCorrectArguments:     "correct the arguments in commands",
	exitspec.HintCorrectCommand:       "correct the name, or use an image or prerequisite with the program",
	exitspec.HintInstallModule:        "install the module in the image or in a prerequisite",
	exitspec.HintAskMeaning:           "ask the administrator of the cluster for the meaning of the code",
	exitspec.HintReadPrerequisite:     "check the last lines of the prerequisite's output",
	exitspec.HintReadPlugin:           "check the last lines of the plugin's output",
	exitspec.HintCheckChecksum:        "check the file and the declared sha256",
	exitspec.HintCheckServer:          "wait for the retry; check that the node can reach the server",
	exitspec.HintCheckSource:          "check the address and the token",
	exitspec.HintCheckHost:            "check the spelling of the host, and check that the node can resolve it",
	exitspec.HintCheckPort:            "check the port in the address, and check that the server is running",
	exitspec.HintCheckCertificate:     "check the certificate of the server; the image must trust its issuer",
	exitspec.HintFreeSpace:            "free space, write to a storage, or increase shm_mb if /dev/shm is full",
	exitspec.HintCheckNCCL:            "check the first failed task; NCCL_DEBUG=INFO shows the broken connection",
	exitspec.HintMakeExecutable:       "set its executable bit, or start it with its interpreter",
	exitspec.HintCheckPermissions:     "check the owner and mode of the file, and the user that the image runs as",
	exitspec.HintRestrictPods:         `Set pod_security = "restricted" in the cluster block and apply again`,
}
