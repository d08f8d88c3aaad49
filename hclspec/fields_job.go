// SPDX-License-Identifier: MPL-2.0

package hclspec

// JobBlock describes a job.
var JobBlock = &Block{
	Name: "job", Labels: []string{"Label"}, Type: typeOf[Job](), ForEach: true,
	Doc: "A job: task roles that start and end together.",
	Fields: []Field{
		{Name: "name", Protocol: "name", Go: "Name", Kind: String, Pattern: namePattern, Doc: "Name of the job on the cluster; unique per user. Defaults to the label."},
		{Name: "cluster", Go: "Cluster", Kind: Ref, Doc: "Cluster that runs the job; defaults to the embedded local cluster."},
		{Name: "version", Protocol: "version", Go: "Version", Kind: String, AlsoNumber: true, Effect: EffectNone, Doc: "Version of the declaration, for information only."},
		{Name: "contributor", Protocol: "contributor", Go: "Contributor", Kind: String, Effect: EffectNone, Doc: "Person who wrote the job."},
		{Name: "description", Protocol: "description", Go: "Description", Kind: String, Effect: EffectNone, Doc: "Description of the job."},
		{Name: "job_retry_count", Protocol: "jobRetryCount", Go: "JobRetryCount", Kind: Int, AlwaysWritten: true, Min: bound(0), Max: maxInt32, Effect: EffectInPlace, Doc: "Maximum number of retries of the whole job after a non-transient failure."},
		{Name: "gang_allocation", Protocol: "extras.gangAllocation", Go: "GangAllocation", Kind: Bool, Default: true, Doc: "Whether all tasks wait for each other before they start. Without gang allocation, the engine retries each task separately."},
		{Name: "virtual_cluster", Protocol: "defaults.virtualCluster", Go: "VirtualCluster", Kind: String, AlwaysWritten: true, Default: "default", Doc: "Virtual cluster whose quota the job uses."},
		{Name: "default_deployment", Protocol: "defaults.deployment", Go: "DefaultDeployment", Kind: String, Doc: "Deployment whose commands run before and after the commands of the task roles."},
		{Name: "defaults", Go: "Defaults", Kind: AnyMap, ExtraKeys: "defaults", Effect: EffectNone, Doc: "Other keys of the protocol's defaults, kept unchanged."},
		{Name: "parameters", Protocol: "parameters", Go: "Parameters", Kind: AnyMap, Doc: "Values for <% $parameters.x %>."},
		{Name: "environment", Go: "Environment", Kind: StringMap, Doc: "Environment of every task. PAI_* and FC_* cannot be set."},
		{Name: "secret", Protocol: "secrets", Go: "Secrets", Kind: Objects, Block: SecretBlock, Doc: "Secrets of this job only."},
		{Name: "prerequisite", Protocol: "prerequisites", Go: "Prerequisites", Kind: Objects, NonEmpty: true, Block: PrerequisiteBlock, Doc: "Prerequisites of this job only."},
		{Name: "task_role", Protocol: "taskRoles", Go: "TaskRoles", Kind: Objects, NonEmpty: true, Block: TaskRoleBlock, Required: true, Doc: "The task roles, in order."},
		{Name: "deployment", Protocol: "deployments", Go: "Deployments", Kind: Objects, NonEmpty: true, Block: DeploymentBlock, Doc: "Named sets of commands that run before and after the commands of the task roles."},
		{Name: "plugin", Protocol: "extras.com.microsoft.pai.runtimeplugin", Go: "Plugins", Kind: Objects, Block: PluginBlock, Doc: "Plugins that run after the prerequisites."},
		{Name: "storage", Protocol: "extras.storages", Go: "Storage", Kind: StorageUses, Doc: "Storages mounted in every task role."},
		{Name: "default_storages", Go: "DefaultStorages", Kind: Bool, Effect: EffectNone, Doc: "Whether to mount the user's default storages (an empty extras.storages in the protocol)."},
		{Name: "hived", Protocol: "extras.hivedScheduler", Go: "Hived", Kind: OptionalObject, Block: HivedBlock, Doc: "Placement by HiveD."},
		{Name: "notification", Protocol: "extras.jobStatusChangeNotification", Go: "Notification", Kind: OptionalObject, Block: NotificationBlock, Effect: EffectNone, Doc: "State changes that OpenPAI reports to the user by email."},
		{Name: "submit_from", Protocol: "extras.submitFrom", Go: "SubmitFrom", Kind: String, Effect: EffectNone, Doc: "Identifier of the front end that submitted the job."},
		{Name: "reference_prerequisite", Protocol: "extras.reference_prerequisites", Go: "ReferencePrerequisites", Kind: Objects, Block: PrerequisiteBlock, Doc: "Prerequisites that only refer to other prerequisites, in the syntax of the marketplace proposal."},
		{Name: "extras", Protocol: "extras", Go: "Extras", Kind: AnyMap, ExtraKeys: "extras", Doc: "Other keys of the protocol's extras, kept unchanged."},
		{Name: "pod", Go: "Pod", Kind: OptionalObject, Block: PodBlock, Doc: "Settings of the Pods on Kubernetes."},
		{Name: "ssh_public_keys", Go: "SSHPublicKeys", Kind: Strings, Doc: "SSH public keys that the tasks accept for login if ssh is enabled."},
		{Name: "max_run_time", Go: "MaxRunTime", Kind: Dur, Doc: "Maximum run time of a task, after which the task is stopped."},
		{Name: "max_wait_time", Go: "MaxWaitTime", Kind: Dur, Doc: "Maximum time that a task waits for the other tasks of its gang; defaults to the value of the cluster, or to 10m if the cluster does not set a value."},
		{Name: "stop_grace", Go: "StopGrace", Kind: Dur, Default: "30s", Doc: "Grace period between SIGTERM and SIGKILL."},
		{Name: "rerun", Go: "Rerun", Kind: String, Default: "never", Values: []string{"never", "on_change"}, Effect: EffectNone, Doc: "Whether apply runs a finished job again after the content of the job has changed."},
		{Name: "rescale", Go: "Rescale", Kind: String, Values: []string{"in_place"}, Effect: EffectNone, Doc: "With in_place, a change to the number of tasks of a running gang does not replace the job."},
		{Name: "prevent_destroy", Go: "PreventDestroy", Kind: Bool, Effect: EffectNone, Doc: "Whether to reject every plan that would delete or replace the job."},
	},
}

