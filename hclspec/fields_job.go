// SPDX-License-Identifier: MPL-2.0

package hclspec

// JobBlock describes a job.
var JobBlock = &Block{
	Name: "job", Labels: []string{"Label"}, Type: typeOf[Job](), ForEach: true,
	Doc: "A job: task roles that start and end together.",
	Fields: []Field{
		{Name: "name", Protocol: "name", Go: "Name", Kind: String, Pattern: namePattern, Doc: "Name of the job on the cluster; unique per user. Defaults to the label."},
		{Name: "cluster", Go: "Cluster", Kind: Ref, Doc: "Cluster that runs the job; without one it runs on the embedded local cluster."},
		{Name: "version", Protocol: "version", Go: "Version", Kind: String, AlsoNumber: true, Effect: EffectNone, Doc: "Version of the declaration, for people."},
		{Name: "contributor", Protocol: "contributor", Go: "Contributor", Kind: String, Effect: EffectNone, Doc: "Who wrote the job."},
		{Name: "description", Protocol: "description", Go: "Description", Kind: String, Effect: EffectNone, Doc: "What the job does, for people."},
		{Name: "job_retry_count", Protocol: "jobRetryCount", Go: "JobRetryCount", Kind: Int, AlwaysWritten: true, Min: bound(0), Max: maxInt32, Effect: EffectInPlace, Doc: "How many times the whole job is tried again after a failure that is not transient."},
		{Name: "gang_allocation", Protocol: "extras.gangAllocation", Go: "GangAllocation", Kind: Bool, Default: true, Doc: "Whether all tasks wait for each other before they start. Without it tasks retry alone."},
		{Name: "virtual_cluster", Protocol: "defaults.virtualCluster", Go: "VirtualCluster", Kind: String, AlwaysWritten: true, Default: "default", Doc: "Virtual cluster whose quota the job uses."},
		{Name: "default_deployment", Protocol: "defaults.deployment", Go: "DefaultDeployment", Kind: String, Doc: "Deployment whose commands are run around those of the task roles."},
		{Name: "defaults", Go: "Defaults", Kind: AnyMap, ExtraKeys: "defaults", Doc: "Other keys of the protocol's defaults, kept as they are."},
		{Name: "parameters", Protocol: "parameters", Go: "Parameters", Kind: AnyMap, Doc: "Values for <% $parameters.x %>."},
		{Name: "environment", Go: "Environment", Kind: StringMap, Doc: "Environment of every task. PAI_* and FC_* cannot be set."},
		{Name: "secrets", Protocol: "secrets", Go: "Secrets", Kind: Objects, Block: SecretBlock, ProtocolOnly: true, Doc: "Values for <% $secrets.x %>. In HCL the secret blocks of the workspace are used."},
		{Name: "prerequisite", Protocol: "prerequisites", Go: "Prerequisites", Kind: Objects, NonEmpty: true, Block: PrerequisiteBlock, Doc: "Prerequisites of this job only."},
		{Name: "task_role", Protocol: "taskRoles", Go: "TaskRoles", Kind: Objects, NonEmpty: true, Block: TaskRoleBlock, Required: true, Doc: "The task roles, in order."},
		{Name: "deployment", Protocol: "deployments", Go: "Deployments", Kind: Objects, NonEmpty: true, Block: DeploymentBlock, Doc: "Named sets of commands around those of the task roles."},
		{Name: "plugin", Protocol: "extras.com.microsoft.pai.runtimeplugin", Go: "Plugins", Kind: Objects, Block: PluginBlock, Doc: "Plugins that run after the prerequisites."},
		{Name: "storage", Protocol: "extras.storages", Go: "Storage", Kind: StorageUses, Doc: "Storages mounted in every task role."},
		{Name: "default_storages", Go: "DefaultStorages", Kind: Bool, Doc: "Whether the user's default storages are mounted (an empty extras.storages in the protocol)."},
		{Name: "hived", Protocol: "extras.hivedScheduler", Go: "Hived", Kind: OptionalObject, Block: HivedBlock, Doc: "Placement by HiveD."},
		{Name: "notification", Protocol: "extras.jobStatusChangeNotification", Go: "Notification", Kind: OptionalObject, Block: NotificationBlock, Effect: EffectNone, Doc: "State changes that OpenPAI mails the user about."},
		{Name: "submit_from", Protocol: "extras.submitFrom", Go: "SubmitFrom", Kind: String, Effect: EffectNone, Doc: "Identifier of the front end the job was submitted from."},
		{Name: "reference_prerequisite", Protocol: "extras.reference_prerequisites", Go: "ReferencePrerequisites", Kind: Objects, Block: PrerequisiteBlock, Doc: "Prerequisites that only refer to others, in the notation of the marketplace proposal."},
		{Name: "extras", Protocol: "extras", Go: "Extras", Kind: AnyMap, ExtraKeys: "extras", Doc: "Other keys of the protocol's extras, kept as they are."},
		{Name: "pod", Go: "Pod", Kind: OptionalObject, Block: PodBlock, Doc: "Settings of the Pods on Kubernetes."},
		{Name: "ssh_public_keys", Go: "SSHPublicKeys", Kind: Strings, Doc: "Public keys that may log in to the tasks when ssh is on."},
		{Name: "max_run_time", Go: "MaxRunTime", Kind: Dur, Doc: "Time after which a task is ended, counted from its start."},
		{Name: "max_wait_time", Go: "MaxWaitTime", Kind: Dur, Doc: "Time that a task waits for the others of its gang; that of the cluster when absent, else 10m."},
		{Name: "stop_grace", Go: "StopGrace", Kind: Dur, Default: "30s", Doc: "Grace period between SIGTERM and SIGKILL."},
		{Name: "rerun", Go: "Rerun", Kind: String, Default: "never", Values: []string{"never", "on_change"}, Effect: EffectNone, Doc: "Whether a finished job runs again when its content changed."},
		{Name: "rescale", Go: "Rescale", Kind: String, Values: []string{"in_place"}, Effect: EffectNone, Doc: "in_place changes the number of tasks of a running gang without replacing the job."},
		{Name: "prevent_destroy", Go: "PreventDestroy", Kind: Bool, Effect: EffectNone, Doc: "Refuses every plan that would delete or replace the job."},
	},
}

