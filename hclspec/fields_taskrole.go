// SPDX-License-Identifier: MPL-2.0

package hclspec

// TaskRoleBlock describes a task role.
var TaskRoleBlock = &Block{
	Name: "task_role", Labels: []string{"Name"}, Type: typeOf[TaskRole](), Ordered: true, LabelValidated: true, Versioned: true,
	Doc: "A group of identical tasks.",
	Fields: []Field{
		{Name: "instances", Protocol: "instances", Go: "Instances", Kind: Int, AlwaysWritten: true, Default: 1, Min: bound(1), Max: bound(10000), Effect: EffectInPlace, Doc: "Number of tasks. A change replaces a gang, unless rescale is in_place."},
		{Name: "task_retry_count", Protocol: "taskRetryCount", Go: "TaskRetryCount", Kind: Int, Min: bound(0), Max: maxInt32, Effect: EffectInPlace, Doc: "Maximum number of retries of one task; only without gang allocation."},
		{Name: "completion", Protocol: "completion", Go: "Completion", Kind: Object, Block: completionBlock, Doc: "Conditions under which the tasks of this role end the job."},
		{Name: "image", Protocol: "dockerImage", Go: "Image", Kind: Ref, Format: FormatImage, Required: true, Doc: "A dockerimage prerequisite; HCL also accepts an image reference."},
		{Name: "data", Protocol: "data", Go: "Data", Kind: Ref, Doc: "The data prerequisite that <% $data %> refers to. A data prerequisite that is not listed in \"prerequisites\" starts before the listed prerequisites if it has a fetch, callbacks, an environment, a plugin or requirements."},
		{Name: "output", Protocol: "output", Go: "Output", Kind: Ref, Doc: "The output prerequisite that <% $output %> refers to. An output prerequisite that is not listed in \"prerequisites\" starts before the listed prerequisites if it has a fetch, callbacks, an environment, a plugin or requirements."},
		{Name: "script", Protocol: "script", Go: "Script", Kind: Ref, Doc: "The script prerequisite that <% $script %> refers to. A script prerequisite that is not listed in \"prerequisites\" starts before the listed prerequisites if it has a fetch, callbacks, an environment, a plugin or requirements."},
		{Name: "prerequisites", Protocol: "prerequisites", Go: "Prerequisites", Kind: Refs, Doc: "Prerequisites in start order. Each required prerequisite is added before the prerequisites that require it."},
		{Name: "storage", Go: "Storage", Kind: StorageUses, Doc: "Storages mounted in this role."},
		{Name: "resources", Protocol: "resourcePerInstance", Go: "Resources", Kind: Object, Block: resourcesBlock, Required: true, Doc: "Limits of one task."},
		{Name: "extra_container_options", Protocol: "extraContainerOptions", Go: "ExtraContainerOptions", Kind: Object, Block: extraContainerOptionsBlock, Doc: "Other container settings."},
		{Name: "commands", Protocol: "commands", Go: "Commands", Kind: Strings, Required: true, NonEmpty: true, Doc: "The user's commands, run as one script."},
		{Name: "environment", Go: "Environment", Kind: StringMap, Doc: "Environment variables of the tasks of this role; they override the variables of the job."},
		{Name: "pod", Go: "Pod", Kind: OptionalObject, Block: PodBlock, Doc: "Settings of the Pods on Kubernetes; they override the settings of the job."},
		{Name: "max_run_time", Go: "MaxRunTime", Kind: Dur, Doc: "Maximum run time of a task of this role, after which the task is stopped."},
		{Name: "stop_grace", Go: "StopGrace", Kind: Dur, Doc: "Grace period between SIGTERM and SIGKILL; defaults to the value of the job."},
	},
}

var completionBlock = &Block{
	Name: "completion", Type: typeOf[Completion](),
	Fields: []Field{
		{Name: "min_failed_instances", Protocol: "minFailedInstances", Go: "MinFailedInstances", Kind: OptionalInt, Min: bound(-1), Max: maxInt32, Effect: EffectInPlace, Doc: "Number of failed tasks that fails the job. Defaults to 1; -1 means never."},
		{Name: "min_succeeded_instances", Protocol: "minSucceededInstances", Go: "MinSucceededInstances", Kind: OptionalInt, Min: bound(-1), Max: maxInt32, Effect: EffectInPlace, Doc: "Number of succeeded tasks that completes the job. Defaults to all tasks; -1 means never."},
	},
}

var resourcesBlock = &Block{
	Name: "resources", Type: typeOf[Resources](),
	Fields: []Field{
		{Name: "gpu", Protocol: "gpu", Go: "GPU", Kind: Int, AlwaysWritten: true, Min: bound(0), Max: maxInt32, Required: true, Doc: "Number of GPUs."},
		{Name: "cpu", Protocol: "cpu", Go: "CPU", Kind: Int, AlwaysWritten: true, Min: bound(1), Max: maxInt32, Required: true, Doc: "Number of CPUs."},
		{Name: "memory_mb", Protocol: "memoryMB", Go: "MemoryMB", Kind: Int, AlwaysWritten: true, Min: bound(1), Max: maxInt32, Required: true, Doc: "Memory in MiB."},
		// OpenPAI assigns ports 15000 to 39999.
		{Name: "ports", Protocol: "ports", Go: "Ports", Kind: IntMap, NonEmpty: true, Min: bound(1), Max: bound(25000), Pattern: rolePattern, Doc: "Number of ports by label. The labels ssh and http always exist."},
		{Name: "fixed_ports", Go: "FixedPorts", Kind: IntMap, Min: bound(1), Max: bound(65535), Pattern: rolePattern, Doc: "First port number by label. The ports of task i start at first + i × count, where count is the label's number of ports. Labels that are not listed get free ports."},
	},
}

var extraContainerOptionsBlock = &Block{
	Name: "extra_container_options", Type: typeOf[ExtraContainerOptions](), UnknownKeys: UnknownKeysIgnored,
	Fields: []Field{
		{Name: "shm_mb", Protocol: "shmMB", Go: "ShmMB", Kind: Int, Min: bound(0), Max: maxInt32, Doc: "Size of /dev/shm in MiB. Defaults to 512; 0 also means 512."},
		{Name: "infiniband", Protocol: "infiniband", Go: "Infiniband", Kind: Bool, Doc: "Whether the task requires an RDMA device."},
	},
}

// PodBlock describes Pod settings.
var PodBlock = &Block{
	Name: "pod", Type: typeOf[Pod](),
	Doc: "Settings that openpai copies to the Pods on Kubernetes.",
	Fields: []Field{
		{Name: "tolerations", Go: "Tolerations", Kind: AnyList, Doc: "Tolerations in Kubernetes syntax."},
		{Name: "node_selector", Go: "NodeSelector", Kind: StringMap, Doc: "Labels that the node must have."},
		{Name: "labels", Go: "Labels", Kind: StringMap, Doc: "Labels of the Pod."},
		{Name: "annotations", Go: "Annotations", Kind: StringMap, Doc: "Annotations of the Pod."},
		{Name: "priority_class", Go: "PriorityClass", Kind: String, Doc: "An existing PriorityClass."},
		{Name: "image_pull_secrets", Go: "ImagePullSecrets", Kind: Strings, Doc: "Existing Secrets with registry logins."},
		{Name: "service_account", Go: "ServiceAccount", Kind: String, Doc: "An existing ServiceAccount."},
		{Name: "run_as_user", Go: "RunAsUser", Kind: OptionalInt, Min: bound(0), Max: maxInt32, Doc: "Numeric user ID (UID) of the containers."},
	},
}
