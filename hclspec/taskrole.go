// SPDX-License-Identifier: MPL-2.0

package hclspec

// TaskRole is a group of identical tasks in a job.
type TaskRole struct {
	Name string // as written
	Path Path

	Instances      int // default 1
	TaskRetryCount int
	Completion     Completion

	// Image is the name or address of a dockerimage prerequisite. In HCL, it
	// may also be an image reference without a prerequisite.
	Image Reference
	// Data, Output and Script are the targets of <% $data %>, <% $output %>
	// and <% $script %>; empty for none.
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

// Completion is the number of failed or successful tasks of a role that ends
// a job attempt. nil means the default: one task failed, or all tasks
// succeeded.
type Completion struct {
	MinFailedInstances    *int
	MinSucceededInstances *int
}

// Resources are the limits of one task.
type Resources struct {
	Limits
	// Ports maps a label to the number of ports. The resolver adds the labels
	// ssh and http.
	Ports map[string]int
	// FixedPorts maps a label to the number of its first port. The ports of
	// task i start at first + i × count, where count is the label's number of
	// ports. For other labels, free ports are allocated.
	FixedPorts map[string]int
}

// Limits are the resource amounts of a task. Limits and ExtraContainerOptions
// are also part of a resolved task role.
type Limits struct {
	GPU      int `json:"gpu"`
	CPU      int `json:"cpu"`
	MemoryMB int `json:"memory_mb"`
}

// ExtraContainerOptions are the protocol's container settings.
type ExtraContainerOptions struct {
	ShmMB      int  `json:"shm_mb"` // default 512
	Infiniband bool `json:"infiniband,omitempty"`
}

// Reference is the user's reference to a declaration, with values for its
// template variables.
type Reference struct {
	// Target is a name in the job, an address such as prerequisite.data.mnist,
	// or a marketplace:// or http(s):// URL.
	Target string
	With   map[string]any
	Path   Path
}

// IsZero reports whether the reference is empty.
func (r Reference) IsZero() bool { return r.Target == "" }

// Pod holds settings for the Kubernetes Pod. The local cluster ignores them.
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