// DeploymentBlock describes a deployment.
var DeploymentBlock = &Block{
	Name: "deployment", Labels: []string{"Name"}, Type: typeOf[Deployment](),
	Doc: "Commands around those of the task roles, active when default_deployment names it.",
	Fields: []Field{
		{Name: "name", Protocol: "name", Go: "Name", Kind: String, Pattern: namePattern, Required: true, Doc: "Name of the deployment; in HCL the label."},
		{Name: "task_role", Protocol: "taskRoles", Go: "TaskRoles", Kind: Objects, NonEmpty: true, Block: deploymentTaskRoleBlock, Required: true, Doc: "Commands by task role."},
		{Name: "rest", Go: "Rest", Kind: AnyMap, ExtraKeys: ExtraKeysOfBlock, Doc: "Other keys of the protocol, kept as they are."},
	},
}

var deploymentTaskRoleBlock = &Block{
	Name: "task_role", Labels: []string{"Name"}, Type: typeOf[DeploymentTaskRole](),
	Fields: []Field{
		{Name: "pre_commands", Protocol: "preCommands", Go: "PreCommands", Kind: Strings, NonEmpty: true, Doc: "Run before the commands of the task role, in the same script."},
		{Name: "post_commands", Protocol: "postCommands", Go: "PostCommands", Kind: Strings, NonEmpty: true, Doc: "Run after the commands of the task role, in the same script."},
	},
}

