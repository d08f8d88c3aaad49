// SPDX-License-Identifier: MPL-2.0

package framework

// ConfigMap is a Kubernetes ConfigMap.
type ConfigMap struct {
	APIVersion string            `json:"apiVersion"` // "v1"
	Kind       string            `json:"kind"`       // "ConfigMap"
	Metadata   ObjectMeta        `json:"metadata"`
	Immutable  *bool             `json:"immutable,omitempty"`
	Data       map[string]string `json:"data,omitempty"`
}

// Secret is a Kubernetes Secret. In memory, StringData contains the values. Stored
// and printed copies omit the values of job secrets.
type Secret struct {
	APIVersion string            `json:"apiVersion"` // "v1"
	Kind       string            `json:"kind"`       // "Secret"
	Type       string            `json:"type,omitempty"`
	Metadata   ObjectMeta        `json:"metadata"`
	StringData map[string]string `json:"stringData,omitempty"`
}

// PriorityClass is a Kubernetes PriorityClass. A Framework cannot own a
// PriorityClass, because PriorityClasses are cluster-scoped.
type PriorityClass struct {
	APIVersion       string     `json:"apiVersion"` // "scheduling.k8s.io/v1"
	Kind             string     `json:"kind"`       // "PriorityClass"
	Metadata         ObjectMeta `json:"metadata"`
	Value            int32      `json:"value"`
	GlobalDefault    bool       `json:"globalDefault"`
	PreemptionPolicy string     `json:"preemptionPolicy,omitempty"`
	Description      string     `json:"description,omitempty"`
}

// PersistentVolume is a Kubernetes PersistentVolume with exactly one source.
type PersistentVolume struct {
	APIVersion string               `json:"apiVersion"` // "v1"
	Kind       string               `json:"kind"`       // "PersistentVolume"
	Metadata   ObjectMeta           `json:"metadata"`
	Spec       PersistentVolumeSpec `json:"spec"`
}

// PersistentVolumeSpec contains the fields of a volume's spec that this
// project writes.
type PersistentVolumeSpec struct {
	Capacity                      map[string]string `json:"capacity"`
	AccessModes                   []string          `json:"accessModes"`
	PersistentVolumeReclaimPolicy string            `json:"persistentVolumeReclaimPolicy"`
	StorageClassName              string            `json:"storageClassName"`
	ClaimRef                      *ClaimReference   `json:"claimRef,omitempty"`
	NFS                           *NFSSource        `json:"nfs,omitempty"`
	AzureFile                     *AzureFileSource  `json:"azureFile,omitempty"`
	CSI                           *CSISource        `json:"csi,omitempty"`
}

// ClaimReference reserves a volume for a claim.
type ClaimReference struct {
	Name      string `json:"name"`
	Namespace string `json:"namespace"`
}

// NFSSource is a share on an NFS server.
type NFSSource struct {
	Server   string `json:"server"`
	Path     string `json:"path"`
	ReadOnly bool   `json:"readOnly,omitempty"`
}

// AzureFileSource is a file share in an Azure storage account.
type AzureFileSource struct {
	ShareName       string `json:"shareName"`
	SecretName      string `json:"secretName"`
	SecretNamespace string `json:"secretNamespace,omitempty"`
	ReadOnly        bool   `json:"readOnly,omitempty"`
}

// CSISource is a volume that a CSI driver provides.
type CSISource struct {
	Driver             string            `json:"driver"`
	VolumeHandle       string            `json:"volumeHandle"`
	VolumeAttributes   map[string]string `json:"volumeAttributes,omitempty"`
	ReadOnly           bool              `json:"readOnly,omitempty"`
	NodeStageSecretRef *SecretReference  `json:"nodeStageSecretRef,omitempty"`
}

// SecretReference refers to a Secret in any namespace.
type SecretReference struct {
	Name      string `json:"name"`
	Namespace string `json:"namespace,omitempty"`
}

// PersistentVolumeClaim is a Kubernetes PersistentVolumeClaim.
type PersistentVolumeClaim struct {
	APIVersion string     `json:"apiVersion"` // "v1"
	Kind       string     `json:"kind"`       // "PersistentVolumeClaim"
	Metadata   ObjectMeta `json:"metadata"`
	Spec       ClaimSpec  `json:"spec"`
}

// ClaimSpec is the part of a claim that this project writes.
type ClaimSpec struct {
	AccessModes      []string  `json:"accessModes"`
	StorageClassName string    `json:"storageClassName"`
	VolumeName       string    `json:"volumeName"`
	Resources        Resources `json:"resources"`
}
