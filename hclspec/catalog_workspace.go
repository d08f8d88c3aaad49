// SPDX-License-Identifier: MPL-2.0

package hclspec

// Diagnostics about the files of a workspace and the values passed with them.
var (
	WorkspaceEmpty = DefineError("workspace-empty", "No configuration files",
		"The directory contains no *.pai.hcl or *.pai.hcl.json file. Pass protocol YAML files by name, or include them with a protocol block.")
	UnreadableFile = DefineError("unreadable-file", "File cannot be read",
		"A file of the workspace is missing, is not a regular file, or is not readable by this user.")
	MissingVariableValue = DefineError("missing-variable-value", "No value for a variable",
		"A variable without a default has no value. Set PAI_VAR_name in the environment, write a line to a *.paivars.hcl file, or pass the value as an argument.")
	InvalidMarketplaceArgument = DefineError("invalid-marketplace-argument", "Invalid marketplace",
		"A marketplace argument has the form NAME=SOURCE.")
)

// Diagnostics about module sources.
var (
	InvalidModuleSource = DefineError("invalid-module-source", "Invalid source of a module",
		"The source of a module is a directory (./modules/train), a git repository (git::https://host/repository.git//train?ref=v1) or the URL of an archive (https://host/module.tar.gz//train). The version is a tag of a git repository. source and version must be constants: they cannot contain expressions.")
)

// Diagnostics about marketplaces and the items in them.
var (
	ItemNotFound = DefineError("item-not-found", "Item not found",
		"No declared marketplace contains the item. Correct the name of the item, or declare the marketplace that contains it.")
	ItemNotPrerequisite = DefineError("item-not-a-prerequisite", "Item is a whole job",
		"A whole job cannot be a prerequisite. Declare it as a job.")
	ItemNotAJob = DefineError("item-not-a-job", "Item is not a job",
		"Only items that are whole jobs can run. A prerequisite runs as part of a job whose task role lists it.")
	MarketplaceUnreachable = DefineError("marketplace-unreachable", "Marketplace cannot be reached",
		"The server or repository of a marketplace did not respond in time or returned a server error, even after retries.")
	MarketplaceNotPermitted = DefineError("marketplace-not-permitted", "Marketplace refuses access",
		"The source requires a credential, or the credential does not permit reading the item. Set token of the marketplace block to a secret; git sources also use the credential helpers of git.")
	ItemNotParseable = DefineError("item-not-parseable", "Item cannot be read",
		"The file or response must contain a prerequisite, a list of prerequisites, or one job, in YAML or HCL.")
	ItemTooLarge = DefineError("item-too-large", "Item is too large",
		"The size of item files is limited so that a source cannot fill the disk of this machine. Use a fetch for data.")
	MarketplaceInCluster = DefineError("marketplace-in-cluster", "Marketplace in a cluster is not available",
		"To read items published in a Kubernetes cluster, openpai uses the cluster block that the marketplace refers to. Declare the cluster block, or set cluster in the kubernetes block.")
)

// CannotPublish covers publishing and using items.
var CannotPublish = DefineError("cannot-publish", "Item cannot be published to this place",
	"openpai publishes items to a directory, the work tree of a git repository, a namespace of a Kubernetes cluster, or an OpenPAI Marketplace server.")

// LockMismatch covers the lock file.
var LockMismatch = DefineError("lock-mismatch", "Item differs from the lock file",
	"The content of an item differs from the content that the lock file records. If the change is intended, update the lock file; otherwise find out who changed the item.")