// PluginBlock describes a runtime plugin of a job.
var PluginBlock = &Block{
	Name: "plugin", Labels: []string{"Name"}, Type: typeOf[Plugin](), Repeatable: true,
	Doc: "A plugin that every task role, or the named ones, runs after its prerequisites.",
	Fields: []Field{
		{Name: "plugin", Protocol: "plugin", Go: "Name", Kind: String, Required: true, Doc: "Short or long name of the plugin; in HCL the label."},
		{Name: "parameters", Protocol: "parameters", Go: "Parameters", Kind: AnyMap, Doc: "Parameters of the plugin."},
		{Name: "failure_policy", Protocol: "failurePolicy", Go: "FailurePolicy", Kind: String, Values: []string{"fail", "ignore"}, Doc: "Whether a failure of the plugin fails the task."},
		{Name: "task_roles", Protocol: "taskroles", Go: "TaskRoles", Kind: Strings, Doc: "Task roles that run the plugin; all when empty."},
	},
}

// NotificationBlock describes the email notifications of OpenPAI.
var NotificationBlock = &Block{
	Name: "notification", Type: typeOf[Notification](),
	Fields: []Field{
		{Name: "running", Protocol: "running", Go: "Running", Kind: Bool, Effect: EffectNone, Doc: "Mail when the job runs."},
		{Name: "succeeded", Protocol: "succeeded", Go: "Succeeded", Kind: Bool, Effect: EffectNone, Doc: "Mail when the job succeeded."},
		{Name: "stopped", Protocol: "stopped", Go: "Stopped", Kind: Bool, Effect: EffectNone, Doc: "Mail when the job was stopped."},
		{Name: "failed", Protocol: "failed", Go: "Failed", Kind: Bool, Effect: EffectNone, Doc: "Mail when the job failed."},
		{Name: "retried", Protocol: "retried", Go: "Retried", Kind: Bool, Effect: EffectNone, Doc: "Mail when the job is tried again."},
	},
}

// HivedBlock describes HiveD placement.
var HivedBlock = &Block{
	Name: "hived", Type: typeOf[Hived](),
	Fields: []Field{
		{Name: "job_priority_class", Protocol: "jobPriorityClass", Go: "JobPriorityClass", Kind: String, Values: []string{"prod", "test", "oppo"}, Default: "test", Doc: "prod is guaranteed and first, test guaranteed, oppo opportunistic."},
		{Name: "task_role", Protocol: "taskRoles", Go: "TaskRoles", Kind: Objects, NonEmpty: true, Block: hivedTaskRoleBlock, Doc: "Placement by task role."},
		{Name: "gang_release_enable", Protocol: "gangReleaseEnable", Go: "GangReleaseEnable", Kind: OptionalBool, Doc: "Passed to HiveD as it is."},
		{Name: "lazy_preemption_enable", Protocol: "lazyPreemptionEnable", Go: "LazyPreemptionEnable", Kind: OptionalBool, Doc: "Whether the job may be demoted to opportunistic instead of being preempted."},
		{Name: "ignore_k8s_suggested_nodes", Protocol: "ignoreK8sSuggestedNodes", Go: "IgnoreK8sSuggestedNodes", Kind: OptionalBool, Doc: "Passed to HiveD as it is."},
	},
}

var hivedTaskRoleBlock = &Block{
	Name: "task_role", Labels: []string{"Name"}, Type: typeOf[HivedTaskRole](),
	// Source: microsoft/hivedscheduler: example/request/design.
	Aliases: map[string]string{"gpuType": "skuType", "reservationId": "pinnedCellId"},
	Fields: []Field{
		{Name: "sku_type", Protocol: "skuType", Go: "SKUType", Kind: String, Doc: "SKU of the cells; not together with pinned_cell_id."},
		{Name: "sku_num", Protocol: "skuNum", Go: "SKUNum", Kind: OptionalInt, Min: bound(0), Max: maxInt32, Doc: "Sent by the web portal; the number is computed from the resources."},
		{Name: "pinned_cell_id", Protocol: "pinnedCellId", Go: "PinnedCellID", Kind: String, Doc: "Pinned cell of the virtual cluster."},
		{Name: "affinity_group_name", Protocol: "affinityGroupName", Go: "AffinityGroupName", Kind: String, Doc: "Task roles of one group are placed together."},
	},
}
