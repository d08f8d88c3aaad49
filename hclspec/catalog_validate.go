// SPDX-License-Identifier: MPL-2.0

package hclspec

// Diagnostics about a model that decodes but is not valid.
var (
	NameTooLong = DefineError("name-too-long", "Name is too long",
		"Names of jobs, prerequisites and deployments have at most 255 characters, as on OpenPAI.")
	InvalidTaskRoleName = DefineError("invalid-task-role-name", "Invalid name of a task role",
		"A task role is named with letters, digits and underscores, and no digit first.")
	SameNameTwoTypes = DefineWarning("same-name-two-types", "Prerequisites of two types share a name",
		"OpenPAI accepts such a job and then fails to start it. Here it works as long as every reference asks for one type, as image, data, script and output do; a reference that does not is an error.")
	NeverCompleted = DefineWarning("completion-never-met", "Completion policy can never be met",
		"The policy asks for more tasks than the task role has. The condition never ends the job; it ends when all tasks have.")
	TaskRetryIgnored = DefineWarning("task-retry-ignored", "Retries of tasks have no effect",
		"With gang allocation a failed task ends the attempt of the whole job, so single tasks are not tried again. Use job_retry_count, or switch gang allocation off.")
	DeploymentForUnknownRole = DefineError("deployment-for-unknown-role", "Deployment for an unknown task role",
		"A deployment has commands for a task role that the job does not have, so they would never run.")
	DeploymentRoleIgnored = DefineWarning("deployment-role-ignored", "Commands of a deployment have no effect",
		"A deployment of a YAML job has commands for a task role that the job does not have. OpenPAI ignores them.")
	ShmAboveMemory = DefineWarning("shm-above-memory", "More shared memory than memory",
		"What a task writes to /dev/shm counts as its memory, so a task with less memory than shared memory is killed before /dev/shm is full.")
	InvalidFixedPorts = DefineError("invalid-fixed-ports", "Fixed ports cannot be used",
		"fixed_ports gives the first port of a label in ports. All tasks of the role together must fit below 65536, and two labels cannot share a port.")
	MissingURI = DefineError("missing-uri", "Image without a reference",
		"A dockerimage prerequisite needs a uri: the reference of the image.")
	SeveralURIs = DefineError("several-uris", "More than one address",
		"Only data and scripts may have several addresses. Declare a prerequisite for each.")
	AuthWithoutImage = DefineWarning("auth-without-image", "Login has no effect",
		"auth is the login of an image registry and is read on dockerimage prerequisites only.")
	InvalidImage = DefineError("invalid-image", "Invalid image reference",
		"An image is written registry/repository:tag or registry/repository@sha256:digest. Registry and tag may be omitted.")
	UppercaseImage = DefineError("uppercase-image", "Image name is not lower case",
		"Names of repositories are lower case; registries and container engines refuse others. Only tags may have upper-case letters.")
	UppercaseImageImported = DefineWarning("uppercase-image-imported", "Image name is not lower case",
		"Like uppercase-image, in a job written for OpenPAI: OpenPAI accepts the name, and the container engine refuses it.")
	StorageKind = DefineError("storage-kind", "Storage has not exactly one kind",
		"A storage is one of host_path, claim, nfs, azure_file, azure_blob and csi.")
	SecretSource = DefineError("secret-source", "Secret has not exactly one source",
		"The value of a secret comes from one of env, file, kubernetes and value.")
	MarketplaceSource = DefineError("marketplace-source", "Marketplace has not exactly one source",
		"A marketplace has either source or a kubernetes block.")
)
