// SPDX-License-Identifier: MPL-2.0

//go:build acc

package kubernetes

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
)

// TestAnotherManagersFieldsAreNotTaken checks that apply reports a conflict if
// another program also applies an object of a job. The error must contain the name
// of that program.
func TestAnotherManagersFieldsAreNotTaken(t *testing.T) {
	c := open(t, newNamespace(t), "vision")
	mustApply(t, c, faultJobs(0))
	j := faultJobs(2).Jobs[0]
	name := contract.RuntimeAccount(j.Framework)
	kind := server.Dynamic().Resource(schema.GroupVersionResource{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "roles"}).Namespace(c.namespace)
	_, err := kind.Apply(t.Context(), name, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": api.Roles.APIVersion, "kind": api.Roles.Kind, "metadata": map[string]any{"name": name}, "rules": []any{},
	}}, metav1.ApplyOptions{FieldManager: "helm", Force: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Update(t.Context(), submission(c, j)); err == nil || !strings.Contains(err.Error(), `"helm"`) || !strings.Contains(err.Error(), "remove the fields from its configuration") {
		t.Errorf("error %v, want an error with the other program", err)
	}
	o, err := kind.Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if rules, _, _ := unstructured.NestedSlice(o.Object, "rules"); len(rules) > 0 {
		t.Errorf("apply overwrote the rules of the other program: %v", rules)
	}
}

// TestOwnPatchesDoNotConflict covers patches by this program, for example from an
// adoption. The API server assigns patched fields to a separate manager.
func TestOwnPatchesDoNotConflict(t *testing.T) {
	c := open(t, newNamespace(t), "vision")
	mustApply(t, c, faultJobs(0))
	j := faultJobs(2).Jobs[0]
	name := contract.RuntimeAccount(j.Framework)
	if err := c.merge(t.Context(), api.Roles, name, map[string]any{"metadata": map[string]any{"labels": map[string]string{contract.KeyWorkspace: "other"}}}); err != nil {
		t.Fatal(err)
	}
	if err := c.Update(t.Context(), submission(c, j)); err != nil {
		t.Fatal(err)
	}
	h, err := c.getHeader(t.Context(), api.Roles, name)
	if err != nil || h == nil || h.Metadata.Labels[contract.KeyWorkspace] != "vision" {
		t.Errorf("the Role is %+v, %v", h, err)
	}
}
