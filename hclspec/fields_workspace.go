// SPDX-License-Identifier: MPL-2.0

package hclspec

// SecretBlock describes a secret.
var SecretBlock = &Block{
	Name: "secret", Labels: []string{"Name"}, Type: typeOf[Secret](), Value: "Value",
	Doc: "A value that apply reads but never writes to a plan, state, log or ConfigMap. Changing the value replaces the jobs that use the secret.",
	Fields: []Field{
		{Name: "env", Go: "Env", Kind: String, Effect: EffectNone, Doc: "Environment variable that contains the value."},
		{Name: "file", Go: "File", Kind: String, Effect: EffectNone, Doc: "Path of the file that contains the value, relative to the workspace directory."},
		{Name: "kubernetes", Go: "Kubernetes", Kind: OptionalObject, Block: secretKeyBlock, Doc: "Key of an existing Secret in the cluster."},
		{Name: "value", Go: "Value", Kind: Text, Doc: "Value of the secret: a string in a protocol file, a sensitive variable in HCL."},
		{Name: "version", Go: "Version", Kind: String, Effect: EffectReplace, Doc: "Version of the value; plan compares the version instead of the value."},
	},
}

var secretKeyBlock = &Block{
	Name: "kubernetes", Type: typeOf[SecretKey](),
	Fields: []Field{
		{Name: "name", Go: "Name", Kind: String, Required: true, Doc: "Name of the Secret."},
		{Name: "key", Go: "Key", Kind: String, Required: true, Doc: "Key in the Secret."},
	},
}

// StorageBlock describes a storage.
var StorageBlock = &Block{
	Name: "storage", Labels: []string{"Name"}, Type: typeOf[Storage](),
	Doc: "A storage that task roles and prerequisites mount. Exactly one kind must be set.",
	Fields: []Field{
		{Name: "host_path", Go: "HostPath", Kind: String, Doc: "Directory on the node; on the local cluster, relative to the workspace directory."},
		{Name: "claim", Go: "Claim", Kind: String, Doc: "Existing PersistentVolumeClaim."},
		{Name: "nfs", Go: "NFS", Kind: OptionalObject, Block: nfsBlock, Doc: "Share on an NFS server."},
		{Name: "azure_file", Go: "AzureFile", Kind: OptionalObject, Block: azureFileBlock, Doc: "Share in an Azure storage account."},
		{Name: "azure_blob", Go: "AzureBlob", Kind: OptionalObject, Block: azureBlobBlock, Doc: "Container in an Azure storage account."},
		{Name: "csi", Go: "CSI", Kind: OptionalObject, Block: csiBlock, Doc: "Volume provided by a CSI driver."},
		{Name: "read_only", Go: "ReadOnly", Kind: Bool, Doc: "Whether the storage is mounted read-only everywhere."},
		{Name: "size", Go: "Size", Kind: String, Format: FormatQuantity, Default: "1Ti", Effect: EffectNone, Doc: "Size of the claim that apply creates, as a Kubernetes quantity."},
		{Name: "on_destroy", Go: "OnDestroy", Kind: String, Default: "keep", Values: []string{"keep", "delete"}, Effect: EffectNone, Doc: "Whether destroy keeps or deletes the objects that apply created."},
		{Name: "users", Go: "Users", Kind: Strings, Effect: EffectNone, Doc: "Users who may use the storage; all users if users and groups are empty."},
		{Name: "groups", Go: "Groups", Kind: Strings, Effect: EffectNone, Doc: "Groups whose members may use the storage."},
	},
}

var nfsBlock = &Block{
	Name: "nfs", Type: typeOf[NFSVolume](),
	Fields: []Field{
		{Name: "server", Go: "Server", Kind: String, Required: true, Doc: "Host of the server."},
		{Name: "path", Go: "Path", Kind: String, Required: true, Doc: "Exported directory."},
	},
}

var azureFileBlock = &Block{
	Name: "azure_file", Type: typeOf[AzureFileVolume](),
	Fields: []Field{
		{Name: "share", Go: "Share", Kind: String, Required: true, Doc: "Name of the share."},
		{Name: "secret_name", Go: "SecretName", Kind: String, Required: true, Doc: "Existing Secret with the credentials for the account."},
		{Name: "secret_namespace", Go: "SecretNamespace", Kind: String, Doc: "Namespace of that Secret."},
	},
}

var azureBlobBlock = &Block{
	Name: "azure_blob", Type: typeOf[AzureBlobVolume](),
	Fields: []Field{
		{Name: "container", Go: "Container", Kind: String, Required: true, Doc: "Name of the container."},
		{Name: "account", Go: "Account", Kind: String, Required: true, Doc: "Storage account."},
		{Name: "secret_name", Go: "SecretName", Kind: String, Required: true, Doc: "Existing Secret with the key."},
		{Name: "secret_namespace", Go: "SecretNamespace", Kind: String, Doc: "Namespace of that Secret."},
	},
}

