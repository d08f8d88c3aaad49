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

	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest"
)

func TestAnAPIServerTakesTheManifests(t *testing.T) {
	server, err := apitest.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer server.Stop()
	client := server.Dynamic()
	o := options()
	o.JobNamespace, o.EngineImage = "default", "registry.example.org/engine:1"
	for _, content := range parse(t, Manifests(o)) {
		apply(t, client, &unstructured.Unstructured{Object: content})
	}
	checkStoragePermissions(t, server)
	checkEscalations(t, server)
	checkSecondNamespace(t, client)
	checkOneWorkspace(t, server)
	checkNamespacePerUser(t, server)
	if profile := seccompOfAPod(t, client); profile != "RuntimeDefault" {
		t.Errorf("the Pod of a Framework has the seccomp profile %q", profile)
	}
}

func apply(t *testing.T, client dynamic.Interface, o *unstructured.Unstructured) {
	t.Helper()
	kind := o.GroupVersionKind()
	plural := strings.ToLower(kind.Kind) + "s"
	if strings.HasSuffix(plural, "ys") {
		plural = strings.TrimSuffix(plural, "ys") + "ies"
	}
	resource := client.Resource(schema.GroupVersionResource{Group: kind.Group, Version: kind.Version, Resource: plural})
	var in dynamic.ResourceInterface = resource
	if ns := o.GetNamespace(); ns != "" {
		in = resource.Namespace(ns)
	}
	if _, err := in.Apply(t.Context(), o.GetName(), o, metav1.ApplyOptions{FieldManager: "kubectl", Force: true}); err != nil {
		t.Errorf("%s %s: %v", kind.Kind, o.GetName(), err)
	}
}

// seccompOfAPod returns the type of the seccomp profile that the policy adds
// to a new Pod. It creates several Pods, because the API server applies a new
// policy only after a delay.
func seccompOfAPod(t *testing.T, client dynamic.Interface) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	pods := client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "pods"}).Namespace("default")
	for {
		created, err := pods.Create(ctx, &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "v1", "kind": "Pod",
			"metadata": map[string]any{"generateName": "task-", "labels": map[string]any{"FC_FRAMEWORK_NAME": "x"}},
			"spec":     map[string]any{"containers": []any{map[string]any{"name": "app", "image": "a"}}},
		}}, metav1.CreateOptions{})
		if err == nil {
			if profile, _, _ := unstructured.NestedString(created.Object, "spec", "securityContext", "seccompProfile", "type"); profile != "" {
				return profile
			}
		}
		select {
		case <-ctx.Done():
			t.Logf("last error: %v", err)
			return ""
		case <-time.After(200 * time.Millisecond):
		}
	}
}
