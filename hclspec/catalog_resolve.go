// SPDX-License-Identifier: MPL-2.0

package hclspec

// Diagnostics about prerequisites and how they refer to each other.
var (
	UnknownPrerequisite = DefineError("unknown-prerequisite", "Unknown prerequisite",
		"A task role or a require names a prerequisite that is declared nowhere. It is looked up in the job first, then in the workspace; items of a marketplace are written marketplace://name/x.")
	WrongPrerequisiteType = DefineError("wrong-prerequisite-type", "Prerequisite of the wrong type",
		"image takes a dockerimage, data a data, output an output and script a script prerequisite.")
	PrerequisiteCycle = DefineError("prerequisite-cycle", "Prerequisites require each other",
		"A prerequisite requires itself through others, so none of them can run first. Every step of the circle is shown; remove one.")
	ItemsNotInitialized = DefineError("items-not-initialised", "Marketplace items are not available",
		"A reference to a marketplace or URL is resolved by openpai init, which fetches the item and records it in the lock file.")
	ItemUnavailable = DefineError("item-unavailable", "Item cannot be used",
		"The source of an item has it not, or not in the state the lock file says.")
)

// Diagnostics about <% %> references.
var (
	UnresolvedReference = DefineError("unresolved-reference", "Reference without a value",
		"A <% %> reference has no value. Known are $parameters, $secrets, in a task role $data, $script and $output when the role names one, and in a prerequisite this. A literal <% is written <%%.")
	UnknownSecret = DefineError("unknown-secret", "Unknown secret",
		"A reference names a secret that neither the job nor the workspace declares.")
)

// Diagnostics about what runs in a task.
var (
	OlderEventName = DefineWarning("older-event-name", "Older name of an event",
		"containerStart and containerExit are read as taskStarts and taskExits.")
	ReservedVariable = DefineError("reserved-variable", "Reserved environment variable",
		"Variables that begin with PAI_ or FC_ are set by the runtime and cannot be set by a job.")
	InvalidVariableName = DefineError("invalid-variable-name", "Invalid name of an environment variable",
		"The name of an environment variable has letters, digits and underscores, and does not begin with a digit.")
	NULInVariable = DefineError("nul-in-variable", "NUL character in an environment variable",
		"The value of an environment variable cannot contain the NUL character (\\0): no program can receive it.")
	UnknownDeployment = DefineError("unknown-deployment", "Unknown deployment",
		"default_deployment names a deployment of the job.")
	UnknownCluster = DefineError("unknown-cluster", "Unknown cluster",
		"A job names a cluster that no cluster block declares; local is always there.")
	InvalidRoleName = DefineError("invalid-role-name", "Name of a task role cannot be used",
		"On the cluster, names of task roles are lower-cased and stripped to [a-z0-9]. 1 to 63 characters must remain, and they must differ from those of the other roles.")
)

// Diagnostics about storages.
var (
	UnknownStorage = DefineError("unknown-storage", "Unknown storage",
		"A storage is mounted that no storage block declares.")
	InvalidStorageName = DefineError("invalid-storage-name", "Invalid name of a storage",
		"The name of a storage has letters, digits, hyphens, underscores and dots, and begins and ends with a letter, digit or underscore. It is part of the default mount path.")
	StorageConflict = DefineError("storage-conflict", "Two storages at one path",
		"A task would have two storages mounted at the same path. Give one of them another mount path.")
	InvalidMountPath = DefineError("invalid-mount-path", "Mount path cannot be used",
		"A mount path is absolute, and it neither is in nor hides /usr/local/pai, where the runtime lives.")
	StorageNotPermitted = DefineError("storage-not-permitted", "Storage may not be used",
		"The storage block lists the users and groups who may use it, and the administrators of a cluster may do so in the ConfigMap openpai-storage-permissions. A block can only narrow what they say.")
)

// Diagnostics about HiveD placement.
var (
	HivedUnknownRole = DefineError("hived-unknown-role", "HiveD placement of an unknown task role",
		"hived places a task role that the job does not have.")
	HivedCellAndSKU = DefineError("hived-cell-and-sku", "Both a SKU and a pinned cell",
		"A pinned cell has its own SKU: write sku_type or pinned_cell_id, not both.")
	SchedulerMissing = DefineError("scheduler-missing", "Cluster without a scheduler",
		"An OpenPAI cluster with SKUs usually has HiveD, which must place all jobs or none: scheduler is \"hived\" or \"default\".")
)