var csiBlock = &Block{
	Name: "csi", Type: typeOf[CSIVolume](),
	Fields: []Field{
		{Name: "driver", Go: "Driver", Kind: String, Required: true, Doc: "Name of the driver."},
		{Name: "volume_handle", Go: "VolumeHandle", Kind: String, Required: true, Doc: "Handle of the volume."},
		{Name: "volume_attributes", Go: "VolumeAttributes", Kind: StringMap, Doc: "Attributes of the volume."},
	},
}

// MarketplaceBlock describes a source of marketplace items.
var MarketplaceBlock = &Block{
	Name: "marketplace", Labels: []string{"Name"}, Type: typeOf[Marketplace](),
	Doc: "A source in which openpai looks up marketplace:// references.",
	Fields: []Field{
		{Name: "source", Go: "Source", Kind: String, Effect: EffectNone, Doc: "Directory, git address, http(s) URL or OpenPAI Marketplace server."},
		{Name: "token", Go: "Token", Kind: String, Effect: EffectNone, Doc: "Credential for the source: a reference to a secret."},
		{Name: "kubernetes", Go: "Kubernetes", Kind: OptionalObject, Block: kubernetesMarketplaceBlock, Doc: "Items published in a cluster."},
	},
}

var kubernetesMarketplaceBlock = &Block{
	Name: "kubernetes", Type: typeOf[KubernetesMarketplace](),
	Fields: []Field{
		{Name: "cluster", Go: "Cluster", Kind: String, Effect: EffectNone, Doc: "Cluster that contains the items."},
		{Name: "namespace", Go: "Namespace", Kind: String, Effect: EffectNone, Doc: "Namespace of the items."},
	},
}

// ClusterBlock describes a cluster.
var ClusterBlock = &Block{
	Name: "cluster", Labels: []string{"Name"}, Type: typeOf[Cluster](),
	Doc: "A Kubernetes cluster with FrameworkController. Changes apply to jobs submitted afterwards; changes to the default times and the HiveD settings replace running jobs.",
	Fields: []Field{
		{Name: "kubeconfig", Go: "Kubeconfig", Kind: String, Effect: EffectNone, Doc: "Kubeconfig file, relative to the workspace directory; defaults to the files that kubectl uses."},
		{Name: "context", Go: "Context", Kind: String, Effect: EffectNone, Doc: "Context in the kubeconfig."},
		{Name: "namespace", Go: "Namespace", Kind: String, Effect: EffectNone, Doc: "Namespace of the jobs; defaults to the namespace of the context."},
		{Name: "profile", Go: "Profile", Kind: String, Default: "standard", Values: []string{"standard", "openpai"}, Effect: EffectNone, Doc: "With the profile \"standard\", jobs run on any cluster; with \"openpai\", jobs run like jobs of OpenPAI."},
		{Name: "user", Go: "User", Kind: String, Effect: EffectNone, Doc: "User who owns the jobs."},
		{Name: "runtime", Go: "Runtime", Kind: Object, Block: clusterRuntimeBlock, Effect: EffectNone, Doc: "Settings of the runtime in the containers."},
		{Name: "service_account", Go: "ServiceAccount", Kind: String, Effect: EffectNone, Doc: "Existing ServiceAccount for all jobs."},
		{Name: "log_storage", Go: "LogStorage", Kind: String, Effect: EffectNone, Doc: "Storage for the logs of finished tasks."},
		{Name: "pod_security", Go: "PodSecurity", Kind: String, Values: []string{"baseline", "restricted"}, Default: "baseline", Effect: EffectNone, Doc: "Pod security level that the Pods must satisfy."},
		{Name: "pod", Go: "Pod", Kind: OptionalObject, Block: clusterPodBlock, Effect: EffectNone, Doc: "Settings for all Pods; changes do not affect existing jobs."},
		{Name: "scheduler", Go: "Scheduler", Kind: String, Values: []string{"default", "hived"}, Doc: "Scheduler of all jobs: \"hived\" uses HiveD; \"default\" uses the Kubernetes scheduler. Required if the profile is \"openpai\" and the cluster has SKUs."},
		{Name: "sku", Go: "SKUs", Kind: Objects, Block: skuBlock, Doc: "HiveD resource units."},
		{Name: "virtual_cluster", Go: "VirtualClusters", Kind: Objects, Block: virtualClusterBlock, Doc: "HiveD virtual clusters."},
		{Name: "max_run_time", Go: "MaxRunTime", Kind: Dur, Doc: "Default maximum run time of jobs on the cluster. Changing the value replaces the jobs that use it."},
		{Name: "max_wait_time", Go: "MaxWaitTime", Kind: Dur, Doc: "Default maximum wait time of jobs on the cluster. Changing the value replaces the jobs that use it."},
		{Name: "priority_class", Go: "PriorityClass", Kind: OptionalObject, Block: priorityClassBlock, Effect: EffectNone, Doc: "Creates a PriorityClass for each job, like OpenPAI. Without the block, apply does not create PriorityClasses."},
	},
}

// clusterPodBlock is PodBlock for a cluster. A change to its settings does
// not affect existing jobs.
var clusterPodBlock = PodBlock.withEffect(EffectNone)

