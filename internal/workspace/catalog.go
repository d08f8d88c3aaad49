// SPDX-License-Identifier: MPL-2.0

package workspace

import "github.com/openpai/terraform-provider-openpai/hclspec"

// ItemMoved warns that a locked item or module has changed upstream.
var ItemMoved = hclspec.DefineWarning("item-moved", "Item or module has changed upstream",
	"The content or version in the marketplace, repository or archive now differs from the lock file. Plans use the locked content until you update the lock file.")

// Diagnostics about the files and inputs of a workspace.
var (
	NotFound = hclspec.DefineError("workspace-not-found", "Workspace not found",
		"The path passed to the command is neither a directory nor a readable file. Pass the directory that contains the *.pai.hcl files, or one job file.")
	UnknownFileKind = hclspec.DefineError("unknown-file-kind", "Unknown kind of file",
		"The file extension determines the format: .pai.hcl and .pai.hcl.json for HCL, .yaml and .yml for the job protocol, .paivars.hcl for variable values.")
	FileTooLarge = hclspec.DefineError("file-too-large", "File is too large",
		"Configuration files are limited to 2 MiB each. Put large text into a separate file and read it with file().")
	FileOutsideWorkspace = hclspec.DefineError("file-outside-workspace", "File is outside the workspace",
		"A workspace can read only files in its own directory. Other files on the machine are not accessible. Copy or move the file into the workspace.")
	NotAJobFile = hclspec.DefineError("not-a-job-file", "File declares no job",
		"The file contains marketplace items. To use the items, declare a marketplace block. Only files that declare a job can be planned and run.")
	InvalidRequiredVersion = hclspec.DefineError("invalid-required-version", "Invalid version constraint",
		"required_version must be a list of constraints such as \">= 0.1\" or \"~> 0.1.2, != 0.1.4\".")
	UnsupportedVersion = hclspec.DefineError("unsupported-version", "Unsupported version of openpai",
		"required_version in the workspace excludes this version of openpai. Install a matching version, or change the constraint.")
	InvalidVariableArgument = hclspec.DefineError("invalid-variable-argument", "Invalid variable value",
		"A variable value passed as an argument must have the form NAME=VALUE.")
	InvalidStorageArgument = hclspec.DefineError("invalid-storage-argument", "Invalid storage",
		"For a plain YAML job, specify a storage as NAME=DIRECTORY in an argument or in the environment variable OPENPAI_STORAGE. A workspace in HCL declares storages in storage blocks.")
)

// PolicyDirectory is the error for a directory of policies outside a workspace.
var PolicyDirectory = hclspec.DefineError("policy-directory", "Policy directory cannot be used",
	"A directory of policies outside the workspace does not exist, cannot be read, has too many files, or does not contain any policies. openpai does not create a plan until it can load the policies from this directory.")

// Diagnostics about modules from outside the workspace.
var (
	ModuleNotInitialized = hclspec.DefineError("module-not-initialized", "Module is not initialized",
		"A plan can use a module from outside the workspace only if the lock file contains the module and its content is on this machine.")
	ModuleLockMismatch = hclspec.DefineError("module-lock-mismatch", "Module differs from the lock file",
		"The hash of a module's files differs from the hash in the lock file. If you did not expect the change, find out who made the change before you accept it.")
	ModuleUnavailable = hclspec.DefineError("module-unavailable", "Module cannot be fetched",
		"The repository or archive of a module cannot be read, does not contain the tag or directory, or contains files that are unsafe to unpack.")
)
