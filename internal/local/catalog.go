// SPDX-License-Identifier: MPL-2.0

package local

import "github.com/openpai/terraform-provider-openpai/hclspec"

// Diagnostics about jobs that run on the local cluster.
var (
	ImageIgnored = hclspec.DefineWarning("local-image-ignored", "Image not used on the local cluster",
		"Tasks on the local cluster run as processes on this machine. They use the programs and libraries of this machine instead of those in the image.")
	ResourcesCapped = hclspec.DefineWarning("local-resources-capped", "Job requests more resources than this machine has",
		"The job requests more GPUs, CPUs or memory than this machine has. The tasks share the available resources. Variables such as PAI_RESOURCE_<role> still contain the requested amounts.")
	PackageManager = hclspec.DefineWarning("local-package-manager", "Commands change this machine",
		"A command calls a package manager. In a container, the package manager changes only the container. On the local cluster, the package manager changes this machine if it has permission. Install the package yourself, or run the job on a Kubernetes cluster.")
	StorageUnavailable = hclspec.DefineError("local-storage-kind", "Storage not available on the local cluster",
		"The local cluster can use only storages that are directories on this machine. Declare the storage with host_path, or run the job on a Kubernetes cluster.")
	MountImpossible = hclspec.DefineError("local-mount-impossible", "Storage cannot be mounted on this machine",
		"The job uses the mount path of a storage, but this machine does not support private mounts. Private mounts require Linux and either root or user namespaces. Use the variable PAI_STORAGE_<NAME> instead of the path, or set mount_path to the absolute path of the directory.")
	MountByVariable = hclspec.DefineWarning("local-mount-by-variable", "Storage available only through its variable",
		"This machine does not support private mounts, so the storage is not available at its mount path. The variable PAI_STORAGE_<NAME> contains the path of the directory. The job can still run, because it does not use the mount path.")
)