var priorityClassBlock = &Block{
	Name: "priority_class", Type: typeOf[PriorityClass](),
	Fields: []Field{
		{Name: "preemption_policy", Go: "PreemptionPolicy", Kind: String, Values: []string{"PreemptLowerPriority", "Never"}, Default: "PreemptLowerPriority", Effect: EffectNone, Doc: "Whether the Pods preempt Pods with a lower priority."},
	},
}

var clusterRuntimeBlock = &Block{
	Name: "runtime", Type: typeOf[ClusterRuntime](),
	Fields: []Field{
		{Name: "image", Go: "Image", Kind: String, Effect: EffectNone, Doc: "Image with openpai-runtime."},
		{Name: "pull_policy", Go: "PullPolicy", Kind: String, Values: []string{"Always", "IfNotPresent", "Never"}, Effect: EffectNone, Doc: "Pull policy of the image."},
		{Name: "fetch_cache", Go: "FetchCache", Kind: String, Effect: EffectNone, Doc: "Directory on each node for cached downloads; all tasks on the node use it. Without a directory, downloads are not cached. All users of the cluster share the directory."},
		{Name: "fetch_cache_mb", Go: "FetchCacheMB", Kind: Int, Min: bound(0), Max: maxInt32, Effect: EffectNone, Doc: "Maximum size of the cache directory in MiB; defaults to 32768."},
	},
}

var skuBlock = &Block{
	Name: "sku", Labels: []string{"Name"}, Type: typeOf[SKU](),
	Fields: []Field{
		{Name: "gpu", Go: "GPU", Kind: Int, Min: bound(0), Max: maxInt32, Doc: "GPUs per unit."},
		{Name: "cpu", Go: "CPU", Kind: Int, Min: bound(0), Max: maxInt32, Doc: "CPUs per unit."},
		{Name: "memory", Go: "Memory", Kind: Int, Min: bound(0), Max: maxInt32, Doc: "Memory per unit, in MiB."},
		{Name: "price_per_hour", Go: "PricePerHour", Kind: String, AlsoNumber: true, Pattern: `^([0-9]{1,9}(\.[0-9]{1,6})?)?$`, Effect: EffectNone, Doc: "Hourly price of one unit, such as 2.5, in any currency. Plans show the sum of the prices."},
	},
}

var virtualClusterBlock = &Block{
	Name: "virtual_cluster", Labels: []string{"Name"}, Type: typeOf[VirtualCluster](),
	Fields: []Field{
		{Name: "quota", Go: "Quota", Kind: IntMap, Min: bound(0), Max: maxInt32, Doc: "Number of units by SKU."},
	},
}

// ProtocolBlock describes a protocol YAML file that is part of a workspace.
var ProtocolBlock = &Block{
	Name: "protocol", Labels: []string{"Label"}, Type: typeOf[Protocol](),
	Doc: "A job in OpenPAI protocol YAML, used without changes as job.<label>.",
	Fields: []Field{
		{Name: "file", Go: "File", Kind: String, Required: true, Doc: "Path of the YAML file, relative to the workspace directory."},
		{Name: "cluster", Go: "Cluster", Kind: Ref, Doc: "Cluster that runs the job."},
		{Name: "secret", Go: "Secrets", Kind: Objects, Block: SecretBlock, Doc: "Sources of the file's secrets, used instead of the values in the file."},
	},
}

// PolicyBlock describes a rule for checking plans. The decoder has separate
// rules for policy expressions, because each plan evaluates these
// expressions.
var PolicyBlock = &Block{
	Name: "policy", Labels: []string{"Name"}, Type: typeOf[Policy](),
	Doc: "A rule that plan and apply check. Expressions can use each.value, each.change, plan and var. See [policies](policies.md).",
	Fields: []Field{
		{Name: "for_each", Go: "ForEach", Kind: String, Required: true, Values: PolicySubjects, Effect: EffectNone, Doc: "The kind of object to check, without quotes; each.value is the current object."},
		{Name: "when", Kind: Any, Effect: EffectNone, Doc: "Expression that selects the objects to check. Defaults to the jobs that apply creates, updates or replaces."},
		{Name: "condition", Kind: Any, Required: true, Effect: EffectNone, Doc: "Expression that is true for a compliant object. If the expression fails or depends on an unknown value, the policy denies the plan."},
		{Name: "level", Go: "Level", Kind: String, Values: []string{PolicyDeny, PolicyWarn}, Default: PolicyDeny, Effect: EffectNone, Doc: "deny rejects the plan; warn prints a warning."},
		{Name: "message", Kind: Any, Required: true, Effect: EffectNone, Doc: "Message that describes the violation and what to do; it may refer to each.value."},
		{Name: "field", Go: "Field", Kind: String, Effect: EffectNone, Doc: "Field whose position the message shows, such as \"resources.gpu\": a field of the job, task role, prerequisite or storage."},
	},
}

// RootBlocks lists the top-level block types that the field table describes.
// The list omits openpai, variable, locals, module, output and moved, because
// they are not part of the model.
var RootBlocks = []*Block{
	JobBlock, PrerequisiteBlock, StorageBlock, SecretBlock, ClusterBlock, MarketplaceBlock, ProtocolBlock, PolicyBlock,
}
