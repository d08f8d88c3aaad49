// SPDX-License-Identifier: MPL-2.0

package hclspec

// Cluster describes where jobs run. A job without a cluster runs on the
// embedded local cluster, which does not require a block.
type Cluster struct {
	Name string
	Path Path

	Kubeconfig string
	// Access, if not nil, replaces Kubeconfig. If neither is set, kubectl's
	// rules select the kubeconfig.
	Access    *ClusterAccess
	Context   string
	Namespace string
	Profile   string // "standard" (default) or "openpai"
	User      string

	Runtime        ClusterRuntime
	ServiceAccount string
	LogStorage     string
	PodSecurity    string
	Pod            *Pod
	// Scheduler is "hived" or "default"; "" means "default".
	Scheduler       string
	SKUs            []*SKU
	VirtualClusters []*VirtualCluster
	MaxRunTime      Duration
	MaxWaitTime     Duration
	// PriorityClass configures a separate PriorityClass for each job; nil
	// creates none.
	PriorityClass *PriorityClass
}

// PriorityClass configures the PriorityClasses of jobs. The value of a
// PriorityClass depends on the job's HiveD priority and the time of its first
// apply.
type PriorityClass struct {
	PreemptionPolicy string
}

// Address returns cluster.<name>.
func (c *Cluster) Address() Address { return NewAddress("cluster", c.Name) }

// UsesHiveD reports whether HiveD places the cluster's jobs. A nil cluster is
// the embedded local cluster, which has no block.
func (c *Cluster) UsesHiveD() bool { return c != nil && c.Scheduler == "hived" }

// ClusterRuntime selects the runtime image and the node resources that the
// runtime may use.
type ClusterRuntime struct {
	Image, PullPolicy string
	// FetchCache is the cache directory for the downloads of all tasks on a
	// node. FetchCacheMB is the maximum size of the cache in MiB; 0 means the
	// runtime's default.
	FetchCache   string
	FetchCacheMB int
}

// SKU is a HiveD unit of resources.
type SKU struct {
	Name             string
	Path             Path
	GPU, CPU, Memory int
	// PricePerHour is a decimal number, or "" if the price is unknown.
	PricePerHour string
}

// VirtualCluster is a HiveD virtual cluster with its quota per SKU.
type VirtualCluster struct {
	Name  string
	Path  Path
	Quota map[string]int
}

// ClusterAccess configures the connection to a cluster. It contains the credentials
// themselves, not only file paths. It replaces Cluster.Kubeconfig. Only the
// Terraform provider block sets it, because the values come from other resources.
// Exactly one of Kubeconfig, ConfigPaths and Host is set.
type ClusterAccess struct {
	// Kubeconfig is the content of a kubeconfig file.
	Kubeconfig *Sensitive
	// ConfigPaths are kubeconfig files to merge; the first takes precedence.
	ConfigPaths []string

	// Host is the URL of the API server. The following fields apply only if
	// Host is set.
	Host string
	// CertificateAuthority and ClientCertificate are PEM-encoded.
	CertificateAuthority string
	ClientCertificate    string
	ClientKey            *Sensitive
	Token                *Sensitive
	Exec                 *ExecCredential
	Insecure             bool
	TLSServerName        string
	ProxyURL             string
}

// ExecCredential is a credential plugin, a program that prints a credential.
type ExecCredential struct {
	APIVersion string
	Command    string
	Args       []string
	Env        map[string]*Sensitive
}
