package framework

// PersistentVolume is a Kubernetes PersistentVolume with exactly one source.
type PersistentVolume struct {
	APIVersion string               `json:"apiVersion"` // "v1"
	Kind       string               `json:"kind"`       // "PersistentVolume"
	Metadata   ObjectMeta           `json:"metadata"`
	Spec       PersistentVolumeSpec `json:"spec"`
}

// PersistentVolumeSpec is the part of a volume that we write.
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

// NFSSource is a share of an NFS server.
type NFSSource struct {
	Server   string `json:"server"`
	Path     string `json:"path"`
	ReadOnly bool   `json:"readOnly,omitempty"`
}

// AzureFileSource is a share of an Azure storage account.
type AzureFileSource struct {
	ShareName       string `json:"shareName"`
	SecretName      string `json:"secretName"`
	SecretNamespace string `json:"secretNamespace,omitempty"`
	ReadOnly        bool   `json:"readOnly,omitempty"`
}

// CSISource is a volume of a CSI driver.
type CSISource struct {
	Driver             string            `json:"driver"`
	VolumeHandle       string            `json:"volumeHandle"`
	VolumeAttributes   map[string]string `json:"volumeAttributes,omitempty"`
	ReadOnly           bool              `json:"readOnly,omitempty"`
	NodeStageSecretRef *SecretReference  `json:"nodeStageSecretRef,omitempty"`
}

// SecretReference names a Secret of any namespace.
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

// ClaimSpec is the part of a claim that we write.
type ClaimSpec struct {
	AccessModes      []string  `json:"accessModes"`
	StorageClassName string    `json:"storageClassName"`
	VolumeName       string    `json:"volumeName"`
	Resources        Resources `json:"resources"`
}
