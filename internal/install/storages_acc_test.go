// SPDX-License-Identifier: MPL-2.0

//go:build acc

package install

import (
	"context"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest"
)

// checkStoragePermissions checks that the job user alice can only read the
// ConfigMap with the storage permissions.
func checkStoragePermissions(t *testing.T, server *apitest.Server) {
	t.Helper()
	config := rest.CopyConfig(server.Config)
	config.Impersonate = rest.ImpersonationConfig{UserName: "alice"}
	maps := func(c dynamic.Interface) dynamic.ResourceInterface {
		return c.Resource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).Namespace("default")
	}
	alice, admin := maps(dynamic.NewForConfigOrDie(config)), maps(server.Dynamic())
	create := func(by dynamic.ResourceInterface, name string) error {
		_, err := by.Create(t.Context(), &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": name},
		}}, metav1.CreateOptions{})
		return err
	}
	refused := func(err error) bool {
		return err != nil && strings.Contains(err.Error(), "only administrators may change")
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for !refused(create(alice, contract.StoragePermissions)) { // the server enforces a policy only after a delay
		_ = admin.Delete(ctx, contract.StoragePermissions, metav1.DeleteOptions{})
		select {
		case <-ctx.Done():
			t.Fatal("a user may create the ConfigMap")
		case <-time.After(200 * time.Millisecond):
		}
	}
	if err := create(alice, "another"); err != nil {
		t.Errorf("a user may not create other ConfigMaps: %v", err)
	}
	if err := create(admin, contract.StoragePermissions); err != nil {
		t.Fatalf("an administrator may not create the ConfigMap: %v", err)
	}
	if _, err := alice.Get(t.Context(), contract.StoragePermissions, metav1.GetOptions{}); err != nil {
		t.Errorf("a user may not read the ConfigMap: %v", err)
	}
	if _, err := alice.Patch(t.Context(), contract.StoragePermissions, "application/merge-patch+json", []byte(`{"data":{"a":"b"}}`), metav1.PatchOptions{}); !refused(err) {
		t.Errorf("a user changed the ConfigMap: %v", err)
	}
	if err := alice.Delete(t.Context(), contract.StoragePermissions, metav1.DeleteOptions{}); !refused(err) {
		t.Errorf("a user deleted the ConfigMap: %v", err)
	}
	_ = alice.DeleteCollection(t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{})
	if _, err := admin.Get(t.Context(), contract.StoragePermissions, metav1.GetOptions{}); err != nil {
		t.Errorf("the ConfigMap does not exist: %v", err)
	}
	if err := admin.Delete(t.Context(), contract.StoragePermissions, metav1.DeleteOptions{}); err != nil {
		t.Errorf("an administrator may not delete the ConfigMap: %v", err)
	}
}
