// SPDX-License-Identifier: MPL-2.0

package provider

import "github.com/openpai/terraform-provider-openpai/hclspec"

// Diagnostics of the Terraform provider.
var (
	InvalidDefinition = hclspec.DefineError("invalid-definition", "Invalid definition",
		"A reference that begins with { must be the definition of an openpai_prerequisite or openpai_storage. Refer to the attribute of the resource instead of writing the definition.")
	TwoDefinitions = hclspec.DefineError("two-definitions", "Prerequisite has two definitions",
		"In a job, all prerequisites with the same type and name must be identical. Rename one of them.")
	UnknownTaskRoleInOrder = hclspec.DefineError("unknown-task-role-in-order", "Unknown task role in task_role_order",
		"task_role_order must list every task role exactly once, in the same order as the Framework. Without it, task roles are sorted by name.")
)

// ItemNeedsDataSource reports a marketplace:// or https:// reference.
var ItemNeedsDataSource = hclspec.DefineError("item-needs-data-source", "Item requires a data source",
	"Terraform reads items with the data source openpai_marketplace_item, which reads a locked item with all its requirements. In the job, refer to the `definition` attribute of this data source.")

// Diagnostics that report differences between the Terraform state and the
// cluster.
var (
	JobExists = hclspec.DefineError("job-exists", "Job already exists",
		"A job with this name already exists in this workspace, but is not in this Terraform state. The job is in another state, or the state was lost. Import the job, or choose a different name. If create_before_destroy replaced the job under the same name, the state contains the running job as a deposed object. In this case, remove create_before_destroy from the configuration, remove the object from the state, and import the job.")
	DeclaredElsewhere = hclspec.DefineError("declared-elsewhere", "The openpai CLI declares the job",
		"`openpai apply` created the job, or `openpai adopt` adopted it. Terraform therefore neither changes nor deletes the job. Remove the resource from the configuration. To manage the job with Terraform again, remove the job from the files of the workspace and from the state. Then import the job and apply.")
	SameJob = hclspec.DefineError("same-job", "Two resources declare the same job",
		"The name and the user identify a job. Two resources with the same name and user would delete each other's job. Change the name in one of the resources. If the address of a resource changed in the configuration, add a moved block. The state may also contain two resources for one job, or a deposed object left by create_before_destroy. If so, remove the redundant resource from the state with `terraform state rm`, then import the job.")
	StorageExists = hclspec.DefineError("storage-exists", "The storage belongs to another resource",
		"The name identifies a storage in the workspace. If two resources have the same name, destroying one deletes the storage of the other. Rename one of the resources, or import the storage into the state that will manage the storage.")
	NoSuchJob = hclspec.DefineError("no-such-job", "No such job",
		"Import a job by its name, or by user~name if it belongs to another user.")
	NothingToImport = hclspec.DefineError("nothing-to-import", "Nothing to import",
		"Import a prerequisite or storage by its definition, or by its address if a job of the workspace uses it. Import a marketplace item as LOCATION#NAME, where NAME is the name of the item file without its extension (on a server, the name of the item).")
)

// SecretsLeftOut reports that Terraform omitted the values of secrets in a
// protocol file.
var SecretsLeftOut = hclspec.DefineWarning("secrets-left-out", "Values of secrets are omitted",
	"The Terraform state contains all data that Terraform reads. Set the values of secrets in the write-only attribute secrets_wo of the job.")

// Diagnostics that report problems in the Terraform configuration.
var (
	TwoClusters = hclspec.DefineError("two-clusters", "Two clusters",
		"A provider block can contain a local block or a kubernetes block, but not both. For jobs on both clusters, add a second provider block with an alias.")
	MixedAccess = hclspec.DefineError("mixed-access", "Several ways to access the cluster",
		"A kubernetes block must define only one way to access the API server. Set either a kubeconfig (kubeconfig, kubeconfig_content or config_paths, with context) or host with one credential (token, client_certificate with client_key, or exec). Without any of these attributes, kubectl's rules apply.")
	InvalidAccess = hclspec.DefineError("invalid-access", "Invalid attributes for cluster access",
		"The access attributes of a kubernetes block, except those for a kubeconfig, require host. Certificates and keys must be PEM; proxy_url and host must be URLs.")
	DirectoryNotFound = hclspec.DefineError("directory-not-found", "Directory not found",
		"The local cluster requires an existing directory for its state. Set the directory with local.directory or OPENPAI_DIRECTORY.")
	FileOrContent = hclspec.DefineError("file-or-content", "Exactly one of file and content required",
		"The data source openpai_protocol reads either file or content; set exactly one of them.")
	NotOpenPAIJob = hclspec.DefineError("not-a-job-of-openpai", "Not an OpenPAI job",
		"A moved block accepts only a Framework that OpenPAI or this provider created. The name of such a Framework matches its user label and job name annotation. Remove any other Framework from the state, and declare the job again.")
	UnknownTaskRole = hclspec.DefineError("unknown-task-role", "Unknown task role",
		"The task_role of the action openpai_job_rescale must be a task role of the job.")
)
