package framework

// ConfigMap is a Kubernetes ConfigMap.
type ConfigMap struct {
	APIVersion string            `json:"apiVersion"` // "v1"
	Kind       string            `json:"kind"`       // "ConfigMap"
	Metadata   ObjectMeta        `json:"metadata"`
	Immutable  *bool             `json:"immutable,omitempty"`
	Data       map[string]string `json:"data,omitempty"`
}

// Secret is a Kubernetes Secret. In memory StringData holds the values; a
// stored or printed one holds none of ours.
type Secret struct {
	APIVersion string            `json:"apiVersion"` // "v1"
	Kind       string            `json:"kind"`       // "Secret"
	Type       string            `json:"type,omitempty"`
	Metadata   ObjectMeta        `json:"metadata"`
	StringData map[string]string `json:"stringData,omitempty"`
}

// PriorityClass is a Kubernetes PriorityClass. It has no namespace, so that a
// Framework can never own it.
type PriorityClass struct {
	APIVersion       string     `json:"apiVersion"` // "scheduling.k8s.io/v1"
	Kind             string     `json:"kind"`       // "PriorityClass"
	Metadata         ObjectMeta `json:"metadata"`
	Value            int32      `json:"value"`
	GlobalDefault    bool       `json:"globalDefault"`
	PreemptionPolicy string     `json:"preemptionPolicy,omitempty"`
	Description      string     `json:"description,omitempty"`
}
