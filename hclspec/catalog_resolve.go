package hclspec

// Findings about prerequisites and how they refer to each other.
var (
	UnknownPrerequisite = defineError("unknown-prerequisite", "Unknown prerequisite",
		"A task role or a require names a prerequisite that is declared nowhere. It is looked up in the job first, then in the workspace; items of a marketplace are written marketplace://name/x.")
	AmbiguousPrerequisite = defineError("ambiguous-prerequisite", "Ambiguous prerequisite",
		"Two prerequisites of different types have this name. Write the address, prerequisite.<type>.<name>.")
	WrongPrerequisiteType = defineError("wrong-prerequisite-type", "Prerequisite of the wrong type",
		"image takes a dockerimage, data a data, output an output and script a script prerequisite.")
	PrerequisiteCycle = defineError("prerequisite-cycle", "Prerequisites require each other",
		"A prerequisite requires itself through others, so none of them can run first. Every step of the circle is shown; remove one.")
	ItemsNotInitialized = defineError("items-not-initialised", "Marketplace items are not available",
		"A reference to a marketplace or URL is resolved by openpai init, which fetches the item and records it in the lock file.")
	ItemUnavailable = defineError("item-unavailable", "Item cannot be used",
		"The source of an item has it not, or not in the state the lock file says.")
)

// Findings about template variables.
var (
	MissingTemplateVariable = defineError("missing-template-variable", "Template variable without a value",
		"A prerequisite declares a template variable without a default, so every reference to it must give a value: { use = ..., with = { name = value } }, or template_variables in YAML.")
	UnknownTemplateVariable = defineError("unknown-template-variable", "Unknown template variable",
		"A reference gives a value for a template variable that the prerequisite does not declare.")
	InvalidTemplateValue = defineError("invalid-template-value", "Invalid value of a template variable",
		"A template variable takes a text, number or boolean, and one that matches its pattern where there is one.")
	InvalidTemplatePattern = defineError("invalid-template-pattern", "Invalid pattern of a template variable",
		"The pattern of a template variable is a regular expression in the syntax of RE2.")
)

// Findings about <% %> references.
var (
	UnresolvedReference = defineError("unresolved-reference", "Reference without a value",
		"A <% %> reference has no value. Known are $parameters, $secrets, in a task role $data, $script and $output when the role names one, and in a prerequisite this. A literal <% is written <%%.")
	UnresolvedImported = defineWarning("unresolved-reference-imported", "Reference without a value",
		"As unresolved-reference, in a job that was written for OpenPAI: the text stays as it is.")
	SuspiciousTag = defineWarning("suspicious-tag", "Text that looks like the start of a reference",
		"A <% stands in a text and begins no reference. It stays as it is; <%% is the spelling that is never mistaken.")
	AmbiguousInheritance = defineError("ambiguous-inheritance", "Inherited value is ambiguous",
		"this.x is not a field of the prerequisite itself, and two prerequisites it requires at the same distance have different values. Set the parameter on the prerequisite itself.")
	UnknownSecret = defineError("unknown-secret", "Unknown secret",
		"A reference names a secret that neither the job nor the workspace declares.")
	UnknownSecretImported = defineWarning("unknown-secret-imported", "Unknown secret",
		"As unknown-secret, in a job that was written for OpenPAI: the text stays as it is.")
)

// Findings about what runs in a task.
var (
	UnknownEvent = defineError("unknown-event", "Unknown event",
		"A callback is bound to taskStarts, taskSucceeds, taskFails or taskExits.")
	OlderEventName = defineWarning("older-event-name", "Older name of an event",
		"containerStart and containerExit are read as taskStarts and taskExits.")
	UnknownPlugin = defineError("unknown-plugin", "Unknown plugin",
		"The known plugins are cmd, docker, git, pvc_storage, rest.storage, ssh, teamwise_storage and tensorboard, also with the prefix com.microsoft.pai.runtimeplugin. A third-party plugin, which the runtime has in its plugin directory, is named custom/NAME.")
	InvalidCallbacks = defineError("invalid-callbacks", "Callbacks are not well formed",
		"callbacks is a list of objects with event, commands and, where wanted, failurePolicy, timeout and retry; preCommands and postCommands are lists of texts.")
	InvalidPluginParameter = defineError("invalid-plugin-parameter", "Invalid parameter of a plugin",
		"A parameter of the ssh plugin has an unknown name or a value of the wrong type. docs/runtime-plugins.md lists the parameters.")
	IgnoredPluginParameter = defineWarning("ignored-plugin-parameter", "Parameter of a plugin has no effect",
		"As invalid-plugin-parameter, in a job that was written for OpenPAI: OpenPAI ignores the parameter too.")
	SSHWithoutGang = defineWarning("ssh-without-gang", "No ssh between tasks",
		"jobssh and sshbarrier of the ssh plugin need gang allocation: without it the tasks do not know each other. The ssh service itself runs.")
	PluginForUnknownRole = defineWarning("plugin-for-unknown-role", "Plugin for an unknown task role",
		"A plugin is limited to task roles that the job does not have, so it runs nowhere.")
	ReservedVariable = defineError("reserved-variable", "Reserved environment variable",
		"Variables that begin with PAI_ or FC_ are set by the runtime and cannot be set by a job.")
	InvalidVariableName = defineError("invalid-variable-name", "Invalid name of an environment variable",
		"The name of an environment variable has letters, digits and underscores, and does not begin with a digit.")
	NULInVariable = defineError("nul-in-variable", "NUL character in an environment variable",
		"The value of an environment variable cannot contain the NUL character (\\0): no program can receive it.")
	UnknownDeployment = defineError("unknown-deployment", "Unknown deployment",
		"default_deployment names a deployment of the job.")
	UnknownCluster = defineError("unknown-cluster", "Unknown cluster",
		"A job names a cluster that no cluster block declares; local is always there.")
	InvalidRoleName = defineError("invalid-role-name", "Name of a task role cannot be used",
		"On the cluster a task role has its name in lower case without other signs than letters and digits, which must leave 1 to 63 of them, and differ from the other roles.")
)