// DeploymentBlock describes a deployment.
var DeploymentBlock = &Block{
	Name: "deployment", Labels: []string{"Name"}, Type: typeOf[Deployment](),
	Doc: "Commands that run before and after the commands of the task roles. They run only if default_deployment selects the deployment.",
	Fields: []Field{
		{Name: "name", Protocol: "name", Go: "Name", Kind: String, Pattern: namePattern, Required: true, Doc: "Name of the deployment; in HCL the label."},
		{Name: "task_role", Protocol: "taskRoles", Go: "TaskRoles", Kind: Objects, NonEmpty: true, Block: deploymentTaskRoleBlock, Required: true, Doc: "Commands by task role."},
		{Name: "rest", Go: "Rest", Kind: AnyMap, ExtraKeys: ExtraKeysOfBlock, Effect: EffectNone, Doc: "Other keys of the protocol, kept unchanged."},
	},
}

var deploymentTaskRoleBlock = &Block{
	Name: "task_role", Labels: []string{"Name"}, Type: typeOf[DeploymentTaskRole](),
	Fields: []Field{
		{Name: "pre_commands", Protocol: "preCommands", Go: "PreCommands", Kind: Strings, NonEmpty: true, Doc: "Commands that run before the commands of the task role, in the same script."},
		{Name: "post_commands", Protocol: "postCommands", Go: "PostCommands", Kind: Strings, NonEmpty: true, Doc: "Commands that run after the commands of the task role, in the same script."},
	},
}

