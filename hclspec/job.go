package hclspec

// Job is one declared job. Prerequisites and secrets that a protocol YAML
// file declares inside the job live in the job; those of an HCL workspace
// live in the [Workspace] and are looked up there when the job has none of
// that name.
type Job struct {
	// Label is the last part of the address, job.<Label>. A job made by
	// for_each has the label `name["key"]`.
	Label string
	// Name is the protocol's name. It is the label when not given.
	Name string
	Path Path
	// Module is the address of the module that declares it, "" for the root.
	Module Address

	// Syntax reports which front end the job came from. It decides only how
	// strict unresolved references are (design: an error in HCL, a warning
	// in imported YAML).
	Syntax Syntax

	Cluster string
	JobSettings
	// DefaultDeployment names the deployment whose commands are active.
	DefaultDeployment string
	// Defaults keeps the protocol's other keys under "defaults".
	Defaults map[string]any

	JobInputs
	Secrets       []*Secret
	Prerequisites []*Prerequisite
	TaskRoles     []*TaskRole
	Deployments   []*Deployment
	Plugins       []*Plugin
	Storage       []*StorageUse
	// DefaultStorages asks for every default storage of the user
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

// The structs below are part of a resolved job as well, which has their fields
// as they were declared. Their JSON is that of planner/resolve.

// JobSettings describe a job and how it is scheduled.
type JobSettings struct {
	Description    string `json:"description,omitempty"`
	Contributor    string `json:"contributor,omitempty"`
	Version        string `json:"version,omitempty"`
	VirtualCluster string `json:"virtual_cluster"`
	JobRetryCount  int    `json:"job_retry_count"`
	GangAllocation bool   `json:"gang_allocation"` // default true
}

// JobInputs are what the tasks of a job are given.
type JobInputs struct {
	SSHPublicKeys []string `json:"ssh_public_keys,omitempty"`
	// Extras keeps every key of the protocol's extras that has no field, so
	// that it survives a round trip.
	Extras     map[string]any `json:"extras,omitempty"`
	Parameters map[string]any `json:"parameters,omitempty"`
}

// JobLifecycle decides what a plan may do with a job that exists.
type JobLifecycle struct {
	Rerun          string `json:"rerun"`             // "never" (default) or "on_change"
	Rescale        string `json:"rescale,omitempty"` // "" (default) or "in_place"
	PreventDestroy bool   `json:"prevent_destroy,omitempty"`
}

// Syntax names a front end.
type Syntax string

// The front ends.
const (
	SyntaxHCL       Syntax = "hcl"
	SyntaxProtocol  Syntax = "protocol"
	SyntaxLegacy    Syntax = "legacy"
	SyntaxTerraform Syntax = "terraform"
)

// IsImported reports whether the job was written for OpenPAI, whose leniency it
// keeps.
func (j *Job) IsImported() bool { return j.Syntax == SyntaxProtocol || j.Syntax == SyntaxLegacy }

// Address returns job.<label>, after the address of the module.
func (j *Job) Address() Address { return NewAddress("job", j.Label).In(j.Module) }

// TaskRole returns the role of that name as written, or nil.
func (j *Job) TaskRole(name string) *TaskRole {
	for _, r := range j.TaskRoles {
		if r.Name == name {
			return r
		}
	}
	return nil
}

// Deployment is a named set of commands around those of the task roles.
type Deployment struct {
	Name      string
	Path      Path
	TaskRoles []*DeploymentTaskRole
	// Rest keeps keys without a field here (the protocol leaves it open).
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
	TaskRoles     []string // empty: all
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
