// SPDX-License-Identifier: MPL-2.0

package resolve

import "github.com/openpai/terraform-provider-openpai/hclspec"

// InvalidFetch covers downloads.
var InvalidFetch = hclspec.DefineError("invalid-fetch", "Invalid fetch",
	"A fetch names a file of the workspace by a path, or has an address that begins with http://, https://, file:// or git::. A git address ends with ?ref= and a commit or tag.")

// AmbiguousPrerequisite covers prerequisites and how they refer to each other.
var AmbiguousPrerequisite = hclspec.DefineError("ambiguous-prerequisite", "Ambiguous prerequisite",
	"Two prerequisites of different types have this name. Write the address, prerequisite.<type>.<name>.")

// Diagnostics about references in data, script and output.
var (
	AmbiguousInstance = hclspec.DefineError("ambiguous-instance", "Prerequisite has other values in the list",
		"A task role names a prerequisite in data, script or output, and its prerequisites have it with other values of its template variables. Give the field the values of the instance that is meant: data = { use = ..., with = { name = value } }.")
	PrerequisiteEnabled = hclspec.DefineWarning("yaml-prerequisite-enabled", "Prerequisite starts because a field names it",
		"A task role names a prerequisite that acts in a task (fetch, callbacks, plugin, requirements) in data, script or output and does not list it in prerequisites. OpenPAI does not start it. Here it starts before the list. Add it to prerequisites, so that both do the same; export writes it there.")
)

// Diagnostics about template variables.
var (
	MissingTemplateVariable = hclspec.DefineError("missing-template-variable", "Template variable without a value",
		"A prerequisite declares a template variable without a default, so every reference to it must give a value: { use = ..., with = { name = value } }, or template_variables in YAML.")
	UnknownTemplateVariable = hclspec.DefineError("unknown-template-variable", "Unknown template variable",
		"A reference gives a value for a template variable that the prerequisite does not declare.")
	InvalidTemplateValue = hclspec.DefineError("invalid-template-value", "Invalid value of a template variable",
		"A template variable takes a text, number or boolean, and one that matches its pattern where there is one.")
	InvalidTemplatePattern = hclspec.DefineError("invalid-template-pattern", "Invalid pattern of a template variable",
		"The pattern of a template variable is a regular expression in the syntax of RE2.")
)

// Diagnostics about <% %> references.
var (
	UnresolvedImported = hclspec.DefineWarning("unresolved-reference-imported", "Reference without a value",
		"As unresolved-reference, in a job that was written for OpenPAI: the text stays as it is.")
	SuspiciousTag = hclspec.DefineWarning("suspicious-tag", "Text that looks like the start of a reference",
		"A <% is in a text and begins no reference. It stays as it is; <%% is the spelling that is never mistaken.")
	AmbiguousInheritance = hclspec.DefineError("ambiguous-inheritance", "Inherited value is ambiguous",
		"this.x is not a field of the prerequisite itself, and two prerequisites it requires at the same distance have different values. Set the parameter on the prerequisite itself.")
	UnknownSecretImported = hclspec.DefineWarning("unknown-secret-imported", "Unknown secret",
		"As unknown-secret, in a job that was written for OpenPAI: the text stays as it is.")
)

// Diagnostics about events and commands in a task.
var (
	UnknownEvent = hclspec.DefineError("unknown-event", "Unknown event",
		"A callback is bound to taskStarts, taskSucceeds, taskFails or taskExits.")
	UnknownPlugin = hclspec.DefineError("unknown-plugin", "Unknown plugin",
		"The known plugins are cmd, docker, git, pvc_storage, rest.storage, ssh, teamwise_storage and tensorboard, also with the prefix com.microsoft.pai.runtimeplugin. A third-party plugin, which the runtime has in its plugin directory, is named custom/NAME.")
	InvalidCallbacks = hclspec.DefineError("invalid-callbacks", "Callbacks are not well formed",
		"callbacks is a list of objects with event, commands and, where wanted, failurePolicy, timeout and retry; preCommands and postCommands are lists of texts.")
	InvalidPluginParameter = hclspec.DefineError("invalid-plugin-parameter", "Invalid parameter of a plugin",
		"A parameter of the ssh plugin has an unknown name or a value of the wrong type. docs/runtime-plugins.md lists the parameters.")
	IgnoredPluginParameter = hclspec.DefineWarning("ignored-plugin-parameter", "Parameter of a plugin has no effect",
		"As invalid-plugin-parameter, in a job that was written for OpenPAI: OpenPAI ignores the parameter too.")
	SSHWithoutGang = hclspec.DefineWarning("ssh-without-gang", "No ssh between tasks",
		"jobssh and sshbarrier of the ssh plugin need gang allocation: without it the tasks do not know each other. The ssh service itself runs.")
	PluginForUnknownRole = hclspec.DefineWarning("plugin-for-unknown-role", "Plugin for an unknown task role",
		"A plugin is limited to task roles that the job does not have, so it runs nowhere.")
)

// Diagnostics about storages.
var (
	NestedMount = hclspec.DefineWarning("nested-mount", "Mount within another mount",
		"A storage is mounted below the mount path of another, whose directory of that name is hidden.")
	StoragePluginParameter = hclspec.DefineError("storage-plugin-parameter", "Storage plugin lacks a parameter",
		"pvc_storage takes name and mountPath, rest.storage takes config and mountPoint, teamwise_storage takes storageConfigNames.")
	DefaultStoragesUnknown = hclspec.DefineWarning("default-storages-unknown", "Default storages are not mounted",
		"An empty extras.storages asks for the user's default storages, which only an OpenPAI server knows.")
)

// Diagnostics about HiveD placement.
var (
	HivedUnknownSKU = hclspec.DefineError("hived-unknown-sku", "Unknown SKU",
		"The SKU is not declared in the cluster, or not part of the virtual cluster's quota.")
	HivedResource = hclspec.DefineError("hived-resource", "SKU does not have a resource",
		"A task role asks for GPUs, CPUs or memory of a SKU that has none.")
	HivedAffinity = hclspec.DefineError("hived-affinity", "Affinity group is not consistent",
		"All task roles of an affinity group have the same sku_type and pinned_cell_id.")
	HivedQuota = hclspec.DefineError("hived-quota", "Job exceeds the quota of its virtual cluster",
		"A job that starts as a gang needs all its units at once.")
	HivedUnknownVirtualCluster = hclspec.DefineError("hived-unknown-virtual-cluster", "Unknown virtual cluster",
		"The cluster declares its virtual clusters, and the job names another.")
	HivedIgnored = hclspec.DefineWarning("hived-ignored", "HiveD settings have no effect",
		"HiveD is a property of the cluster: scheduler = \"hived\" in the cluster block places all its jobs by HiveD, with or without a hived block. On any other cluster a hived block has no effect.")
)
