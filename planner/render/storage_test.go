// SPDX-License-Identifier: MPL-2.0

package render

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func TestEveryKindOfVolumeIsRendered(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		storage hclspec.Storage
		want    framework.PersistentVolumeSpec // only the source of the volume
	}{
		"nfs": {
			hclspec.Storage{NFS: &hclspec.NFSVolume{Server: "s", Path: "/p"}},
			framework.PersistentVolumeSpec{NFS: &framework.NFSSource{Server: "s", Path: "/p"}},
		},
		"azure file, read-only": {
			hclspec.Storage{ReadOnly: true, AzureFile: &hclspec.AzureFileVolume{Share: "s", SecretName: "k", SecretNamespace: "n"}},
			framework.PersistentVolumeSpec{AzureFile: &framework.AzureFileSource{ShareName: "s", SecretName: "k", SecretNamespace: "n", ReadOnly: true}},
		},
		"azure blob": {
			hclspec.Storage{AzureBlob: &hclspec.AzureBlobVolume{Container: "c", Account: "a", SecretName: "k"}},
			framework.PersistentVolumeSpec{CSI: &framework.CSISource{Driver: "blob.csi.azure.com", VolumeHandle: "a_c",
				VolumeAttributes: map[string]string{"containerName": "c", "storageAccount": "a"}, NodeStageSecretRef: &framework.SecretReference{Name: "k"}}},
		},
		"csi": {
			hclspec.Storage{CSI: &hclspec.CSIVolume{Driver: "d", VolumeHandle: "h", VolumeAttributes: map[string]string{"x": "y"}}},
			framework.PersistentVolumeSpec{CSI: &framework.CSISource{Driver: "d", VolumeHandle: "h", VolumeAttributes: map[string]string{"x": "y"}}},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			tt.storage.Name, tt.storage.Size = "data", "5Gi"
			job := sampleJob()
			job.TaskRoles[1].Mounts = []*resolve.Mount{{Storage: "data", Path: "/a", Declared: &tt.storage}, {Storage: "data", Path: "/b", Declared: &tt.storage}}
			job.TaskRoles[0].Mounts = nil
			m, diags := Objects(job, sampleTarget())
			if len(diags) > 0 || len(m.Volumes) != 1 || len(m.Claims) != 1 {
				t.Fatalf("%d volumes, %d claims, %v", len(m.Volumes), len(m.Claims), diags)
			}
			v, c := m.Volumes[0], m.Claims[0]
			got := framework.PersistentVolumeSpec{NFS: v.Spec.NFS, AzureFile: v.Spec.AzureFile, CSI: v.Spec.CSI}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("source (-want +got)\n%s", diff)
			}
			if c.Spec.VolumeName != v.Metadata.Name || v.Spec.ClaimRef.Name != c.Metadata.Name {
				t.Error("volume and claim do not refer to each other")
			}
			if v.Spec.PersistentVolumeReclaimPolicy != "Retain" || v.Spec.Capacity["storage"] != "5Gi" || v.Metadata.Namespace != "" {
				t.Errorf("volume %+v", v)
			}
			volumes := m.Framework.Spec.TaskRoles[1].Task.Pod.Spec.Volumes
			if last := volumes[len(volumes)-1]; last.PersistentVolumeClaim == nil || last.PersistentVolumeClaim.ClaimName != c.Metadata.Name {
				t.Errorf("the Pod mounts %+v", last)
			}
		})
	}
}

func TestAdoptedClaimsAreNotCreated(t *testing.T) {
	t.Parallel()
	job := sampleJob()
	job.TaskRoles[0].Mounts = []*resolve.Mount{
		{Storage: "bare", Path: "/a"},
		{Storage: "adopted", Path: "/b", Declared: &hclspec.Storage{Name: "adopted", Claim: "confignfs"}},
	}
	m, _ := Objects(job, sampleTarget())
	if len(m.Volumes)+len(m.Claims) != 0 {
		t.Errorf("%d volumes and %d claims would be created", len(m.Volumes), len(m.Claims))
	}
	var claims []string
	for _, v := range m.Framework.Spec.TaskRoles[0].Task.Pod.Spec.Volumes {
		if v.PersistentVolumeClaim != nil {
			claims = append(claims, v.PersistentVolumeClaim.ClaimName)
		}
	}
	if diff := cmp.Diff([]string{"bare", "confignfs"}, claims); diff != "" {
		t.Errorf("claims (-want +got)\n%s", diff)
	}
}

func TestVolumeNamesAreLabels(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"nfs", "Data_1", "数据", "a-very-long-name-of-a-storage-that-goes-on-and-on-and-on-and-on"} {
		if got := volumeName(name); !validLabel.MatchString(got) {
			t.Errorf("volume %q of storage %q is not a DNS label", got, name)
		}
	}
	if volumeName("Data_1") == volumeName("data-1") {
		t.Error("two storages share a volume")
	}
}
