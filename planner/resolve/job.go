// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/plainjson"
)

// Job is a resolved job. The JSON of a job is canonical: identical jobs
// produce identical bytes. A job contains the names of secrets but never
// their values.
type Job struct {
	Address hclspec.Address `json:"address"`
	Name    string          `json:"name"`
	// Framework is the metadata.name on the cluster.
	Framework string `json:"framework"`
	User      string `json:"user"`
	Workspace string `json:"workspace"`
	// Cluster is the name of the cluster block, or "local".
	Cluster string `json:"cluster"`

	hclspec.JobSettings
	// Deployment is the active deployment, or "".
	Deployment string `json:"deployment,omitempty"`

	TaskRoles []*TaskRole `json:"task_roles"`
	// Secrets lists the secrets used by task roles and image logins, sorted
	// by name.
	Secrets []*Secret `json:"secrets,omitempty"`

	// Items lists the marketplace items that the job uses, sorted by address.
	// The list is only for display and not part of the hash.
	Items []UsedItem `json:"items,omitempty" doc:"Marketplace items that the job uses as a prerequisite, image, data, output or script, and the item that the whole job comes from"`

	Hived        *Hived          `json:"hived,omitempty"`
	Notification map[string]bool `json:"notification,omitempty"`
	Pod          *hclspec.Pod    `json:"pod,omitempty"`
	hclspec.JobInputs

	MaxWaitSeconds   int `json:"max_wait_seconds"`
	StopGraceSeconds int `json:"stop_grace_seconds"`
	hclspec.JobLifecycle

	// Declared is the declared job, with positions for later diagnostics.
	Declared *hclspec.Job `json:"-"`
	// NotPermitted contains an error for each storage that the job's user may not
	// mount. See [WithoutPermissions].
	NotPermitted hcl.Diagnostics `json:"-"`
}

// TaskRole is a resolved task role.
type TaskRole struct {
	Name string `json:"name"` // as written
	// FrameworkName is the name of the task role in the Framework. It matches
	// [a-z0-9]{1,63}.
	FrameworkName string `json:"framework_name"`

	Instances      int `json:"instances"`
	TaskRetryCount int `json:"task_retry_count"`
	MinFailed      int `json:"min_failed_instances"`    // disabled if below 1
	MinSucceeded   int `json:"min_succeeded_instances"` // disabled if below 1

	Image Image `json:"image"`

	hclspec.Limits
	hclspec.ExtraContainerOptions
	Ports []Port `json:"ports"` // ports sorted by label, including ssh and http
	// FixedPorts contains the labels that have fixed ports. The value of a
	// label is the first port number of task 0.
	FixedPorts map[string]int `json:"fixed_ports,omitempty"`

	// Steps lists the prerequisites in start order, followed by the plugins.
	Steps []*Step `json:"steps,omitempty"`
	// Commands lists the role's pre-commands, commands and post-commands.
	Commands    []string          `json:"commands"`
	Environment map[string]string `json:"environment,omitempty"`
	Mounts      []*Mount          `json:"mounts,omitempty"`
	// Secrets lists the names of the secrets that this role's containers refer
	// to, sorted.
	Secrets []string `json:"secrets,omitempty"`

	Pod              *hclspec.Pod `json:"pod,omitempty"`
	MaxRunSeconds    int          `json:"max_run_seconds,omitempty"`
	StopGraceSeconds int          `json:"stop_grace_seconds"`

	// Enabled lists the prerequisites that start only because of the role's
	// data, script or output.
	Enabled []hclspec.Reference `json:"-"`
}

// Image is the image of a task role. Login fields may refer to secrets.
type Image struct {
	// Address is the address of the dockerimage prerequisite, or "".
	Address     string `json:"address,omitempty"`
	URI         string `json:"uri"`
	Username    string `json:"username,omitempty"`
	Password    string `json:"password,omitempty"`
	RegistryURI string `json:"registry_uri,omitempty"`

	// Digest is the image digest that a repeated run uses, or "". A digest in
	// URI takes precedence over Digest.
	Digest string `json:"-"`
}

// Pinned returns the URI with the digest. Pinned does not change a URI that
// already contains a digest. If Digest is "", Pinned also returns URI
// unchanged.
func (i Image) Pinned() string {
	if i.Digest == "" || strings.Contains(i.URI, "@") {
		return i.URI
	}
	return i.URI + "@" + i.Digest
}

// Port is a request for Count ports with one label.
type Port struct {
	Label string `json:"label"`
	Count int    `json:"count"`
}

