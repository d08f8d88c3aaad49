// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"regexp"
	"strings"
)

// Storage is a declared storage. It is a host directory or, on Kubernetes, an
// existing claim or a volume that apply creates. It has exactly one kind.
type Storage struct {
	Name string `json:"name"`
	Path Path   `json:"-"`
	// Module is the address of the declaring module, "" for the root.
	Module Address `json:"module,omitempty"`

	// HostPath is a directory. On the local cluster, a relative path starts
	// at the workspace directory. openpai creates a missing directory there.
	HostPath string `json:"host_path,omitempty"`
	// Claim is the name of an existing PersistentVolumeClaim.
	Claim     string           `json:"claim,omitempty"`
	NFS       *NFSVolume       `json:"nfs,omitempty"`
	AzureFile *AzureFileVolume `json:"azure_file,omitempty"`
	AzureBlob *AzureBlobVolume `json:"azure_blob,omitempty"`
	CSI       *CSIVolume       `json:"csi,omitempty"`

	ReadOnly  bool     `json:"read_only,omitempty"`
	Size      string   `json:"size,omitempty"`       // size of the claim that apply creates, as a Kubernetes quantity
	OnDestroy string   `json:"on_destroy,omitempty"` // "" (keep) or "delete"
	Users     []string `json:"users,omitempty"`
	Groups    []string `json:"groups,omitempty"`
}

// Address returns storage.<name>, preceded by the address of the module, if
// any.
func (s *Storage) Address() Address { return NewAddress("storage", s.Name).In(s.Module) }

// ClusterName returns the base name of the storage's cluster objects. The
// names of the enclosing modules precede the name of a storage in a module.
func (s *Storage) ClusterName() string { return StorageClusterName(s.Address()) }

// StorageClusterName returns the [Storage.ClusterName] for the given storage
// address.
func StorageClusterName(address Address) string {
	return strings.Join(append(address.ModuleParts(), StorageName(address.String())), ".")
}

// Kind returns the name of the attribute or block with the definition, or ""
// if none is set.
func (s *Storage) Kind() string {
	switch {
	case s.HostPath != "":
		return "host_path"
	case s.Claim != "":
		return "claim"
	case s.NFS != nil:
		return "nfs"
	case s.AzureFile != nil:
		return "azure_file"
	case s.AzureBlob != nil:
		return "azure_blob"
	case s.CSI != nil:
		return "csi"
	}
	return ""
}

// NFSVolume is a share on an NFS server.
type NFSVolume struct {
	Server string `json:"server"`
	Path   string `json:"path"`
}

// AzureFileVolume is a file share in an Azure storage account.
type AzureFileVolume struct {
	Share           string `json:"share"`
	SecretName      string `json:"secret_name,omitempty"`
	SecretNamespace string `json:"secret_namespace,omitempty"`
}

// AzureBlobVolume is a blob container in an Azure storage account.
type AzureBlobVolume struct {
	Container       string `json:"container"`
	Account         string `json:"account,omitempty"`
	SecretName      string `json:"secret_name,omitempty"`
	SecretNamespace string `json:"secret_namespace,omitempty"`
}

// CSIVolume is a volume from any CSI driver.
type CSIVolume struct {
	Driver           string            `json:"driver"`
	VolumeHandle     string            `json:"volume_handle"`
	VolumeAttributes map[string]string `json:"volume_attributes,omitempty"`
}

// StorageName returns the name in a storage address such as storage.nfs or
// storage["1st"]. The address may have a module prefix. It returns any other
// string unchanged.
func StorageName(written string) string {
	local := Address(written).Local().String()
	if !strings.HasPrefix(local, "storage.") && !strings.HasPrefix(local, `storage["`) {
		return written
	}
	if steps := Path(local).steps(); len(steps) == 2 {
		return steps[1].text
	}
	return written
}

var storageName = regexp.MustCompile(`^[A-Za-z0-9_]([A-Za-z0-9._-]*[A-Za-z0-9_])?$`)

// IsStorageName reports whether the name is valid for a storage. A name is
// part of a mount path and must not escape the mount directory.
func IsStorageName(name string) bool { return len(name) <= maxName && storageName.MatchString(name) }

// StorageUse mounts a storage.
type StorageUse struct {
	// Name is a storage name, a storage address or the name of an existing
	// claim.
	Name      string
	MountPath string // default /mnt/<name>
	ReadOnly  bool
	Path      Path
}
