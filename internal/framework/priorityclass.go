package framework

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
