// SPDX-License-Identifier: MPL-2.0

package local

import "github.com/openpai/terraform-provider-openpai/hclspec"

// Diagnostics about jobs that run on the local cluster.
var (
	ImageIgnored = hclspec.DefineWarning("local-image-ignored", "Image not used on the local cluster",
		"Tasks of the local cluster are processes of this machine: they run with the programs and libraries that are installed here, not with those of the image.")
	ResourcesCapped = hclspec.DefineWarning("local-resources-capped", "More resources than this machine has",
		"The job asks for more GPUs, processors or memory than this machine has. Its tasks run all the same and get what is there; variables such as PAI_RESOURCE_<role> still show what was asked for.")
	PackageManager = hclspec.DefineWarning("local-package-manager", "Commands change this machine",
		"A command calls a package manager. In a container it changes the container; on the local cluster it changes this machine, if it may at all. Install the package yourself, or run the job on a Kubernetes cluster.")
	StorageUnavailable = hclspec.DefineError("local-storage-kind", "Storage not available on the local cluster",
		"The local cluster can only use storages that are directories of this machine. Declare the storage with host_path, or run the job on a Kubernetes cluster.")
	MountImpossible = hclspec.DefineError("local-mount-impossible", "Storage cannot be mounted on this machine",
		"The job writes the mount path of a storage in its commands, and this machine permits no private mounts (they take Linux and either root or user namespaces). Use the variable PAI_STORAGE_<NAME> in place of the path, or make mount_path the absolute path of the directory itself.")
	MountByVariable = hclspec.DefineWarning("local-mount-by-variable", "Storage reached through its variable only",
		"This machine permits no private mounts, so nothing is at the mount path of the storage. The variable PAI_STORAGE_<NAME> has the path of the directory, and no command of the job contains the mount path.")
)
