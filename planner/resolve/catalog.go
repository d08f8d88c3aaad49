// SPDX-License-Identifier: MPL-2.0

package resolve

import "github.com/openpai/terraform-provider-openpai/hclspec"

// InvalidFetch is the error for downloads with invalid arguments.
var InvalidFetch = hclspec.DefineError("invalid-fetch", "Invalid fetch",
	"The URL of a fetch must be the path of a file in the workspace, or begin with http://, https://, file:// or git::. A git URL must end with ?ref= followed by a commit or tag.")

// AmbiguousPrerequisite is the error for a reference by name if several
// prerequisites have that name.
var AmbiguousPrerequisite = hclspec.DefineError("ambiguous-prerequisite", "Ambiguous prerequisite",
	"Two prerequisites of different types have this name. Write the address, prerequisite.<type>.<name>.")

// Diagnostics for references in data, script and output.
var (
	AmbiguousInstance = hclspec.DefineError("ambiguous-instance", "Reference does not match a listed instance",
		"The `data`, `script` or `output` of a task role refers to a prerequisite, but the `prerequisites` of the role list this prerequisite with different template variable values. Set the values of the intended instance in the field: data = { use = ..., with = { name = value } }.")
	PrerequisiteEnabled = hclspec.DefineWarning("yaml-prerequisite-enabled", "Prerequisite starts because a field refers to it",
		"The data, script or output of a task role refers to a prerequisite that the task role does not list. The prerequisite has a fetch, callbacks, a plugin or requirements. OpenPAI does not start such a prerequisite; openpai starts it before the listed prerequisites. For the same behavior on OpenPAI, add the prerequisite to the task role's prerequisites; exported YAML contains it automatically.")
)

// Diagnostics about template variables.
var (
	MissingTemplateVariable = hclspec.DefineError("missing-template-variable", "Template variable without a value",
		"A prerequisite declares a template variable without a default. Set the variable in every reference to the prerequisite: with { use = ..., with = { name = value } } in HCL, or with template_variables in YAML.")
	UnknownTemplateVariable = hclspec.DefineError("unknown-template-variable", "Unknown template variable",
		"A reference sets a template variable that the prerequisite does not declare.")
	InvalidTemplateValue = hclspec.DefineError("invalid-template-value", "Invalid template variable value",
		"The value of a template variable must be a string, number or bool. If the variable has a pattern, the value must match the pattern.")
	InvalidTemplatePattern = hclspec.DefineError("invalid-template-pattern", "Invalid template variable pattern",
		"The pattern of a template variable must be a regular expression in RE2 syntax.")
)

// Diagnostics for <% %> references.
var (
	UnresolvedImported = hclspec.DefineWarning("unresolved-reference-imported", "Reference without a value",
		"Same as unresolved-reference, but in a job that was written for OpenPAI. openpai does not change the string.")
	SuspiciousTag = hclspec.DefineWarning("suspicious-tag", "String looks like the start of a reference",
		"A string contains a <% that does not begin a reference. openpai does not change the string. Write <%% for a literal <%.")
	AmbiguousInheritance = hclspec.DefineError("ambiguous-inheritance", "Inherited value is ambiguous",
		"A prerequisite refers to this.x but does not set x itself. Two of its required prerequisites at the same depth set x to different values. Set x on the prerequisite itself.")
	UnknownSecretImported = hclspec.DefineWarning("unknown-secret-imported", "Unknown secret",
		"Same as unknown-secret, but in a job that was written for OpenPAI. openpai does not change the string.")
)

// Diagnostics for events and commands in a task.
var (
	UnknownEvent = hclspec.DefineError("unknown-event", "Unknown event",
		"The event of a callback must be taskStarts, taskSucceeds, taskFails or taskExits.")
	UnknownPlugin = hclspec.DefineError("unknown-plugin", "Unknown plugin",
		"The valid plugins are cmd, docker, git, pvc_storage, rest.storage, ssh, teamwise_storage and tensorboard, with or without the prefix com.microsoft.pai.runtimeplugin. A third-party plugin in the plugin directory of the runtime has the name custom/NAME.")
	InvalidCallbacks = hclspec.DefineError("invalid-callbacks", "Callbacks are malformed",
		"callbacks must be a list of objects with event, commands and, optionally, failurePolicy, timeout and retry. preCommands and postCommands must be lists of strings.")
	InvalidPluginParameter = hclspec.DefineError("invalid-plugin-parameter", "Invalid plugin parameter",
		"A parameter of the ssh plugin has an unknown name or a value of the wrong type. docs/guides/runtime-plugins.md lists the parameters.")
	IgnoredPluginParameter = hclspec.DefineWarning("ignored-plugin-parameter", "Plugin parameter has no effect",
		"Same as invalid-plugin-parameter, but in a job that was written for OpenPAI: like OpenPAI, openpai ignores the parameter.")
	SSHWithoutGang = hclspec.DefineWarning("ssh-without-gang", "No ssh between tasks",
		"The ssh plugin parameters jobssh and sshbarrier require gang allocation. Otherwise, tasks do not receive the addresses of other tasks. The ssh service still runs.")
	PluginForUnknownRole = hclspec.DefineWarning("plugin-for-unknown-role", "Plugin for an unknown task role",
		"A plugin is limited to certain task roles, but the job does not declare all of them. The plugin has no effect for the undeclared task roles.")
)

// Diagnostics about storages.
var (
	NestedMount = hclspec.DefineWarning("nested-mount", "Mount within another mount",
		"The mount path of a storage is inside the mount path of another storage. The inner mount hides a directory of the outer storage.")
	StoragePluginParameter = hclspec.DefineError("storage-plugin-parameter", "Missing storage plugin parameter",
		"pvc_storage requires name and mountPath, rest.storage requires config and mountPoint, and teamwise_storage requires storageConfigNames.")
	DefaultStoragesUnknown = hclspec.DefineWarning("default-storages-unknown", "Default storages are not mounted",
		"An empty extras.storages requests the default storages of the user, which are defined only on an OpenPAI server.")
)

// Diagnostics about HiveD placement.
var (
	HivedUnknownSKU = hclspec.DefineError("hived-unknown-sku", "Unknown SKU",
		"The cluster does not declare the SKU, or the virtual cluster has no quota for the SKU.")
	HivedResource = hclspec.DefineError("hived-resource", "SKU lacks a requested resource",
		"A task role requests a resource (GPUs, CPUs or memory) that its SKU does not have.")
	HivedAffinity = hclspec.DefineError("hived-affinity", "Inconsistent affinity group",
		"All task roles of an affinity group must have the same sku_type and pinned_cell_id.")
	HivedQuota = hclspec.DefineError("hived-quota", "Job exceeds the quota of its virtual cluster",
		"A gang needs the units of all its tasks at the same time, but the virtual cluster does not have that many units.")
	HivedUnknownVirtualCluster = hclspec.DefineError("hived-unknown-virtual-cluster", "Unknown virtual cluster",
		"The job uses a virtual cluster that is not among the declared virtual clusters of the cluster.")
	HivedIgnored = hclspec.DefineWarning("hived-ignored", "HiveD settings have no effect",
		"If the cluster block sets scheduler = \"hived\", HiveD places all jobs of the cluster, with or without a hived block. On any other cluster, a hived block has no effect.")
)
