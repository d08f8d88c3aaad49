package hclspec

// Cluster is where jobs run. A job that names no cluster runs on the embedded
// local cluster, which needs no block.
type Cluster struct {
	Name string
	Path Path

	Kubeconfig string
	// Access replaces Kubeconfig; nil: kubectl's rules.
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
	// Scheduler is "hived" or "default"; "" is the default.
	Scheduler       string
	SKUs            []*SKU
	VirtualClusters []*VirtualCluster
	MaxRunTime      Duration
	MaxWaitTime     Duration
	// PriorityClass gives each job its own PriorityClass; nil: none.
	PriorityClass *PriorityClass
}

// PriorityClass says what the PriorityClasses of jobs are like. Their values
// follow from HiveD's priority and the time of the first apply.
type PriorityClass struct {
	PreemptionPolicy string
}

// Address returns cluster.<name>.
func (c *Cluster) Address() Address { return NewAddress("cluster", c.Name) }

// UsesHiveD reports whether HiveD places the jobs of the cluster. The embedded
// local cluster, which has no block, is nil.
func (c *Cluster) UsesHiveD() bool { return c != nil && c.Scheduler == "hived" }

// ClusterRuntime chooses the runtime image and what the runtime may use.
type ClusterRuntime struct {
	Image, PullPolicy string
	// FetchCache is a directory of the nodes where downloads are kept for all
	// tasks of a node, FetchCacheMB its bound in MiB, 0 for the runtime's own.
	FetchCache   string
	FetchCacheMB int
}

// SKU is a HiveD unit of resources.
type SKU struct {
	Name             string
	Path             Path
	GPU, CPU, Memory int
	// PricePerHour is a decimal number; "" where it is not known.
	PricePerHour string
}

// VirtualCluster is a HiveD virtual cluster with its quota per SKU.
type VirtualCluster struct {
	Name  string
	Path  Path
	Quota map[string]int
}

// ClusterAccess is how a cluster is reached, with credentials as values. Only a
// provider block of Terraform writes it, whose values come from other resources;
// it takes the place of Cluster.Kubeconfig. Either Kubeconfig, ConfigPaths or
// Host is set.
type ClusterAccess struct {
	// Kubeconfig is the content of a kubeconfig.
	Kubeconfig *Sensitive
	// ConfigPaths are kubeconfig files that are merged, the first one first.
	ConfigPaths []string

	// Host is the URL of the API server. The other fields are for it only.
	Host string
	// CertificateAuthority and ClientCertificate are PEM.
	CertificateAuthority string
	ClientCertificate    string
	ClientKey            *Sensitive
	Token                *Sensitive
	Exec                 *ExecCredential
	Insecure             bool
	TLSServerName        string
	ProxyURL             string
}

// ExecCredential is a program that prints a credential.
type ExecCredential struct {
	APIVersion string
	Command    string
	Args       []string
	Env        map[string]*Sensitive
}
