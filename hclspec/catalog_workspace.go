package hclspec

// Findings about the files of a workspace and what is given with them.
var (
	WorkspaceNotFound = defineError("workspace-not-found", "Workspace not found",
		"The path given to the command is neither a directory nor a file that can be read. Give the directory that holds the *.pai.hcl files, or one job file.")
	WorkspaceEmpty = defineError("workspace-empty", "No configuration files",
		"The directory holds no *.pai.hcl or *.pai.hcl.json file. Protocol YAML files are given by name, or included with a protocol block.")
	UnknownFileKind = defineError("unknown-file-kind", "Unknown kind of file",
		"A file is read by the ending of its name: .pai.hcl and .pai.hcl.json for HCL, .yaml and .yml for the job protocol, .paivars.hcl for values of variables.")
	UnreadableFile = defineError("unreadable-file", "File cannot be read",
		"A file of the workspace is missing, is not a regular file, or may not be read by this user.")
	FileTooLarge = defineError("file-too-large", "File is too large",
		"Configuration files are limited to 2 MiB each. Keep large text in a file of its own and read it with file().")
	FileOutsideWorkspace = defineError("file-outside-workspace", "File is outside the workspace",
		"A workspace reads files below its own directory only, so that reading somebody's configuration cannot read the rest of the machine. Copy or move the file into the workspace.")
	NotAJobFile = defineError("not-a-job-file", "File declares no job",
		"The file holds marketplace items. They are used through a marketplace block; only files with a job can be planned and run.")
	InvalidRequiredVersion = defineError("invalid-required-version", "Invalid version constraint",
		"required_version is a list of constraints such as \">= 0.1\" or \"~> 0.1.2, != 0.1.4\".")
	UnsupportedVersion = defineError("unsupported-version", "Unsupported version of openpai",
		"The workspace asks for another version of this program in required_version. Install that version, or change the constraint.")
	InvalidVariableArgument = defineError("invalid-variable-argument", "Invalid value of a variable",
		"Values are given as --var name=value.")
	InvalidMarketplaceArgument = defineError("invalid-marketplace-argument", "Invalid marketplace",
		"Marketplaces are given as --marketplace name=source.")
	InvalidStorageArgument = defineError("invalid-storage-argument", "Invalid storage",
		"Storages that a plain YAML job mounts are given as --storage name=directory, or in OPENPAI_STORAGE. A workspace in HCL declares them in storage blocks.")
	SecretUnavailable = defineError("secret-unavailable", "Value of a secret is not available",
		"The environment variable or file that a secret block names is missing or empty. Apply needs the value. A plan needs it where it replaces a job that is not finished; else it is a warning.")
)

// Findings of the command line.
var (
	UnknownJob = defineError("unknown-job", "Unknown job",
		"A job was named on the command line by its label, address or name, and the workspace has none of that name.")
)
