// SPDX-License-Identifier: MPL-2.0

package render

import (
	"cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// defaultSize is the size of a claim that apply creates. A shared volume has no
// size limit, but Kubernetes requires a size to match claims with volumes.
const defaultSize = "1Ti"

// blobDriver is the CSI driver for Azure blob containers.
const blobDriver = "blob.csi.azure.com"

// storages renders the objects for the log storage and the job's declared
// storages. These objects belong to the workspace: all jobs render identical
// objects, and the objects remain after the jobs are deleted.
func (r *renderer) storages() (volumes []*framework.PersistentVolume, claims []*framework.PersistentVolumeClaim) {
	seen := map[string]bool{}
	if s := r.target.LogStorage; s != nil && isCreated(s) {
		seen[s.ClusterName()] = true
		volumes, claims = append(volumes, r.volume(s)), append(claims, r.claim(s))
	}
	for _, role := range r.job.TaskRoles {
		for _, m := range role.Mounts {
			if s := m.Declared; s != nil && !seen[s.ClusterName()] && isCreated(s) {
				seen[s.ClusterName()] = true
				volumes = append(volumes, r.volume(s))
				claims = append(claims, r.claim(s))
			}
		}
	}
	return volumes, claims
}

// Storage renders the volume and the claim of a storage for the jobs of a
// workspace. The results are identical to the objects that [Objects] returns
// for a job that mounts the storage. Both are nil if apply does not create the
// storage.
func Storage(workspace, namespace string, s *hclspec.Storage) (*framework.PersistentVolume, *framework.PersistentVolumeClaim) {
	if !isCreated(s) {
		return nil, nil
	}
	r := &renderer{job: &resolve.Job{Workspace: workspace}, target: Target{Namespace: namespace}}
	return r.volume(s), r.claim(s)
}

// isCreated reports whether apply creates a volume and a claim.
func isCreated(s *hclspec.Storage) bool {
	return s.NFS != nil || s.AzureFile != nil || s.AzureBlob != nil || s.CSI != nil
}

// VolumeName returns the name of the PersistentVolume of a storage. Volumes are
// cluster-scoped, so the name contains the namespace.
func VolumeName(namespace, workspace, storage string) string {
	return dnsLabel(cmp.Or(namespace, "default") + "-" + workspace + "-" + storage)
}

func (r *renderer) volume(s *hclspec.Storage) *framework.PersistentVolume {
	spec := framework.PersistentVolumeSpec{
		Capacity:                      map[string]string{"storage": cmp.Or(s.Size, defaultSize)},
		AccessModes:                   accessModes(s),
		PersistentVolumeReclaimPolicy: "Retain",
		ClaimRef:                      &framework.ClaimReference{Name: ClaimName(r.job.Workspace, s.ClusterName(), s), Namespace: cmp.Or(r.target.Namespace, "default")},
	}
	switch {
	case s.NFS != nil:
		spec.NFS = &framework.NFSSource{Server: s.NFS.Server, Path: s.NFS.Path, ReadOnly: s.ReadOnly}
	case s.AzureFile != nil:
		spec.AzureFile = &framework.AzureFileSource{ShareName: s.AzureFile.Share, SecretName: s.AzureFile.SecretName, SecretNamespace: s.AzureFile.SecretNamespace, ReadOnly: s.ReadOnly}
	case s.AzureBlob != nil:
		spec.CSI = blobSource(s)
	default:
		spec.CSI = &framework.CSISource{Driver: s.CSI.Driver, VolumeHandle: s.CSI.VolumeHandle, VolumeAttributes: s.CSI.VolumeAttributes, ReadOnly: s.ReadOnly}
	}
	meta := r.storageMeta(s, VolumeName(r.target.Namespace, r.job.Workspace, s.ClusterName()))
	meta.Namespace = ""
	return &framework.PersistentVolume{APIVersion: "v1", Kind: "PersistentVolume", Metadata: meta, Spec: spec}
}

func blobSource(s *hclspec.Storage) *framework.CSISource {
	b := s.AzureBlob
	return &framework.CSISource{
		Driver:             blobDriver,
		VolumeHandle:       b.Account + "_" + b.Container,
		VolumeAttributes:   map[string]string{"containerName": b.Container, "storageAccount": b.Account},
		ReadOnly:           s.ReadOnly,
		NodeStageSecretRef: &framework.SecretReference{Name: b.SecretName, Namespace: b.SecretNamespace},
	}
}

func (r *renderer) claim(s *hclspec.Storage) *framework.PersistentVolumeClaim {
	return &framework.PersistentVolumeClaim{
		APIVersion: "v1", Kind: "PersistentVolumeClaim",
		Metadata: r.storageMeta(s, ClaimName(r.job.Workspace, s.ClusterName(), s)),
		Spec: framework.ClaimSpec{
			AccessModes: accessModes(s),
			VolumeName:  VolumeName(r.target.Namespace, r.job.Workspace, s.ClusterName()),
			Resources:   framework.Resources{Requests: map[string]string{"storage": cmp.Or(s.Size, defaultSize)}},
		},
	}
}

func accessModes(s *hclspec.Storage) []string {
	if s.ReadOnly {
		return []string{"ReadOnlyMany"}
	}
	return []string{"ReadWriteMany"}
}

// storageMeta is for objects that belong to a storage instead of a job.
func (r *renderer) storageMeta(s *hclspec.Storage, name string) framework.ObjectMeta {
	meta := r.meta(name)
	meta.Labels[contract.KeyAddress] = contract.LabelValue(string(s.Address()))
	meta.Annotations[contract.KeyAddress] = string(s.Address())
	if s.OnDestroy == "delete" {
		meta.Annotations[contract.AnnotationOnDestroy] = s.OnDestroy
	}
	return meta
}

// WorkspaceObject returns the name of two objects of a workspace: the Lease,
// and the Secret with the key. These objects do not belong to a job.
func WorkspaceObject(workspace string) string { return dnsLabel("openpai-" + workspace) }
