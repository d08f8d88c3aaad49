package contract

// Directories and files in the containers of a task. Source:
// microsoft/openpai-runtime: src/init, src/runtime.
const (
	// Root is the volume that init fills and the task works from.
	Root = "/usr/local/pai"
	// Runtime is the program that is the task's process 1.
	Runtime = Root + "/runtime"
	// RuntimeDir holds what init writes for the task, InitDir the init
	// plugins.
	RuntimeDir = Root + "/runtime.d"
	InitDir    = Root + "/init.d"
	// LogDir holds one directory per Pod UID.
	LogDir = Root + "/logs"
	// SecretsDir holds one file per secret of the task role.
	SecretsDir = Root + "/secrets"
	// PluginDir holds one directory per third-party plugin.
	PluginDir = Root + "/plugins"
	// ConfigDir holds the run specification, and what cluster operators add.
	ConfigDir = "/usr/local/pai-config"
	// RunSpecFile is the run specification of the task role.
	RunSpecFile = ConfigDir + "/run.json"
	// TerminationFile is where Kubernetes reads the termination message.
	TerminationFile = "/tmp/pai-termination-log"
	// TokenDir is where Kubernetes itself would put a service account's token.
	TokenDir = "/var/run/secrets/kubernetes.io/serviceaccount"
	// RegistryLogins is where the logins of the job's registries are mounted
	// for the image check, in the init container only.
	RegistryLogins = "/usr/local/pai-registry/.dockerconfigjson"
	// SharedMemory is the mount of the shared memory volume.
	SharedMemory = "/dev/shm"
	// FetchCacheDir is where a node's cache of downloads is mounted.
	FetchCacheDir = Root + "/fetch-cache"
	// HostLogDir is the directory of the node with the logs of all jobs.
	HostLogDir = "/var/log/pai"
)

// DefaultShmMB is the size of [SharedMemory] in MiB for a task that asks for
// none. Source: microsoft/pai: src/rest-server/src/models/v2/job/k8s.js.
const DefaultShmMB = 512

// ReleaseCommand is the argument of [Runtime] that ends the callback that holds a
// task, ExitNotHeld its exit code when there is none. It prints ReleaseAsked once
// the request is made: the container may end with the hold, and the program in it
// too. Our own.
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
	// CurrentLog is the file in StdoutDir, StderrDir and AllDir that is being
	// written.
	CurrentLog = "current"
	// ExitRecord is how the task ended, an exitspec.Record; it is not of the
	// original.
	ExitRecord = "exit-record.json"
)

// Environment variables that are named outside the runtime. Source:
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
	// EnvFetchCache names a directory for downloads that tasks share,
	// EnvFetchCacheMB its bound in MiB. Our own.
	EnvFetchCache   = "PAI_FETCH_CACHE"
	EnvFetchCacheMB = "PAI_FETCH_CACHE_MB"
	// EnvLogsStored is set where logs go to a log storage: a container need not
	// live until its log was opened. Our own.
	EnvLogsStored = "PAI_LOGS_STORED"
)
