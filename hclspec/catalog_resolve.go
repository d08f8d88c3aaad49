// SPDX-License-Identifier: MPL-2.0

package hclspec

// Diagnostics about prerequisites and how they refer to each other.
var (
	UnknownPrerequisite = DefineError("unknown-prerequisite", "Unknown prerequisite",
		"A task role or a `require` argument refers to an undeclared prerequisite. openpai looks for the name in the job first, then in the workspace. Refer to marketplace items as marketplace://name/x.")
	WrongPrerequisiteType = DefineError("wrong-prerequisite-type", "Prerequisite has the wrong type",
		"`image` requires a prerequisite of type dockerimage. `data` requires type data, `output` requires type output, and `script` requires type script.")
	PrerequisiteCycle = DefineError("prerequisite-cycle", "Prerequisites require each other",
		"A prerequisite requires itself, directly or through other prerequisites. The error shows every step of the cycle; remove one of these requirements.")
	ItemsNotInitialized = DefineError("items-not-initialised", "Marketplace items are not available",
		"Before a plan can use an item from a marketplace or URL, the item must be fetched and recorded in the lock file.")
	ItemUnavailable = DefineError("item-unavailable", "Item cannot be used",
		"The source does not contain the item or its locked version.")
)

// Diagnostics about <% %> references.
var (
	UnresolvedReference = DefineError("unresolved-reference", "Reference without a value",
		"A <% %> reference has no value. A reference can begin with $parameters or $secrets. A reference in a task role can also begin with $data, $script or $output if the role sets the field with that name. A reference in a prerequisite can also be <% this.x %>. Write a literal <% as <%%.")
	UnknownSecret = DefineError("unknown-secret", "Unknown secret",
		"A reference uses a secret that neither the job nor the workspace declares.")
)

// Diagnostics about the steps of a task.
var (
	OlderEventName = DefineWarning("older-event-name", "Old event name",
		"containerStart and containerExit are the old names of taskStarts and taskExits. Use the new names.")
	ReservedVariable = DefineError("reserved-variable", "Reserved environment variable",
		"Variables whose names begin with PAI_ or FC_ are reserved for the runtime; a job cannot set them.")
	InvalidVariableName = DefineError("invalid-variable-name", "Invalid environment variable name",
		"The name of an environment variable can contain letters, digits and underscores, and must not begin with a digit.")
	NULInVariable = DefineError("nul-in-variable", "NUL character in an environment variable",
		"The value of an environment variable cannot contain the NUL character (\\0), because the operating system cannot pass this character to a program.")
	UnknownDeployment = DefineError("unknown-deployment", "Unknown deployment",
		"`default_deployment` must specify a deployment that the job declares.")
	UnknownCluster = DefineError("unknown-cluster", "Unknown cluster",
		"A job refers to a cluster that no cluster block declares. Only the cluster \"local\" exists without a block.")
	InvalidRoleName = DefineError("invalid-role-name", "Task role name is not valid on the cluster",
		"On the cluster, task role names are lower-cased and stripped to [a-z0-9]. The resulting name must have 1 to 63 characters and must differ from the resulting names of the other roles.")
)

// Diagnostics about storages.
var (
	UnknownStorage = DefineError("unknown-storage", "Unknown storage",
		"A task role mounts a storage that no storage block declares.")
	InvalidStorageName = DefineError("invalid-storage-name", "Invalid storage name",
		"A storage name can contain letters, digits, hyphens, underscores and dots. It must begin and end with a letter, digit or underscore. The name is part of the default mount path.")
	StorageConflict = DefineError("storage-conflict", "Two storages have the same mount path",
		"A task mounts two storages at the same path. Change one of the mount paths.")
	InvalidMountPath = DefineError("invalid-mount-path", "Invalid mount path",
		"A mount path must be absolute. It must not be /usr/local/pai (the runtime's directory), a directory inside it, or one of its parent directories.")
	StorageNotPermitted = DefineError("storage-not-permitted", "Storage is not permitted",
		"The storage block lists the users and groups that may use the storage. Cluster administrators can use the ConfigMap openpai-storage-permissions to restrict storages. The storage block can restrict these permissions further, but cannot extend them. A plan reports an error for a job that apply would submit, and a warning for any other job.")
)

// Diagnostics about HiveD placement.
var (
	HivedUnknownRole = DefineError("hived-unknown-role", "HiveD placement for an unknown task role",
		"The hived block refers to a task role that the job does not have.")
	HivedCellAndSKU = DefineError("hived-cell-and-sku", "SKU and pinned cell are both set",
		"A pinned cell determines the SKU. Set either `sku_type` or `pinned_cell_id`.")
	SchedulerMissing = DefineError("scheduler-missing", "Cluster without a scheduler",
		"An OpenPAI cluster with SKUs usually runs HiveD. All jobs on a cluster must use the same scheduler. Set `scheduler` to \"hived\" or \"default\".")
)
