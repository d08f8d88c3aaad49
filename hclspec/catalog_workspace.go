// SPDX-License-Identifier: MPL-2.0

package hclspec

// Diagnostics about the files of a workspace and the values that the user
// passes.
var (
	WorkspaceEmpty = DefineError("workspace-empty", "No configuration files",
		"The directory contains no *.pai.hcl or *.pai.hcl.json file. Pass protocol YAML files by name, or include them with a protocol block.")
	UnreadableFile = DefineError("unreadable-file", "File cannot be read",
		"A workspace file is missing, is not a regular file, or is not readable by this user.")
	MissingVariableValue = DefineError("missing-variable-value", "Variable has no value",
		"A variable without a default has no value. Set PAI_VAR_name in the environment, set the variable in a *.paivars.hcl file, or pass the value as an argument.")
	InvalidMarketplaceArgument = DefineError("invalid-marketplace-argument", "Invalid marketplace",
		"A marketplace argument must have the form NAME=SOURCE.")
)

// Diagnostics about module sources.
var (
	InvalidModuleSource = DefineError("invalid-module-source", "Invalid module source",
		"A module source is a directory (./modules/train), a git repository (git::https://host/repository.git//train?ref=v1) or the URL of an archive (https://host/module.tar.gz//train). The version is a tag of a git repository. `source` and `version` must be constants: they cannot contain expressions.")
)

// Diagnostics about marketplaces and the items in them.
var (
	ItemNotFound = DefineError("item-not-found", "Item not found",
		"No declared marketplace contains the item. Correct the item's name, or declare the marketplace that contains the item.")
	ItemNotPrerequisite = DefineError("item-not-a-prerequisite", "Item is a whole job",
		"A whole job cannot be a prerequisite. Use the item as a job.")
	ItemNotAJob = DefineError("item-not-a-job", "Item is not a job",
		"Only items that are whole jobs can run. A prerequisite runs only as part of a job in which a task role lists it.")
	MarketplaceUnreachable = DefineError("marketplace-unreachable", "Marketplace cannot be reached",
		"The server or repository of a marketplace did not respond in time, or returned a server error. All retries failed too.")
	MarketplaceNotPermitted = DefineError("marketplace-not-permitted", "Marketplace refuses access",
		"The source requires a credential, or the credential does not permit reading the item. Set `token` in the marketplace block to a secret. For a git source, you can instead configure a git credential helper.")
	ItemNotParseable = DefineError("item-not-parseable", "Item cannot be read",
		"The file or response must contain a prerequisite, a list of prerequisites, or one job, in YAML or HCL.")
	ItemTooLarge = DefineError("item-too-large", "Item is too large",
		"The size of item files is limited so that a source cannot fill this machine's disk. Use `fetch` for data.")
	MarketplaceInCluster = DefineError("marketplace-in-cluster", "Marketplace in a cluster is not available",
		"To read items in a Kubernetes cluster, openpai uses the settings of a cluster block. Declare a cluster block. If there are several cluster blocks, set `cluster` in the `kubernetes` block to the name of one of them.")
)

// CannotPublish is the error for an item that cannot be published or
// withdrawn.
var CannotPublish = DefineError("cannot-publish", "Item cannot be published to this location",
	"openpai publishes items to a directory, the work tree of a git repository, a namespace of a Kubernetes cluster, or an OpenPAI Marketplace server.")

// LockMismatch is the error for an item that does not match the lock file.
var LockMismatch = DefineError("lock-mismatch", "Item differs from the lock file",
	"The content of an item differs from the content that the lock file records. If the change is intended, update the lock file. Otherwise, find out who changed the item.")
