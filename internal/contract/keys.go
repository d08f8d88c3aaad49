// SPDX-License-Identifier: MPL-2.0

package contract

import (
	"crypto/md5" // the contract requires MD5 for Framework names; security does not depend on it
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strconv"
	"strings"
)

// Labels and annotations that OpenPAI's services read. Source: microsoft/pai:
// src/rest-server/src/models/v2/job/k8s.js.
const (
	LabelUser           = "userName"
	LabelVirtualCluster = "virtualCluster"
	LabelType           = "type"
	// LabelTypeTask is the value of LabelType on every Pod of a task.
	LabelTypeTask = "kube-launcher-task"

	AnnotationJobName  = "jobName"
	AnnotationConfig   = "config"
	AnnotationLogInfix = "logPathInfix"
	AnnotationGPUs     = "totalGpuNumber"
	AnnotationPorts    = "rest-server/port-scheduling-spec"
	AnnotationAppArmor = "container.apparmor.security.beta.kubernetes.io/app"
)

// Annotations and the resource name that HiveD uses in Pods. Source:
// microsoft/hivedscheduler: pkg/api/constants.go.
const (
	AnnotationHived      = "hivedscheduler.microsoft.com/pod-scheduling-spec"
	AnnotationHivedCells = "hivedscheduler.microsoft.com/pod-leaf-cell-isolation"
	ResourceHived        = "hivedscheduler.microsoft.com/pod-scheduling-enable"
	// HivedSchedulerPrefix precedes the name of the virtual cluster in a scheduler
	// name.
	HivedSchedulerPrefix = "hivedscheduler-ds-"
)

// Labels and annotations of this project. A label contains the [LabelValue] of a
// string. The annotation with the same key contains the string itself.
const (
	KeyWorkspace = "openpai.org/workspace"
	KeyAddress   = "openpai.org/address"
	// KeyType is the label key for the type of this project's ConfigMaps and
	// Secrets.
	KeyType = "openpai.org/type"
	// AnnotationOnDestroy has the value "delete" on volumes and claims that
	// openpai deletes with the last job of the workspace.
	AnnotationOnDestroy = "openpai.org/on-destroy"
	// AnnotationDeclaredBy is the front end whose state contains the claim.
	AnnotationDeclaredBy = "openpai.org/declared-by"
	// AnnotationCreating marks a claim or a job record whose creation has not
	// finished.
	AnnotationCreating = "openpai.org/creating"
	// Annotations of a run's ConfigMap: the Framework UID and the record
	// size.
	AnnotationRunUID   = "openpai.org/run-uid"
	AnnotationRunBytes = "openpai.org/run-bytes"
	// AnnotationNamespace is the namespace of the job to which a cluster-scoped
	// object belongs.
	AnnotationNamespace = "openpai.org/namespace"
	LabelManagedBy      = "app.kubernetes.io/managed-by"

	// Annotations that the init containers of a gang write to the ConfigMap
	// [HostsConfigMap]. The task that watches the Framework writes the
	// Framework attempt of the host table, a heartbeat, and the tasks that
	// are still missing.
	AnnotationHostsAttempt   = "openpai.org/hosts-attempt"
	AnnotationBarrierSign    = "openpai.org/barrier-sign"
	AnnotationBarrierMissing = "openpai.org/barrier-missing"
	// HostsKey is the key of the host table in binaryData.
	HostsKey  = "hosts"
	ManagedBy = "openpai"
)

// Resource names in container limits.
const (
	ResourceGPU  = "nvidia.com/gpu"
	ResourceFuse = "github.com/fuse"
	ResourceRDMA = "rdma/hca"
)

// labelLimit is the maximum length of a label value in Kubernetes.
const labelLimit = 63

var (
	labelValue  = regexp.MustCompile(`^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$`)
	labelFiller = regexp.MustCompile(`[^A-Za-z0-9_.]+`)
)

