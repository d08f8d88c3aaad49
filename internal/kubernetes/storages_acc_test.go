// SPDX-License-Identifier: MPL-2.0

//go:build acc

package kubernetes

import (
	"errors"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/render"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// storing adds one mount to j for each kind of storage that apply creates.
func storing(j *resolve.Job, onDestroy string) *resolve.Job {
	for _, s := range []*hclspec.Storage{
		{Name: "share", NFS: &hclspec.NFSVolume{Server: "files.example.org", Path: "/export"}, Size: "10Gi"},
		{Name: "files", AzureFile: &hclspec.AzureFileVolume{Share: "data", SecretName: "account"}, ReadOnly: true},
		{Name: "blobs", AzureBlob: &hclspec.AzureBlobVolume{Container: "data", Account: "team", SecretName: "account", SecretNamespace: "default"}},
		{Name: "disk", CSI: &hclspec.CSIVolume{Driver: "csi.example.org", VolumeHandle: "v1", VolumeAttributes: map[string]string{"a": "b"}}},
	} {
		s.OnDestroy = onDestroy
		j.TaskRoles[0].Mounts = append(j.TaskRoles[0].Mounts, &resolve.Mount{Storage: s.Name, Path: "/mnt/" + s.Name, Declared: s, By: []string{string(j.Address)}})
	}
	return j
}

func TestJobsShareVolumesAndClaims(t *testing.T) {
	c := open(t, newNamespace(t), "vision")
	one, two := storing(plainJob("vision", "one"), ""), storing(plainJob("vision", "two"), "")
	mustApply(t, c, planner.Options{Jobs: []*resolve.Job{one, two}})
	for _, m := range one.TaskRoles[0].Mounts {
		var volume framework.PersistentVolume
		var claim framework.PersistentVolumeClaim
		name := render.ClaimName("vision", m.Storage, m.Declared)
		if err := c.get(t.Context(), api.Claims, name, &claim); err != nil {
			t.Fatal(err)
		}
		if err := c.get(t.Context(), api.Volumes, claim.Spec.VolumeName, &volume); err != nil {
			t.Fatal(err)
		}
		if ref := volume.Spec.ClaimRef; ref == nil || ref.Name != name || ref.Namespace != c.namespace || volume.Spec.PersistentVolumeReclaimPolicy != "Retain" {
			t.Errorf("the volume of %s: %+v", m.Storage, volume.Spec)
		}
		if len(volume.Metadata.OwnerReferences)+len(claim.Metadata.OwnerReferences) > 0 {
			t.Errorf("a job owns %s", m.Storage)
		}
	}
	again := open(t, c.declared.Namespace, "vision")
	mustBeEmpty(t, again, one, two)
	mustApply(t, again, planner.Options{Destroy: true})
	if remaining := storagesLeft(t, again); len(remaining) != 8 {
		t.Errorf("destroy kept %v, want 4 volumes and 4 claims", remaining)
	}
}

func TestVolumesAreDeletedWithTheLastJob(t *testing.T) {
	c := open(t, newNamespace(t), "vision")
	one, two := storing(plainJob("vision", "one"), "delete"), storing(plainJob("vision", "two"), "delete")
	mustApply(t, c, planner.Options{Jobs: []*resolve.Job{one, two}})
	mustApply(t, c, planner.Options{Jobs: []*resolve.Job{two}})
	if remaining := storagesLeft(t, c); len(remaining) != 8 {
		t.Errorf("storages with a remaining job: %v, want 8 volumes and claims", remaining)
	}
	mustApply(t, c, planner.Options{Destroy: true})
	if remaining := storagesLeft(t, c); len(remaining) > 0 {
		t.Errorf("left: %v", remaining)
	}
}

// TestDestroyKeepsStoragesOfOtherOwners destroys the last job of a workspace.
// Destroy must keep a storage that a Terraform state owns, and the volumes of a
// workspace with the same name in another namespace.
func TestDestroyKeepsStoragesOfOtherOwners(t *testing.T) {
	c, elsewhere := open(t, newNamespace(t), "vision"), open(t, newNamespace(t), "vision")
	job := storing(plainJob("vision", "one"), "delete")
	owned := job.TaskRoles[0].Mounts[0].Declared
	if has, err := open(t, c.namespace, "vision").HasOwner(t.Context(), owned); has || err != nil {
		t.Errorf("the storage has an owner before its creation: %t, %v", has, err)
	}
	if _, err := c.CreateStorage(t.Context(), owned); err != nil {
		t.Fatal(err)
	}
	if has, err := open(t, c.namespace, "vision").HasOwner(t.Context(), owned); !has || err != nil {
		t.Errorf("the storage has an owner after its creation: %t, %v", has, err)
	}
	if _, err := c.CreateStorage(t.Context(), owned); !errors.Is(err, cluster.ErrStorageTaken) {
		t.Errorf("a second owner: %v", err)
	}
	mustApply(t, c, planner.Options{Jobs: []*resolve.Job{job}})
	mustApply(t, elsewhere, planner.Options{Jobs: []*resolve.Job{storing(plainJob("vision", "one"), "delete")}})
	mustApply(t, c, planner.Options{Destroy: true})
	for what, on := range map[string]*Cluster{"what a state has": c, "the objects in the other namespace": elsewhere} {
		volume, claim, err := on.storageObjects(owned)
		if err != nil {
			t.Fatal(err)
		}
		for k, name := range map[api.Resource]string{api.Volumes: volume.Metadata.Name, api.Claims: claim.Metadata.Name} {
			if h, err := on.getHeader(t.Context(), k, name); err != nil || h == nil || h.Metadata.DeletionTimestamp != nil {
				t.Errorf("%s: the %s was deleted: %v", what, k.Kind, err)
			}
		}
	}
	if err := c.ReleaseStorage(t.Context(), owned); err != nil {
		t.Fatal(err)
	}
	mustApply(t, elsewhere, planner.Options{Destroy: true})
}

func TestAVolumeThatIsDeclaredOtherwiseIsRefused(t *testing.T) {
	namespace := newNamespace(t)
	s := &hclspec.Storage{Name: "share", NFS: &hclspec.NFSVolume{Server: "files.example.org", Path: "/export"}, Size: "10Gi"}
	if err := open(t, namespace, "vision").MakeStorage(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	tests := map[string]*hclspec.Storage{
		"another server": {Name: "share", NFS: &hclspec.NFSVolume{Server: "other.example.org", Path: "/export"}, Size: "10Gi"},
		"a smaller size": {Name: "share", NFS: s.NFS, Size: "5Gi"},
	}
	for name, other := range tests {
		t.Run(name, func(t *testing.T) {
			err := open(t, namespace, "vision").MakeStorage(t.Context(), other)
			var fixed *cluster.StorageFixed
			if !errors.As(err, &fixed) || fixed.Storage != other.Address() {
				t.Errorf("%v", err)
			}
		})
	}
}

// storagesLeft lists the volumes and claims of the workspace. It omits
// objects that are being deleted, because no controller removes the
// protection finalizers.
func storagesLeft(t *testing.T, c *Cluster) []string {
	t.Helper()
	var names []string
	for _, k := range []api.Resource{api.Volumes, api.Claims} {
		all, err := listHeaders(t.Context(), c, k, workspaceSelector(c.options.Workspace), 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range all {
			ours := k == api.Claims
			for _, name := range []string{"share", "files", "blobs", "disk"} {
				ours = ours || h.Metadata.Name == render.VolumeName(c.namespace, c.options.Workspace, name)
			}
			if ours && h.Metadata.DeletionTimestamp == nil {
				names = append(names, k.Kind+" "+h.Metadata.Name)
			}
		}
	}
	return names
}
