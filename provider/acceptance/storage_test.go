// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
)

var (
	claimKind     = schema.GroupVersionResource{Version: "v1", Resource: "persistentvolumeclaims"}
	volumeKind    = schema.GroupVersionResource{Version: "v1", Resource: "persistentvolumes"}
	configMapKind = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
)

// is reports whether an object exists and is not being deleted.
func is(t *testing.T, objects dynamic.ResourceInterface, name string) bool {
	t.Helper()
	o, err := objects.Get(t.Context(), name, metav1.GetOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		t.Fatal(err)
	}
	return err == nil && o.GetDeletionTimestamp() == nil
}

func nfs(size, more string) string {
	return `
resource "openpai_storage" "data" {
  name = "data"
  nfs  = { server = "nfs.example.org", path = "/export" }
  size = "` + size + `"
` + more + `
}
`
}

func TestTheProviderManagesAStorageOnKubernetes(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		p := newProject(t, program)
		at := kubernetesEnvironment(t, p.dir)
		claims := apiServer(t).Dynamic().Resource(claimKind).Namespace(namespaceOf(at))
		volumes := apiServer(t).Dynamic().Resource(volumeKind)
		volume := namespaceOf(at) + "-team-data"

		p.configure(at.provider, nfs("10Gi", ""))
		p.expectChange("openpai_storage.data", "create")
		p.apply()
		p.mustBeEmpty()
		if !is(t, claims, "team-data") || !is(t, volumes, volume) {
			t.Fatal("no claim or volume was created")
		}

		p.configure(at.provider, nfs("10240Mi", "")) // the same value in another notation
		p.mustBeEmpty()
		p.configure(at.provider, nfs("10Gi", `users = ["alice"]`))
		p.expectChange("openpai_storage.data", "update")
		p.apply()
		p.mustBeEmpty()

		p.configure(at.provider, strings.Replace(nfs("10Gi", `users = ["alice"]`), "nfs.example.org", "other.example.org", 1))
		out, code := p.run("apply", "-auto-approve", "-input=false")
		if code == 0 || !strings.Contains(out, "Volume cannot be changed") || !strings.Contains(out, "nfs  = {") {
			t.Errorf("another server: exit code %d\n%s", code, out)
		}
		p.configure(at.provider, nfs("10Gi", `users = ["alice"]`))
		p.mustBeEmpty()
		p.apply("-replace=openpai_storage.data") // finds the storage that was kept
		p.mustBeEmpty()

		p.configure(at.provider, nfs("10Gi", `users = ["alice"]`), job("sleep 1000", 1, `storage = [{ use = openpai_storage.data.definition }]`))
		p.apply()
		if err := at.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		p.must("state", "rm", "openpai_storage.data")
		p.must("import", "openpai_storage.data", "data")
		p.mustBeEmpty()
		p.configure(at.provider, nfs("10Gi", `users = ["alice"]`))
		p.apply()

		if err := claims.Delete(t.Context(), "team-data", metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		release(t, claims, "team-data")
		p.expectChange("openpai_storage.data", "create")
		p.apply()
		p.mustBeEmpty()

		p.must("destroy", "-auto-approve", "-input=false")
		if !is(t, claims, "team-data") {
			t.Error("destroy took the data")
		}
		p.configure(at.provider, nfs("10Gi", `on_destroy = "delete"`))
		p.apply() // finds the existing storage
		p.mustBeEmpty()
		p.must("destroy", "-auto-approve", "-input=false")
		if out, code := p.run("apply", "-auto-approve", "-input=false"); code == 0 || !strings.Contains(out, "is still being deleted") {
			t.Errorf("no error for a storage that is still being deleted: exit code %d\n%s", code, out)
		}
		release(t, claims, "team-data")
		release(t, volumes, volume)
		p.apply()
		p.mustBeEmpty()
		p.must("destroy", "-auto-approve", "-input=false")
		release(t, claims, "team-data")
		release(t, volumes, volume)
		if is(t, claims, "team-data") || is(t, volumes, volume) {
			t.Error("something is left")
		}
	})
}

// release removes finalizers, because the test cluster has no controller for
// them.
func release(t *testing.T, objects dynamic.ResourceInterface, name string) {
	t.Helper()
	_, err := objects.Patch(t.Context(), name, "application/merge-patch+json", []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		t.Fatal(err)
	}
}

func TestAClaimIsAdopted(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		p := newProject(t, program)
		at := kubernetesEnvironment(t, p.dir)
		claims := apiServer(t).Dynamic().Resource(claimKind).Namespace(namespaceOf(at))
		p.configure(at.provider, "resource \"openpai_storage\" \"data\" {\n  name  = \"data\"\n  claim = \"shared\"\n}\n")
		out, code := p.run("apply", "-auto-approve", "-input=false")
		if code == 0 || !strings.Contains(out, "Claim does not exist") {
			t.Fatalf("%d\n%s", code, out)
		}
		claim := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": map[string]any{"name": "shared"},
			"spec": map[string]any{"accessModes": []any{"ReadWriteMany"}, "resources": map[string]any{"requests": map[string]any{"storage": "1Gi"}}},
		}}
		if _, err := claims.Create(t.Context(), claim, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		p.apply()
		p.mustBeEmpty()
		p.must("state", "rm", "openpai_storage.data")
		p.must("import", "openpai_storage.data", `{"use":"storage.data#1","storages":{"storage.data#1":{"claim":"shared"}}}`)
		p.mustBeEmpty()
		p.must("destroy", "-auto-approve", "-input=false")
		if !is(t, claims, "shared") {
			t.Error("destroy deleted a claim that was adopted")
		}
	})
}

func TestTheProviderManagesAStorageOnTheLocalCluster(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		p := newProject(t, program)
		at := localEnvironment(t, p.dir)
		data := filepath.Join(p.dir, "data")
		storage := func(more string) string {
			return "resource \"openpai_storage\" \"data\" {\n  name      = \"data\"\n  host_path = \"data\"\n" + more + "}\n"
		}
		p.configure(at.provider, storage(""))
		p.apply()
		p.mustBeEmpty()
		p.configure(at.provider, storage("  read_only = true\n"))
		p.expectChange("openpai_storage.data", "update")
		p.apply()
		p.mustBeEmpty()
		if err := os.Remove(data); err != nil {
			t.Fatal(err)
		}
		p.expectChange("openpai_storage.data", "create")
		p.configure(at.provider, storage("  on_destroy = \"delete\"\n"))
		p.apply()
		p.mustBeEmpty()
		write(t, filepath.Join(data, "file"), "of the one before")
		p.apply("-replace=openpai_storage.data")
		p.mustBeEmpty()
		if remaining, err := os.ReadDir(data); err != nil || len(remaining) > 0 {
			t.Errorf("the directory that was created again contains %v: %v", remaining, err)
		}

		use := job("true", 1, "wait_for = \"completed\"\n  storage  = [{ use = openpai_storage.data.definition, mount_path = \""+data+"\" }]")
		p.configure(at.provider, storage("  on_destroy = \"delete\"\n"), use)
		p.apply()
		for _, id := range []string{"data", "storage.data"} {
			p.must("state", "rm", "openpai_storage.data")
			p.must("import", "openpai_storage.data", id)
			p.mustBeEmpty()
		}
		p.must("state", "rm", "openpai_prerequisite.greet")
		p.must("import", "openpai_prerequisite.greet", "script.greet")
		p.mustBeEmpty()
		p.must("destroy", "-auto-approve", "-input=false")
		if _, err := os.Stat(data); err != nil {
			t.Error("destroy deleted a directory that was imported, not created")
		}
	})
}
