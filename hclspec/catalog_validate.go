// SPDX-License-Identifier: MPL-2.0

package hclspec

// Diagnostics about a model that was decoded without errors but is not valid.
var (
	NameTooLong = DefineError("name-too-long", "Name is too long",
		"Names of jobs, prerequisites and deployments can have at most 255 characters, which is OpenPAI's limit.")
	InvalidTaskRoleName = DefineError("invalid-task-role-name", "Invalid task role name",
		"A task role name can contain letters, digits and underscores, and must not begin with a digit.")
	SameNameTwoTypes = DefineWarning("same-name-two-types", "Prerequisites of two types share a name",
		"OpenPAI accepts such a job and then fails to start it, because the names are not unique. openpai accepts the job if the type of every reference is clear, for example from the field `image`, `data`, `script` or `output`. It rejects ambiguous references.")
	NeverCompleted = DefineWarning("completion-never-met", "Completion policy can never be met",
		"The policy requires more tasks than the task role has, so the condition is never met. The job ends when all tasks have ended.")
	TaskRetryIgnored = DefineWarning("task-retry-ignored", "Task retries have no effect",
		"With gang allocation, a failed task ends the attempt of the whole job. The engine does not retry individual tasks. Use `job_retry_count`, or disable gang allocation.")
	DeploymentForUnknownRole = DefineError("deployment-for-unknown-role", "Deployment for an unknown task role",
		"A deployment has commands for a task role that the job does not have. The commands would never run.")
	DeploymentRoleIgnored = DefineWarning("deployment-role-ignored", "Deployment commands have no effect",
		"In a YAML job, a deployment has commands for a task role that the job does not have. OpenPAI ignores the commands.")
	ShmAboveMemory = DefineWarning("shm-above-memory", "More shared memory than memory",
		"Files in /dev/shm use the memory of the task. A task with less memory than shared memory runs out of memory and is killed before /dev/shm is full.")
	InvalidFixedPorts = DefineError("invalid-fixed-ports", "Invalid fixed ports",
		"`fixed_ports` sets the first port for a label in `ports`. The ports of all tasks of the role must be at most 65535, and two labels cannot share a port.")
	MissingURI = DefineError("missing-uri", "Image has no reference",
		"A dockerimage prerequisite requires the argument `uri`, which is the image reference.")
	SeveralURIs = DefineError("several-uris", "More than one address",
		"Only data and script prerequisites may have several addresses. Declare one prerequisite per address.")
	AuthWithoutImage = DefineWarning("auth-without-image", "Login has no effect",
		"`auth` is the login for an image registry. Only dockerimage prerequisites use `auth`.")
	InvalidImage = DefineError("invalid-image", "Invalid image reference",
		"Write an image as registry/repository:tag or registry/repository@sha256:digest. You can omit the registry and the tag.")
	UppercaseImage = DefineError("uppercase-image", "Image name is not lower case",
		"Registries and container engines reject repository names with upper-case letters. Only tags may contain upper-case letters.")
	UppercaseImageImported = DefineWarning("uppercase-image-imported", "Image name is not lower case",
		"An image name in a job that was written for OpenPAI contains upper-case letters; see uppercase-image. OpenPAI accepts the image name, but the container engine rejects it.")
	StorageKind = DefineError("storage-kind", "Storage must have exactly one kind",
		"Set exactly one of host_path, claim, nfs, azure_file, azure_blob and csi.")
	MaskedSecret = DefineWarning("yaml-masked-secret", "Secret value is missing",
		"The value of a secret consists of asterisks, because the job was exported without the value. Before you run the job, set the value, or declare a source for the secret in a `secret` block inside the `protocol` block.")
	SecretSource = DefineError("secret-source", "Secret must have exactly one source",
		"Set exactly one of env, file, kubernetes and value.")
	MarketplaceSource = DefineError("marketplace-source", "Marketplace must have exactly one source",
		"Set either `source` or a `kubernetes` block.")
)
