// SPDX-License-Identifier: MPL-2.0

package contract

// Directories and files in the containers of a task. Source:
// microsoft/openpai-runtime: src/init, src/runtime.
const (
	// Root is the volume that init prepares and the task uses.
	Root = "/usr/local/pai"
	// Runtime is the program that runs as process 1 of the task.
	Runtime = Root + "/runtime"
	// RuntimeDir contains the files that init writes for the task. InitDir holds the
	// init plugins.
	RuntimeDir = Root + "/runtime.d"
	InitDir    = Root + "/init.d"
	// LogDir contains one directory per Pod UID.
	LogDir = Root + "/logs"
	// SecretsDir contains one file per secret of the task role.
	SecretsDir = Root + "/secrets"
	// PluginDir contains one directory per third-party plugin.
	PluginDir = Root + "/plugins"
	// ConfigDir contains the run specification, and files from the cluster
	// operator.
	ConfigDir = "/usr/local/pai-config"
	// RunSpecFile is the run specification of the task role.
	RunSpecFile = ConfigDir + "/run.json"
	// TerminationFile is the file from which Kubernetes reads the termination
	// message.
	TerminationFile = "/tmp/pai-termination-log"
	// TokenDir is the default directory for a service account's token.
	TokenDir = "/var/run/secrets/kubernetes.io/serviceaccount"
	// RegistryLogins is the mounted file with the logins for the job's registries.
	// The file exists only in the init container, which checks the image.
	RegistryLogins = "/usr/local/pai-registry/.dockerconfigjson"
	// SharedMemory is the mount point of the shared memory volume.
	SharedMemory = "/dev/shm"
	// FetchCacheDir is the mount point of a node's download cache.
	FetchCacheDir = Root + "/fetch-cache"
	// HostLogDir is the node's directory for the logs of all jobs.
	HostLogDir = "/var/log/pai"
)

// DefaultShmMB is the default size of [SharedMemory] in MiB. Source:
// microsoft/pai: src/rest-server/src/models/v2/job/k8s.js.
const DefaultShmMB = 512

// ReleaseCommand is the [Runtime] subcommand that ends the callback that holds a
// task. ExitNotHeld is the exit code of the command if no callback holds the task.
// The command prints ReleaseAsked immediately after it has requested the release,
// because the release may end the container and the command. The original OpenPAI
// does not have this command.
const (
	ReleaseCommand = "release"
	ReleaseAsked   = "asked"
	ExitNotHeld    = 1
)

// Names inside the log directory of one Pod. Source: microsoft/pai:
// src/log-manager.
const (
	RuntimeLog = "runtime.log"
	InitLog    = "init.log"
	StdoutDir  = "user-stdout"
	StderrDir  = "user-stderr"
	AllDir     = "user-all"
	// CurrentLog is the name of the current log file in StdoutDir, StderrDir
	// and AllDir.
	CurrentLog = "current"
	// ExitRecord is the file with the exitspec.Record of the task. The original
	// runtime does not write this file.
	ExitRecord = "exit-record.json"
)

// Environment variables used outside the runtime. Source:
// microsoft/frameworkcontroller: pkg/apis/frameworkcontroller/v1/constants.go.
const (
	EnvTaskIndex          = "FC_TASK_INDEX"
	EnvTaskRole           = "FC_TASKROLE_NAME"
	EnvPodUID             = "FC_POD_UID"
	EnvTaskAttempt        = "FC_TASK_ATTEMPT_ID"
	EnvFramework          = "FC_FRAMEWORK_NAME"
	EnvFrameworkNamespace = "FC_FRAMEWORK_NAMESPACE"
	EnvFrameworkAttempt   = "FC_FRAMEWORK_ATTEMPT_ID"
	EnvVisibleGPUs        = "NVIDIA_VISIBLE_DEVICES"
	EnvVisibleGPUsOfHived = "HIVED_VISIBLE_DEVICES"
	// EnvFetchCache contains the path of the download directory that tasks share.
	// EnvFetchCacheMB contains the directory's size limit in MiB. The original
	// OpenPAI does not set these two variables.
	EnvFetchCache   = "PAI_FETCH_CACHE"
	EnvFetchCacheMB = "PAI_FETCH_CACHE_MB"
	// EnvLogsStored is set if logs are written to a log storage. A container
	// then does not wait for a log client. The original OpenPAI does not set
	// this variable.
	EnvLogsStored = "PAI_LOGS_STORED"
)
