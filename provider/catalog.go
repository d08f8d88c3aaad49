// SPDX-License-Identifier: MPL-2.0

package provider

import "github.com/openpai/terraform-provider-openpai/hclspec"

// Diagnostics of the Terraform provider.
var (
	InvalidDefinition = hclspec.DefineError("invalid-definition", "Invalid definition",
		"A reference that begins with { is the definition of an openpai_prerequisite or openpai_storage. Refer to the attribute of the resource instead of writing the text.")
	TwoDefinitions = hclspec.DefineError("two-definitions", "Two definitions of one prerequisite",
		"All prerequisites of a job that have the same type and name must be the same. Rename one of them.")
	UnknownTaskRoleInOrder = hclspec.DefineError("unknown-task-role-in-order", "Unknown task role in the order",
		"task_role_order names every task role once, in the order of the Framework. Without it they are sorted by name.")
)

// ItemNeedsDataSource concerns marketplace:// and https:// references.
var ItemNeedsDataSource = hclspec.DefineError("item-needs-data-source", "Item is not read by this reference",
	"Terraform reads items by a data source: openpai_marketplace_item reads an item with all that it requires, as it is locked, and a job refers to its definition.")

// Diagnostics about differences between the state of Terraform and a cluster.
var (
	JobExists = hclspec.DefineError("job-exists", "The job exists already",
		"A job of this workspace has the name, and the state of Terraform does not have it: another state does, or the state was lost. Import it, or choose another name.")
	DeclaredElsewhere = hclspec.DefineError("declared-elsewhere", "The openpai command line declares the job",
		"`openpai apply` created the job, or `openpai adopt` took it over, so Terraform neither changes nor deletes it. Remove the resource from the configuration. To take the job back, remove it from the files of the workspace and from the state, import it and apply.")
	SameJob = hclspec.DefineError("same-job", "Two resources are one job",
		"The name of a job and its user identify it, so two resources with both delete each other's job. Give one of them another name. A resource that got another address in the configuration needs a moved block; of two resources that a state has for one job, remove one from the state.")
	StorageExists = hclspec.DefineError("storage-exists", "The storage belongs to another resource",
		"The name of a storage identifies it in the workspace, so destroying one of two resources with the name would delete what the other has. Give one of them another name, or import the storage into the state that manages it from now on.")
	NoSuchJob = hclspec.DefineError("no-such-job", "No such job",
		"A job is imported by its name, or by user~name when it is that of another user.")
	NothingToImport = hclspec.DefineError("nothing-to-import", "Nothing to import",
		"A prerequisite or storage is imported by its address: it is found in the jobs of the workspace that use it. The id may also be its definition. An item of a marketplace is imported by the place and the name of its file, with # between them.")
)

// SecretsLeftOut concerns protocol files that Terraform reads.
var SecretsLeftOut = hclspec.DefineWarning("secrets-left-out", "Values of secrets are omitted",
	"Terraform keeps what it reads in its state. Values of secrets are given with the write-only attribute secrets_wo of the job.")

// Diagnostics about names in a Terraform configuration.
var (
	TwoClusters = hclspec.DefineError("two-clusters", "Two clusters",
		"A provider block has either local or kubernetes. For jobs on both, write a second provider block with an alias.")
	MixedAccess = hclspec.DefineError("mixed-access", "Two ways to reach the cluster",
		"A kubernetes block reaches the API server in one way: by a kubeconfig (kubeconfig, kubeconfig_content or config_paths, with context), or by host with one credential (token, client_certificate with client_key, or exec). With none of them, kubectl's rules apply.")
	InvalidAccess = hclspec.DefineError("invalid-access", "Cannot reach the cluster like this",
		"Attributes of a kubernetes block beside a kubeconfig require host. Certificates and keys are PEM; proxy_url and host are URLs.")
	DirectoryNotFound = hclspec.DefineError("directory-not-found", "Directory not found",
		"The local cluster keeps its state in an existing directory, which local.directory or OPENPAI_DIRECTORY names.")
	FileOrContent = hclspec.DefineError("file-or-content", "Not exactly one text",
		"The data source openpai_protocol reads either a file or the text that is written as its content.")
	NotOpenPAIJob = hclspec.DefineError("not-a-job-of-openpai", "Not a job of OpenPAI",
		"Only a Framework that OpenPAI or this program made becomes a job by a moved block: its name follows from its label with the user and its annotation with the name of the job. Remove another one from the state and declare the job again.")
	UnknownTaskRole = hclspec.DefineError("unknown-task-role", "Unknown task role",
		"The action openpai_job_rescale names a task role of the job.")
)
