// SPDX-License-Identifier: MPL-2.0

package hclspec

// Job is a declared job. It contains the job's own prerequisites and secrets,
// for example from a protocol YAML file. The [Workspace] contains the other
// prerequisites and secrets. A name that the job does not declare refers to a
// declaration in the Workspace.
type Job struct {
	// Label is the last part of the address, job.<Label>. A job created by
	// for_each has the label `name["key"]`.
	Label string
	// Name is the name in the protocol. It defaults to the label.
	Name string
	Path Path
	// Module is the address of the module that declares the job, "" for the
	// root.
	Module Address

	// Syntax is the front end that created the job. Some errors in HCL, such
	// as unresolved references, are warnings in imported YAML.
	Syntax Syntax

	Cluster string
	JobSettings
	// DefaultDeployment is the name of the deployment whose commands are
	// active.
	DefaultDeployment string
	// Defaults holds the keys of the protocol's "defaults" that have no field
	// in the model.
	Defaults map[string]any

	JobInputs
	Secrets       []*Secret
	Prerequisites []*Prerequisite
	TaskRoles     []*TaskRole
	Deployments   []*Deployment
	Plugins       []*Plugin
	Storage       []*StorageUse
	// DefaultStorages requests all default storages of the user
	// (extras.storages: [] in the protocol).
	DefaultStorages bool
	Environment     map[string]string

	Hived                  *Hived
	Notification           *Notification
	SubmitFrom             string
	ReferencePrerequisites []*Prerequisite

	Pod         *Pod
	MaxRunTime  Duration
	MaxWaitTime Duration
	StopGrace   Duration
	JobLifecycle
}

// The structs below are also part of a resolved job, where the fields have
// the declared values. planner/resolve defines the JSON format.

// JobSettings contains the settings that describe a job or control its
// scheduling.
type JobSettings struct {
	Description    string `json:"description,omitempty"`
	Contributor    string `json:"contributor,omitempty"`
	Version        string `json:"version,omitempty"`
	VirtualCluster string `json:"virtual_cluster"`
	JobRetryCount  int    `json:"job_retry_count"`
	GangAllocation bool   `json:"gang_allocation"` // default true
}

// JobInputs are the values that the tasks of a job receive.
type JobInputs struct {
	SSHPublicKeys []string `json:"ssh_public_keys,omitempty"`
	// Extras contains the keys of the protocol's extras that have no field in
	// the model. A round trip preserves these keys.
	Extras     map[string]any `json:"extras,omitempty"`
	Parameters map[string]any `json:"parameters,omitempty"`
}

// JobLifecycle restricts how a plan may change an existing job.
type JobLifecycle struct {
	Rerun          string `json:"rerun"`             // "never" (default) or "on_change"
	Rescale        string `json:"rescale,omitempty"` // "" (default) or "in_place"
	PreventDestroy bool   `json:"prevent_destroy,omitempty"`
}

// Syntax identifies a front end.
type Syntax string

// The front ends.
const (
	SyntaxHCL       Syntax = "hcl"
	SyntaxProtocol  Syntax = "protocol"
	SyntaxLegacy    Syntax = "legacy"
	SyntaxTerraform Syntax = "terraform"
)

// IsImported reports whether the job was decoded from OpenPAI YAML. Validation
// accepts whatever OpenPAI accepts in such a job.
func (j *Job) IsImported() bool { return j.Syntax == SyntaxProtocol || j.Syntax == SyntaxLegacy }

// Address returns job.<label>, preceded by the address of the module, if any.
func (j *Job) Address() Address { return NewAddress("job", j.Label).In(j.Module) }

// TaskRole returns the task role with the given declared name, or nil.
func (j *Job) TaskRole(name string) *TaskRole {
	for _, r := range j.TaskRoles {
		if r.Name == name {
			return r
		}
	}
	return nil
}

// Deployment is a set of commands that run before and after the commands of
// the task roles.
type Deployment struct {
	Name      string
	Path      Path
	TaskRoles []*DeploymentTaskRole
	// Rest contains the keys that have no field. The protocol allows any key
	// here.
	Rest map[string]any
}

// DeploymentTaskRole holds the commands of one deployment for one task role.
type DeploymentTaskRole struct {
	Name         string
	Path         Path
	PreCommands  []string
	PostCommands []string
}

// Plugin is an entry of extras["com.microsoft.pai.runtimeplugin"].
type Plugin struct {
	Name          string // short or long name, as written
	Path          Path
	Parameters    map[string]any
	FailurePolicy string
	TaskRoles     []string // all if empty
}

// Notification is extras.jobStatusChangeNotification.
type Notification struct {
	Running, Succeeded, Stopped, Failed, Retried bool
}

// Hived is extras.hivedScheduler.
type Hived struct {
	Path                    Path
	JobPriorityClass        string
	TaskRoles               []*HivedTaskRole
	GangReleaseEnable       *bool
	LazyPreemptionEnable    *bool
	IgnoreK8sSuggestedNodes *bool
}

// HivedTaskRole is the HiveD placement of one task role.
type HivedTaskRole struct {
	Name              string
	Path              Path
	SKUType           string
	SKUNum            *int
	PinnedCellID      string
	AffinityGroupName string
}