// Step is a prerequisite instance or job plugin in a task role.
type Step struct {
	// Address identifies the step: plugin.ssh, or prerequisite.data.mnist
	// followed by the values of its template variables.
	Address       string            `json:"address"`
	Name          string            `json:"name"`
	Type          string            `json:"type,omitempty"`
	Plugin        string            `json:"plugin"` // short name
	FailurePolicy string            `json:"failure_policy"`
	Retry         *Retry            `json:"retry,omitempty"`
	Callbacks     []*Callback       `json:"callbacks,omitempty"`
	Fetch         []*Fetch          `json:"fetch,omitempty"`
	Environment   map[string]string `json:"environment,omitempty"`
	Parameters    map[string]any    `json:"parameters,omitempty"`
	With          map[string]string `json:"with,omitempty"`
	URI           []string          `json:"uri,omitempty"`
	// RequiredBy lists the addresses of the steps that require this step.
	// RequiredBy is empty if the role lists this step directly. The list is
	// only for display and not part of the hash.
	RequiredBy []string `json:"required_by,omitempty"`
	// Requires lists the addresses of the instances that the step requires.
	// Only graphs use the list.
	Requires []string `json:"-"`
	// Commits maps git URLs to the commits that a repetition of a run
	// fetches. It is set only for repetitions.
	Commits map[string]string `json:"-"`
	// Source is the origin and version of a marketplace item. Title and Link
	// describe the item. These fields are only for display and not part of
	// the hash.
	Source string `json:"source,omitempty"`
	Title  string `json:"title,omitempty"`
	Link   string `json:"link,omitempty"`
}

// UsedItem is a marketplace item that a job uses.
type UsedItem struct {
	// Address identifies the item: marketplace://name/mnist?from=team, or its URL.
	Address string `json:"address"`
	Name    string `json:"name"`
	Type    string `json:"type" doc:"Type of the prerequisite, or job for a whole job"`
	Title   string `json:"title,omitempty"`
	// Marketplace is "" for an item at a URL.
	Marketplace string `json:"marketplace,omitempty" doc:"Name of the marketplace; absent for an item at a URL"`
	Version     string `json:"version,omitempty"`
	Link        string `json:"link,omitempty" doc:"Web page, file or repository of the item"`
}

// Origin describes the source of an item. The text does not depend on the source
// type of the marketplace.
func (i UsedItem) Origin() string {
	text := i.Address
	if i.Marketplace != "" {
		text = "marketplace " + i.Marketplace
	}
	if i.Version != "" {
		text += ", version " + i.Version
	}
	return text
}

// Callback contains the commands for one event.
type Callback struct {
	Event          string   `json:"event"`
	Commands       []string `json:"commands"`
	FailurePolicy  string   `json:"failure_policy"`
	TimeoutSeconds int      `json:"timeout_seconds,omitempty"`
	Retry          *Retry   `json:"retry,omitempty"`
}

// Retry contains the number of attempts and the backoff for a failing
// callback.
type Retry struct {
	Attempts       int `json:"attempts"`
	BackoffSeconds int `json:"backoff_seconds"`
}

// Fetch is a download by the runtime.
type Fetch = hclspec.Fetch

// Mount is a storage in a task role.
type Mount struct {
	Storage string `json:"storage"` // name
	// Address is the address of a storage in a module, "" for other storages.
	// The address is only for display and not part of the hash.
	Address  string `json:"address,omitempty"`
	Path     string `json:"path"`
	ReadOnly bool   `json:"read_only,omitempty"`
	SubPath  string `json:"sub_path,omitempty"`
	// By is the list of declarations that request the mount. The list is only
	// for display and not part of the hash.
	By []string `json:"by,omitempty"`

	// Declared is the storage block, or nil for a bare claim name.
	Declared *hclspec.Storage `json:"declared,omitempty" doc:"The storage block; absent for a claim that no block declares"`
}

// Secret is a secret that the job uses.
type Secret struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"` // the version that the user set, or ""

	Declared *hclspec.Secret `json:"-"`
}

// Hived is the HiveD placement of a job.
type Hived struct {
	JobPriorityClass string `json:"job_priority_class"`
	// Priority is the HiveD priority of the class.
	Priority  int              `json:"priority"`
	TaskRoles []*HivedTaskRole `json:"task_roles"`

	GangReleaseEnable       *bool `json:"gang_release_enable,omitempty"`
	LazyPreemptionEnable    *bool `json:"lazy_preemption_enable,omitempty"`
	IgnoreK8sSuggestedNodes *bool `json:"ignore_k8s_suggested_nodes,omitempty"`
}

// HivedTaskRole is the HiveD placement of one task role.
type HivedTaskRole struct {
	Name           string `json:"name"`
	SKUType        string `json:"sku_type,omitempty"`
	PinnedCellID   string `json:"pinned_cell_id,omitempty"`
	LeafCellNumber int    `json:"leaf_cell_number"`
	// AffinityGroupName is the declared name. AffinityGroup is the HiveD name,
	// which includes the user and the job name. All roles of a gang have the
	// same group if no role declares a name.
	AffinityGroupName string `json:"affinity_group_name,omitempty"`
	AffinityGroup     string `json:"affinity_group,omitempty"`
}

// Canonical returns the canonical JSON of the job: one line with sorted map
// keys. The JSON has no HTML escapes and no final newline. Identical jobs
// produce identical bytes.
func (j *Job) Canonical() []byte {
	return plainjson.MustMarshal(j)
}
