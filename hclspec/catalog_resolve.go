// SPDX-License-Identifier: MPL-2.0

package hclspec

// Diagnostics about prerequisites and how they refer to each other.
var (
	UnknownPrerequisite = DefineError("unknown-prerequisite", "Unknown prerequisite",
		"A task role or a require refers to a prerequisite that is not declared. Names are looked up in the job first, then in the workspace. Write marketplace items as marketplace://name/x.")
	WrongPrerequisiteType = DefineError("wrong-prerequisite-type", "Prerequisite of the wrong type",
		"image requires a prerequisite of type dockerimage, data of type data, output of type output, and script of type script.")
	PrerequisiteCycle = DefineError("prerequisite-cycle", "Prerequisites require each other",
		"A prerequisite requires itself, directly or through other prerequisites. The error shows every step of the cycle; remove one step.")
	ItemsNotInitialized = DefineError("items-not-initialised", "Marketplace items are not available",
		"An item of a marketplace or URL must be fetched and recorded in the lock file before a plan can use it.")
	ItemUnavailable = DefineError("item-unavailable", "Item cannot be used",
		"The source does not have the item, or has the item but not the version in the lock file.")
)

// Diagnostics about <% %> references.
var (
	UnresolvedReference = DefineError("unresolved-reference", "Reference without a value",
		"A <% %> reference has no value. A reference can begin with $parameters or $secrets. In a task role, it can also begin with $data, $script or $output if the role sets this field. In a prerequisite, it can also be <% this.x %>. A literal <% is written <%%.")
	UnknownSecret = DefineError("unknown-secret", "Unknown secret",
		"A reference uses a secret that neither the job nor the workspace declares.")
)

// Diagnostics about the steps of a task.
var (
	OlderEventName = DefineWarning("older-event-name", "Older name of an event",
		"containerStart and containerExit are older names of taskStarts and taskExits.")
	ReservedVariable = DefineError("reserved-variable", "Reserved environment variable",
		"The runtime sets the variables that begin with PAI_ or FC_; a job cannot set them.")
	InvalidVariableName = DefineError("invalid-variable-name", "Invalid name of an environment variable",
		"The name of an environment variable consists of letters, digits and underscores, and does not begin with a digit.")
	NULInVariable = DefineError("nul-in-variable", "NUL character in an environment variable",
		"The value of an environment variable cannot contain the NUL character (\\0), because the operating system cannot pass this character to a program.")
	UnknownDeployment = DefineError("unknown-deployment", "Unknown deployment",
		"default_deployment must be a deployment of the job.")
	UnknownCluster = DefineError("unknown-cluster", "Unknown cluster",
		"A job refers to a cluster that no cluster block declares. The cluster local always exists.")
	InvalidRoleName = DefineError("invalid-role-name", "Name of a task role is not valid on the cluster",
		"On the cluster, names of task roles are lower-cased and stripped to [a-z0-9]. The result must have 1 to 63 characters and must differ from the names of the other roles.")
)

// Diagnostics about storages.
var (
	UnknownStorage = DefineError("unknown-storage", "Unknown storage",
		"A task role mounts a storage that no storage block declares.")
	InvalidStorageName = DefineError("invalid-storage-name", "Invalid name of a storage",
		"The name of a storage has letters, digits, hyphens, underscores and dots, and begins and ends with a letter, digit or underscore. The name is part of the default mount path.")
	StorageConflict = DefineError("storage-conflict", "Two storages at one path",
		"Two storages have the same mount path in a task. Change one of the mount paths.")
	InvalidMountPath = DefineError("invalid-mount-path", "Mount path cannot be used",
		"A mount path must be absolute. It must not be inside /usr/local/pai, the directory of the runtime, and must not hide that directory.")
	StorageNotPermitted = DefineError("storage-not-permitted", "Storage is not permitted",
		"The storage block lists the users and groups that may use the storage. Cluster administrators can restrict storages in the ConfigMap openpai-storage-permissions. The storage block can restrict these permissions further, but cannot extend them. A plan reports an error for a job that it submits, and a warning for any other job.")
)

// Diagnostics about HiveD placement.
var (
	HivedUnknownRole = DefineError("hived-unknown-role", "HiveD placement of an unknown task role",
		"The hived block places a task role that the job does not have.")
	HivedCellAndSKU = DefineError("hived-cell-and-sku", "Both a SKU and a pinned cell",
		"A pinned cell has its own SKU: set sku_type or pinned_cell_id, not both.")
	SchedulerMissing = DefineError("scheduler-missing", "Cluster without a scheduler",
		"An OpenPAI cluster with SKUs usually has HiveD, which must place all jobs or none. Set scheduler to \"hived\" or \"default\".")
)