// PluginBlock describes a runtime plugin of a job.
var PluginBlock = &Block{
	Name: "plugin", Labels: []string{"Name"}, Type: typeOf[Plugin](), Repeatable: true,
	Doc: "A plugin that runs after the prerequisites, in every task role or in the listed task roles.",
	Fields: []Field{
		{Name: "plugin", Protocol: "plugin", Go: "Name", Kind: String, Required: true, Doc: "Short or long name of the plugin; in HCL the label."},
		{Name: "parameters", Protocol: "parameters", Go: "Parameters", Kind: AnyMap, Doc: "Parameters of the plugin."},
		{Name: "failure_policy", Protocol: "failurePolicy", Go: "FailurePolicy", Kind: String, Values: []string{"fail", "ignore"}, Doc: "Whether a failure of the plugin fails the task."},
		{Name: "task_roles", Protocol: "taskroles", Go: "TaskRoles", Kind: Strings, Doc: "Task roles that run the plugin; all if empty."},
	},
}

// NotificationBlock describes the email notifications of OpenPAI.
var NotificationBlock = &Block{
	Name: "notification", Type: typeOf[Notification](),
	Fields: []Field{
		{Name: "running", Protocol: "running", Go: "Running", Kind: Bool, Effect: EffectNone, Doc: "Send an email when the job starts to run."},
		{Name: "succeeded", Protocol: "succeeded", Go: "Succeeded", Kind: Bool, Effect: EffectNone, Doc: "Send an email when the job succeeds."},
		{Name: "stopped", Protocol: "stopped", Go: "Stopped", Kind: Bool, Effect: EffectNone, Doc: "Send an email when the job is stopped."},
		{Name: "failed", Protocol: "failed", Go: "Failed", Kind: Bool, Effect: EffectNone, Doc: "Send an email when the job fails."},
		{Name: "retried", Protocol: "retried", Go: "Retried", Kind: Bool, Effect: EffectNone, Doc: "Send an email when the job is retried."},
	},
}

// HivedBlock describes HiveD placement.
var HivedBlock = &Block{
	Name: "hived", Type: typeOf[Hived](),
	Fields: []Field{
		{Name: "job_priority_class", Protocol: "jobPriorityClass", Go: "JobPriorityClass", Kind: String, Values: []string{"prod", "test", "oppo"}, Default: "test", Doc: "prod jobs are guaranteed and take precedence over test jobs; test jobs are guaranteed; oppo jobs are opportunistic."},
		{Name: "task_role", Protocol: "taskRoles", Go: "TaskRoles", Kind: Objects, NonEmpty: true, Block: hivedTaskRoleBlock, Doc: "Placement by task role."},
		{Name: "gang_release_enable", Protocol: "gangReleaseEnable", Go: "GangReleaseEnable", Kind: OptionalBool, Doc: "Passed to HiveD unchanged."},
		{Name: "lazy_preemption_enable", Protocol: "lazyPreemptionEnable", Go: "LazyPreemptionEnable", Kind: OptionalBool, Doc: "Whether the job may be demoted to opportunistic instead of being preempted."},
		{Name: "ignore_k8s_suggested_nodes", Protocol: "ignoreK8sSuggestedNodes", Go: "IgnoreK8sSuggestedNodes", Kind: OptionalBool, Doc: "Passed to HiveD unchanged."},
	},
}

var hivedTaskRoleBlock = &Block{
	Name: "task_role", Labels: []string{"Name"}, Type: typeOf[HivedTaskRole](),
	// Source: microsoft/hivedscheduler: example/request/design.
	Aliases: map[string]string{"gpuType": "skuType", "reservationId": "pinnedCellId"},
	Fields: []Field{
		{Name: "sku_type", Protocol: "skuType", Go: "SKUType", Kind: String, Doc: "SKU of the cells; conflicts with pinned_cell_id."},
		{Name: "sku_num", Protocol: "skuNum", Go: "SKUNum", Kind: OptionalInt, Min: bound(0), Max: maxInt32, Effect: EffectNone, Doc: "Number of cells that the web portal sets; openpai instead computes the number from the resources."},
		{Name: "pinned_cell_id", Protocol: "pinnedCellId", Go: "PinnedCellID", Kind: String, Doc: "Pinned cell in the virtual cluster."},
		{Name: "affinity_group_name", Protocol: "affinityGroupName", Go: "AffinityGroupName", Kind: String, Doc: "Name of the affinity group. HiveD places the task roles in a group together."},
	},
}
