// SPDX-License-Identifier: MPL-2.0

package runspec

// Version is the version of the format that this program writes. No earlier
// version exists.
const Version = 1

// Spec is the run specification of one task role. In its strings, only
// references to secrets remain, as <% $secrets.x %>. All other references have
// been replaced with values. These strings are internal/template templates, in
// which <%% stands for a literal <%. The runtime must therefore render each of
// these strings, including strings without a secret.
type Spec struct {
	Version int `json:"version"`

	Framework      string `json:"framework"` // metadata.name
	Job            string `json:"job"`       // "<user>~<job>"
	User           string `json:"user"`
	VirtualCluster string `json:"virtual_cluster"`

	// Role is the name of this task role in the Framework.
	Role string `json:"role"`
	// Roles describes all task roles, including this one, in job order.
	Roles []Role `json:"roles"`

	// Gang makes the task wait until every task of the job is ready.
	Gang           bool `json:"gang"`
	MaxWaitSeconds int  `json:"max_wait_seconds"`

	// Image is the image reference of this role; the image check uses it.
	Image string `json:"image,omitempty"`

	// Steps are the prerequisites and plugins in start order.
	Steps []Step `json:"steps,omitempty"`
	// Commands are the user's commands with the pre and post commands of the active
	// deployment. The commands run as one script.
	Commands    []string          `json:"commands"`
	Environment map[string]string `json:"environment,omitempty"`

	// Secrets contains the names of the secrets to which this role refers. Each
	// name is a file name in the secrets directory.
	Secrets []string `json:"secrets,omitempty"`
	Mounts  []Mount  `json:"mounts,omitempty"`

	// SSHPublicKeys are public keys of users. If the ssh plugin is enabled,
	// these users may log in with ssh.
	SSHPublicKeys []string `json:"ssh_public_keys,omitempty"`

	PortStart int `json:"port_start"` // inclusive
	PortEnd   int `json:"port_end"`   // exclusive

	// StopGraceSeconds is the time between SIGTERM and SIGKILL.
	StopGraceSeconds int `json:"stop_grace_seconds"`
	MaxRunSeconds    int `json:"max_run_seconds,omitempty"` // 0: no limit
}

// Role describes a task role. Every run specification of a job describes all
// task roles of the job.
type Role struct {
	Name         string `json:"name"`    // in the Framework
	Written      string `json:"written"` // by the user
	Tasks        int    `json:"tasks"`
	GPU          int    `json:"gpu"`
	CPU          int    `json:"cpu"`
	MemoryMB     int    `json:"memory_mb"`
	ShmMB        int    `json:"shm_mb"`
	MinFailed    int    `json:"min_failed"`
	MinSucceeded int    `json:"min_succeeded"`
	Ports        []Port `json:"ports"`
	// SSH is true if the tasks of the role have an ssh service. SSHBarrier is true
	// if these tasks wait for the ssh services of other tasks.
	SSH        bool `json:"ssh,omitempty"`
	SSHBarrier bool `json:"ssh_barrier,omitempty"`
}

// Port requests a number of ports under a label.
type Port struct {
	Label string `json:"label"`
	Count int    `json:"count"`
	// First is the first port of task 0. If First is 0, the runtime computes
	// the ports.
	First int `json:"first,omitempty"`
}

// Step is one prerequisite instance or plugin of a task.
type Step struct {
	// Address identifies the instance. It is unique in the list of steps.
	Address       string            `json:"address"`
	Name          string            `json:"name"`
	Type          string            `json:"type,omitempty"` // empty for a plugin from the protocol's extras
	Plugin        string            `json:"plugin"`         // short name
	FailurePolicy string            `json:"failure_policy"` // "fail" or "ignore"
	Retry         *Retry            `json:"retry,omitempty"`
	Callbacks     []Callback        `json:"callbacks,omitempty"`
	Fetch         []Fetch           `json:"fetch,omitempty"`
	Environment   map[string]string `json:"environment,omitempty"`
	// Parameters are the parameters of the plugin.
	Parameters map[string]any `json:"parameters,omitempty"`
}

// Callback is a script for an event.
type Callback struct {
	Event          string   `json:"event"`
	Commands       []string `json:"commands"`
	FailurePolicy  string   `json:"failure_policy"` // "fail" or "ignore"
	TimeoutSeconds int      `json:"timeout_seconds,omitempty"`
	Retry          *Retry   `json:"retry,omitempty"`
}

// Retry is the retry rule of a callback.
type Retry struct {
	Attempts       int `json:"attempts"` // maximum number of attempts, at least 1
	BackoffSeconds int `json:"backoff_seconds"`
}

// Fetch is a download before the taskStarts callbacks of a step.
type Fetch struct {
	URL     string `json:"url"`
	SHA256  string `json:"sha256,omitempty"`
	To      string `json:"to"`
	Extract bool   `json:"extract,omitempty"`
	// Strip is the number of leading path components to remove. It applies to
	// archives and git repositories.
	Strip   int `json:"strip,omitempty"`
	Retries int `json:"retries,omitempty"`
	// Auth is a template string, such as "Bearer <% $secrets.t %>".
	Auth string `json:"auth,omitempty"`
	// Commit replaces the ref of a git URL if Commit is not "".
	Commit string `json:"commit,omitempty"`
}

// Mount is a storage mounted in the task container.
type Mount struct {
	Storage  string `json:"storage"`
	Path     string `json:"path"`
	ReadOnly bool   `json:"read_only,omitempty"`
}

// Hosts is the table of all tasks of a job attempt. The table becomes
// available when every task is ready. Tasks use it to look up their peers.
type Hosts struct {
	Tasks []Host `json:"tasks"` // roles in job order, then by index
}

// Host is the entry for one task in the table.
type Host struct {
	Role   string           `json:"role"` // in the Framework
	Index  int              `json:"index"`
	IP     string           `json:"ip,omitempty"`      // Pod IP
	HostIP string           `json:"host_ip,omitempty"` // value of PAI_HOST_IP_*
	Ports  map[string][]int `json:"ports,omitempty"`
}