// Findings about storages.
var (
	UnknownStorage = defineError("unknown-storage", "Unknown storage",
		"A storage is mounted that no storage block declares.")
	InvalidStorageName = defineError("invalid-storage-name", "Invalid name of a storage",
		"The name of a storage has letters, digits, hyphens, underscores and dots, and begins and ends with a letter, digit or underscore. It is part of the default mount path.")
	StorageConflict = defineError("storage-conflict", "Two storages at one path",
		"A task would have two storages mounted at the same path. Give one of them another mount path.")
	InvalidMountPath = defineError("invalid-mount-path", "Mount path cannot be used",
		"A mount path is absolute, and it neither lies in nor hides /usr/local/pai, where the runtime lives.")
	NestedMount = defineWarning("nested-mount", "Mount within another mount",
		"A storage is mounted below the mount path of another, whose directory of that name is hidden.")
	StorageNotPermitted = defineError("storage-not-permitted", "Storage may not be used",
		"The storage block lists the users and groups who may use it, and the administrators of a cluster may do so in the ConfigMap openpai-storage-permissions. A block can only narrow what they say.")
	StorageGroupsUnknown = defineWarning("storage-groups-unknown", "Groups of a storage are not known",
		"A storage block names groups, and who is in them is told by the ConfigMap openpai-storage-permissions of a cluster, which is not there. The job is not refused.")
	StoragePluginParameter = defineError("storage-plugin-parameter", "Storage plugin lacks a parameter",
		"pvc_storage takes name and mountPath, rest.storage takes config and mountPoint, teamwise_storage takes storageConfigNames.")
	DefaultStoragesUnknown = defineWarning("default-storages-unknown", "Default storages are not mounted",
		"An empty extras.storages asks for the user's default storages, which only an OpenPAI server knows.")
)

// Findings about the placement by HiveD.
var (
	HivedUnknownRole = defineError("hived-unknown-role", "HiveD placement of an unknown task role",
		"hived places a task role that the job does not have.")
	HivedUnknownSKU = defineError("hived-unknown-sku", "Unknown SKU",
		"The SKU is not declared in the cluster, or not part of the virtual cluster's quota.")
	HivedCellAndSKU = defineError("hived-cell-and-sku", "Both a SKU and a pinned cell",
		"A pinned cell has its own SKU: write sku_type or pinned_cell_id, not both.")
	HivedResource = defineError("hived-resource", "SKU does not have a resource",
		"A task role asks for GPUs, CPUs or memory of a SKU that has none.")
	HivedAffinity = defineError("hived-affinity", "Affinity group is not consistent",
		"All task roles of an affinity group have the same sku_type and pinned_cell_id.")
	HivedQuota = defineError("hived-quota", "Job exceeds the quota of its virtual cluster",
		"A job that starts as a gang needs all its units at once.")
	HivedUnknownVirtualCluster = defineError("hived-unknown-virtual-cluster", "Unknown virtual cluster",
		"The cluster declares its virtual clusters, and the job names another.")
	HivedIgnored = defineWarning("hived-ignored", "HiveD settings have no effect",
		"HiveD is a property of the cluster: scheduler = \"hived\" in the cluster block places all its jobs by HiveD, with or without a hived block. On any other cluster a hived block has no effect.")
	SchedulerMissing = defineError("scheduler-missing", "Cluster without a scheduler",
		"An OpenPAI cluster with SKUs usually has HiveD, which must place all jobs or none: scheduler is \"hived\" or \"default\".")
)
