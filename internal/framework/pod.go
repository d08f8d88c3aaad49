// SPDX-License-Identifier: MPL-2.0

package framework

// PodTemplate is the template of a task's Pod. It contains only fields that
// Kubernetes 1.16 supports.
type PodTemplate struct {
	Metadata ObjectMeta `json:"metadata,omitempty"`
	Spec     PodSpec    `json:"spec"`
}

// PodSpec is the part of a Pod that this project writes.
type PodSpec struct {
	RestartPolicy                 string              `json:"restartPolicy,omitempty"`
	ServiceAccountName            string              `json:"serviceAccountName,omitempty"`
	AutomountServiceAccountToken  *bool               `json:"automountServiceAccountToken,omitempty"`
	HostNetwork                   bool                `json:"hostNetwork,omitempty"`
	NodeSelector                  map[string]string   `json:"nodeSelector,omitempty"`
	Affinity                      map[string]any      `json:"affinity,omitempty"`
	Tolerations                   []any               `json:"tolerations,omitempty"`
	SchedulerName                 string              `json:"schedulerName,omitempty"`
	PriorityClassName             string              `json:"priorityClassName,omitempty"`
	ActiveDeadlineSeconds         *int64              `json:"activeDeadlineSeconds,omitempty"`
	TerminationGracePeriodSeconds *int64              `json:"terminationGracePeriodSeconds,omitempty"`
	ImagePullSecrets              []LocalReference    `json:"imagePullSecrets,omitempty"`
	SecurityContext               *PodSecurityContext `json:"securityContext,omitempty"`
	InitContainers                []Container         `json:"initContainers,omitempty"`
	Containers                    []Container         `json:"containers"`
	Volumes                       []Volume            `json:"volumes,omitempty"`
}

// LocalReference refers to an object in the same namespace.
type LocalReference struct {
	Name string `json:"name"`
}

// PodSecurityContext contains the security settings for all containers of a
// Pod.
type PodSecurityContext struct {
	RunAsUser    *int64 `json:"runAsUser,omitempty"`
	RunAsNonRoot *bool  `json:"runAsNonRoot,omitempty"`
	FSGroup      *int64 `json:"fsGroup,omitempty"`
}

// Container is one container of a Pod.
type Container struct {
	Name                     string           `json:"name"`
	Image                    string           `json:"image,omitempty"`
	ImagePullPolicy          string           `json:"imagePullPolicy,omitempty"`
	Command                  []string         `json:"command,omitempty"`
	Args                     []string         `json:"args,omitempty"`
	WorkingDir               string           `json:"workingDir,omitempty"`
	Env                      []EnvVar         `json:"env,omitempty"`
	Resources                Resources        `json:"resources"`
	VolumeMounts             []VolumeMount    `json:"volumeMounts,omitempty"`
	SecurityContext          *SecurityContext `json:"securityContext,omitempty"`
	TerminationMessagePath   string           `json:"terminationMessagePath,omitempty"`
	TerminationMessagePolicy string           `json:"terminationMessagePolicy,omitempty"`
}

// EnvVar is an environment variable with a value or a source: a Pod field or
// Secret key.
type EnvVar struct {
	Name      string         `json:"name"`
	Value     string         `json:"value,omitempty"`
	ValueFrom map[string]any `json:"valueFrom,omitempty"`
}

// Resources maps resource names to quantities.
type Resources struct {
	Limits   map[string]string `json:"limits,omitempty"`
	Requests map[string]string `json:"requests,omitempty"`
}

// VolumeMount mounts a volume in a container.
type VolumeMount struct {
	Name      string `json:"name"`
	MountPath string `json:"mountPath"`
	SubPath   string `json:"subPath,omitempty"`
	ReadOnly  bool   `json:"readOnly,omitempty"`
}

// SecurityContext contains the security settings of one container.
type SecurityContext struct {
	RunAsUser                *int64        `json:"runAsUser,omitempty"`
	RunAsNonRoot             *bool         `json:"runAsNonRoot,omitempty"`
	AllowPrivilegeEscalation *bool         `json:"allowPrivilegeEscalation,omitempty"`
	Capabilities             *Capabilities `json:"capabilities,omitempty"`
}

// Capabilities are Linux capabilities without the CAP_ prefix.
type Capabilities struct {
	Add  []string `json:"add,omitempty"`
	Drop []string `json:"drop,omitempty"`
}

// Volume is a volume with exactly one source.
type Volume struct {
	Name                  string           `json:"name"`
	EmptyDir              *EmptyDir        `json:"emptyDir,omitempty"`
	HostPath              *HostPath        `json:"hostPath,omitempty"`
	ConfigMap             *ConfigMapVolume `json:"configMap,omitempty"`
	Secret                *SecretVolume    `json:"secret,omitempty"`
	PersistentVolumeClaim *ClaimVolume     `json:"persistentVolumeClaim,omitempty"`
	Projected             map[string]any   `json:"projected,omitempty"`
}

// EmptyDir is an initially empty directory that Kubernetes deletes with the Pod.
type EmptyDir struct {
	Medium    string `json:"medium,omitempty"`
	SizeLimit string `json:"sizeLimit,omitempty"`
}

// HostPath is a directory on the node.
type HostPath struct {
	Path string `json:"path"`
	Type string `json:"type,omitempty"`
}

// ConfigMapVolume provides keys of a ConfigMap as files.
type ConfigMapVolume struct {
	Name  string      `json:"name"`
	Items []KeyToPath `json:"items,omitempty"`
}

// SecretVolume provides keys of a Secret as files.
type SecretVolume struct {
	SecretName  string      `json:"secretName"`
	Items       []KeyToPath `json:"items,omitempty"`
	DefaultMode *int32      `json:"defaultMode,omitempty"`
}

// KeyToPath maps a key to a file.
type KeyToPath struct {
	Key  string `json:"key"`
	Path string `json:"path"`
}

// ClaimVolume is a PersistentVolumeClaim.
type ClaimVolume struct {
	ClaimName string `json:"claimName"`
	ReadOnly  bool   `json:"readOnly,omitempty"`
}
