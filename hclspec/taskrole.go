package hclspec

// TaskRole is a group of equal tasks of a job.
type TaskRole struct {
	Name string // as written
	Path Path

	Instances      int // default 1
	TaskRetryCount int
	Completion     Completion

	// Image is the name or address of a dockerimage prerequisite, or, in HCL
	// only, an image reference that no prerequisite declares.
	Image Reference
	// Data, Output and Script name the prerequisites that <% $data %>,
	// <% $output %> and <% $script %> speak of. Empty: none.
	Data, Output, Script Reference

	Prerequisites []Reference
	Storage       []*StorageUse

	Resources             Resources
	ExtraContainerOptions ExtraContainerOptions
	Commands              []string
	Environment           map[string]string
	Pod                   *Pod
	MaxRunTime            Duration
	StopGrace             Duration
}

// Completion decides when a job attempt ends because of the tasks of a role.
// nil means the default: one failed task, or all tasks succeeded.
type Completion struct {
	MinFailedInstances    *int
	MinSucceededInstances *int
}

// Resources are the limits of one task.
type Resources struct {
	Limits
	// Ports maps a label to the number of ports. The labels ssh and http are
	// added by the resolver, not here.
	Ports map[string]int
	// FixedPorts maps a label to the number of its first port. The task with
	// index i has count ports from first + i × count on. Other labels get free
	// ports.
	FixedPorts map[string]int
}

// Limits are amounts of what a task uses. They and ExtraContainerOptions are
// part of a resolved task role as well.
type Limits struct {
	GPU      int `json:"gpu"`
	CPU      int `json:"cpu"`
	MemoryMB int `json:"memory_mb"`
}

// ExtraContainerOptions are the protocol's container settings.
type ExtraContainerOptions struct {
	ShmMB      int  `json:"shm_mb"` // 0: the default of 512
	Infiniband bool `json:"infiniband,omitempty"`
}

// Reference names something by what the user wrote, with values for its
// template variables.
type Reference struct {
	// Target is a name in the job, an address such as prerequisite.data.mnist,
	// or a marketplace:// or http(s):// reference.
	Target string
	With   map[string]any
	Path   Path
}

// IsZero reports whether nothing is referred to.
func (r Reference) IsZero() bool { return r.Target == "" }

// Pod holds settings that are copied into the Pod on Kubernetes and have no
// meaning on the local cluster.
type Pod struct {
	Path             Path
	Tolerations      []any
	NodeSelector     map[string]string
	Labels           map[string]string
	Annotations      map[string]string
	PriorityClass    string
	ImagePullSecrets []string
	ServiceAccount   string
	RunAsUser        *int
}