// LabelValue returns the string if Kubernetes accepts it as a label value.
// Otherwise, it returns the valid part of the string and eight hex digits of
// its hash. The hash keeps different strings distinct.
func LabelValue(text string) string {
	if len(text) <= labelLimit && labelValue.MatchString(text) {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	hash := hex.EncodeToString(sum[:4])
	kept := strings.Trim(labelFiller.ReplaceAllString(text, "-"), "-_.")
	if kept == "" {
		return hash
	}
	kept = kept[:min(len(kept), labelLimit-1-len(hash))]
	return strings.TrimRight(kept, "-_.") + "-" + hash
}

// Name suffixes of a job's objects. Source of the suffixes for Secrets:
// microsoft/pai: src/rest-server/src/models/v2/job/k8s.js.
const (
	suffixRun      = "-run"
	suffixRecord   = "-record"
	suffixRegistry = "-regcred"
	suffixSecrets  = "-configcred"
	suffixPriority = "-priority"
	suffixRuntime  = "-runtime"
	suffixHosts    = "-hosts"
	suffixCreation = "-creation"
	infixHistory   = "-history-"
)

// RunConfigMap returns the name of the ConfigMap with a job's run
// specifications.
func RunConfigMap(framework string) string { return framework + suffixRun }

// RecordConfigMap returns the name of the ConfigMap with a job's record.
func RecordConfigMap(framework string) string { return framework + suffixRecord }

// HistoryConfigMap returns the name of the ConfigMap with a run's record.
func HistoryConfigMap(framework string, run int) string {
	return framework + infixHistory + strconv.Itoa(run)
}

// ParseHistoryConfigMap parses a name returned by [HistoryConfigMap].
func ParseHistoryConfigMap(name string) (framework string, run int, ok bool) {
	framework, number, found := strings.Cut(name, infixHistory)
	run, err := strconv.Atoi(number)
	return framework, run, found && framework != "" && err == nil && run > 0
}

// CreationLease returns the name of a job's Lease. A process holds the Lease
// while it creates a job and waits for the job.
func CreationLease(framework string) string { return framework + suffixCreation }

// RegistrySecret returns the name of the Secret with image registry logins.
func RegistrySecret(framework string) string { return framework + suffixRegistry }

// JobSecret returns the name of the Secret with the values of a job's secrets.
func JobSecret(framework string) string { return framework + suffixSecrets }

// PriorityClass returns the name of a job's PriorityClass.
func PriorityClass(framework string) string { return framework + suffixPriority }

// RuntimeAccount returns the name of the ServiceAccount, Role and RoleBinding
// for a job's init containers.
func RuntimeAccount(framework string) string { return framework + suffixRuntime }

// HostsConfigMap returns the name of the ConfigMap with the hosts of a gang.
func HostsConfigMap(framework string) string { return framework + suffixHosts }

// StoragePermissions is the ConfigMap in which administrators define the users
// of each storage. StoragePermissionsKey is the data key of that ConfigMap. Its
// value is YAML.
const (
	StoragePermissions    = "openpai-storage-permissions"
	StoragePermissionsKey = "permissions.yaml"
)

// TypeItems is the value of KeyType on ConfigMaps that contain a marketplace
// item file. The data key is the file name.
const TypeItems = "items"

// ItemsConfigMap returns the name of the ConfigMap for a published file. The file
// name contains the item's version.
func ItemsConfigMap(file string) string {
	sum := sha256.Sum256([]byte(file))
	stem := strings.Trim(notInObjectName.ReplaceAllString(strings.ToLower(file), "-"), "-")
	stem = strings.Trim(stem[:min(len(stem), 100)], "-")
	return strings.TrimSuffix("openpai-items-"+stem, "-") + "-" + hex.EncodeToString(sum[:4])
}

var notInObjectName = regexp.MustCompile(`[^a-z0-9]+`)

// SecretJobKey is the data key of the private ssh key in a job's Secret.
// apply generates the private key. SecretJobKey begins with a dot, unlike the
// name of any user secret.
const SecretJobKey = ".openpai-job-key"

// FrameworkName returns the metadata.name of a Framework: the MD5 of
// "<user>~<job>" in hex. Source: microsoft/pai:
// src/rest-server/src/models/v2/utils/name.js.
func FrameworkName(user, job string) string {
	sum := md5.Sum([]byte(user + "~" + job))
	return hex.EncodeToString(sum[:])
}

// RoleName returns the name of a task role in the Framework. It converts the name
// to lower case, and removes all characters outside [a-z0-9]. The result may be
// empty, and two roles may have the same result. Callers must check for both cases.
// Source: see [FrameworkName].
func RoleName(written string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			return r
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		}
		return -1
	}, written)
}
