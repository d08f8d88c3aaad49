// SPDX-License-Identifier: MPL-2.0

//go:build acc

package install

import (
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest"
	"github.com/openpai/terraform-provider-openpai/planner/render"
)

func applyAll(t *testing.T, client dynamic.Interface, o Options) {
	t.Helper()
	for _, content := range parse(t, Manifests(o)) {
		apply(t, client, &unstructured.Unstructured{Object: content})
	}
}

// checkOneWorkspace checks that a role for one workspace permits reading only the
// Secret with its key.
func checkOneWorkspace(t *testing.T, server *apitest.Server) {
	t.Helper()
	o := options()
	o.JobNamespace, o.Users, o.Only, o.Workspaces = "limited", []string{"carol"}, []string{PartRole}, []string{"vision"}
	admin, carol := server.Dynamic(), &attacker{t: t, alice: as(server, "carol")}
	applyAll(t, admin, o)
	key, other := render.WorkspaceObject("vision"), render.WorkspaceObject("speech")
	for _, name := range []string{key, other} {
		if _, err := in(admin, "secrets", "limited").Create(t.Context(), thing("v1", "Secret", name, nil), metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := carol.get("secrets", "limited", key); err != nil {
		t.Errorf("read the key of the workspace: %v", err)
	}
	if err := carol.create("secrets", "limited", thing("v1", "Secret", "of-a-job", nil)); err != nil {
		t.Errorf("create the Secret of a job: %v", err)
	}
	for name, err := range map[string]error{
		"the key of another workspace": carol.get("secrets", "limited", other),
		"a Secret of a job":            carol.get("secrets", "limited", "of-a-job"),
		"all Secrets":                  carol.list("secrets", "limited"),
	} {
		if !apierrors.IsForbidden(err) {
			t.Errorf("the role may read %s: %v", name, err)
		}
	}
}

// checkNamespacePerUser checks that users can work only in their own
// namespaces.
func checkNamespacePerUser(t *testing.T, server *apitest.Server) {
	t.Helper()
	o := options()
	o.JobNamespace, o.Groups, o.Users, o.Only, o.PerUser = "team", nil, []string{"dave", "erin"}, []string{PartRole}, true
	if err := o.Check(); err != nil {
		t.Fatal(err)
	}
	applyAll(t, server.Dynamic(), o)
	for _, user := range o.Users {
		a := &attacker{t: t, alice: as(server, user)}
		for _, owner := range o.Users {
			namespace := "team-" + owner
			for request, err := range map[string]error{
				"lists Frameworks":   a.list(framework.Group+"/frameworks", namespace),
				"lists Pods":         a.list("pods", namespace),
				"creates ConfigMaps": a.create("configmaps", namespace, thing("v1", "ConfigMap", "by-"+user, nil)),
			} {
				if allowed := err == nil; allowed != (user == owner) || !allowed && !apierrors.IsForbidden(err) {
					t.Errorf("%s %s in %s: %v", user, request, namespace, err)
				}
			}
		}
	}
}
