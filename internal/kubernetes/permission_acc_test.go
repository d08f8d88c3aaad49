// SPDX-License-Identifier: MPL-2.0

//go:build acc

package kubernetes

import (
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// permit writes the ConfigMap with the storage permissions of a namespace.
func permit(t *testing.T, c *Cluster, text string) {
	t.Helper()
	err := c.apply(t.Context(), api.ConfigMaps, contract.StoragePermissions, map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": contract.StoragePermissions},
		"data": map[string]string{contract.StoragePermissionsKey: text},
	}, true)
	if err != nil {
		t.Fatal(err)
	}
}

func TestStoragePermissionsOfAClusterLimitSubmissions(t *testing.T) {
	c := open(t, newNamespace(t), "vision")
	j := plainJob("vision", "mnist")
	j.TaskRoles[0].Mounts = []*resolve.Mount{{
		Storage: "data", Path: "/data", By: []string{"prerequisite.digits"},
		Declared: &hclspec.Storage{Name: "data", NFS: &hclspec.NFSVolume{Server: "files.example.org", Path: "/export/digits"}},
	}}
	jobs := planner.Options{Jobs: []*resolve.Job{j}}
	const others = "groups: {vision: [bob]}\nstorages:\n- storage: nfs/files.example.org/export\n  groups: [vision]\n"
	permit(t, c, others)
	_, err := tryPlan(t.Context(), c, jobs)
	for _, want := range []string{`"data"`, "nfs/files.example.org/export", `the group "vision"`, contract.StoragePermissions, `the user of job.mnist is "alice"`, "prerequisite.digits"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the plan reports %v, which does not contain %s", err, want)
		}
	}
	permit(t, c, "groups: {vision: [bob, alice]}\nstorages:\n- storage: nfs/files.example.org/export\n  groups: [vision]\n")
	mustApply(t, c, jobs)
	permit(t, c, others) // running jobs continue
	mustBeEmpty(t, c, j)
	permit(t, c, "storages:\n- storage: nfs/files.example.org/export\n  user: [alice]\n")
	if _, err := tryPlan(t.Context(), c, jobs); err == nil || !strings.Contains(err.Error(), "ConfigMap "+contract.StoragePermissions) || !strings.Contains(err.Error(), "user") {
		t.Errorf("an invalid table: %v", err)
	}
}
