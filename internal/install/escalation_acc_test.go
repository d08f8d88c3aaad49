// SPDX-License-Identifier: MPL-2.0

//go:build acc

package install

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/google/go-cmp/cmp"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest"
)

// attacker sends requests as a user who may run jobs in one namespace.
type attacker struct {
	t             *testing.T
	alice, engine dynamic.Interface
	frameworks    int
}

func as(server *apitest.Server, user string) dynamic.Interface {
	config := rest.CopyConfig(server.Config)
	config.Impersonate = rest.ImpersonationConfig{UserName: user, Groups: []string{"system:authenticated"}}
	return dynamic.NewForConfigOrDie(config)
}

func in(c dynamic.Interface, resource, namespace string) dynamic.ResourceInterface {
	group, version, plural := "", "v1", resource
	if i := strings.LastIndex(resource, "/"); i >= 0 {
		group, plural = resource[:i], resource[i+1:]
	}
	kind := c.Resource(schema.GroupVersionResource{Group: group, Version: version, Resource: plural})
	if namespace == "" {
		return kind
	}
	return kind.Namespace(namespace)
}

func thing(apiVersion, kind, name string, fields map[string]any) *unstructured.Unstructured {
	content := map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": map[string]any{"name": name}}
	for key, value := range fields {
		content[key] = value
	}
	return &unstructured.Unstructured{Object: content}
}

// create, patch, list and get send requests as alice.
func (a *attacker) create(resource, namespace string, o *unstructured.Unstructured, sub ...string) error {
	_, err := in(a.alice, resource, namespace).Create(context.Background(), o, metav1.CreateOptions{}, sub...)
	return err
}

func (a *attacker) patch(resource, namespace, name, patch string, sub ...string) error {
	_, err := in(a.alice, resource, namespace).Patch(context.Background(), name, types.MergePatchType, []byte(patch), metav1.PatchOptions{}, sub...)
	return err
}

func (a *attacker) list(resource, namespace string) error {
	_, err := in(a.alice, resource, namespace).List(context.Background(), metav1.ListOptions{})
	return err
}

func (a *attacker) get(resource, namespace, name string) error {
	_, err := in(a.alice, resource, namespace).Get(context.Background(), name, metav1.GetOptions{})
	return err
}

// pod submits a Framework with additional Pod and container fields. It then
// creates the Pod with the engine's account.
func (a *attacker) pod(fields, container map[string]any) error {
	a.frameworks++
	name := fmt.Sprint("escalation", a.frameworks)
	app := map[string]any{"name": "app", "image": "a", "resources": map[string]any{}}
	for key, value := range container {
		app[key] = value
	}
	spec := map[string]any{"containers": []any{app}, "restartPolicy": "Never"}
	for key, value := range fields {
		spec[key] = value
	}
	retry := map[string]any{"fancyRetryPolicy": false, "maxRetryCount": int64(0)}
	fw := thing(framework.APIVersion, framework.Kind, name, map[string]any{"spec": map[string]any{
		"executionType": "Start", "retryPolicy": retry,
		"taskRoles": []any{map[string]any{
			"name": "worker", "taskNumber": int64(1),
			"frameworkAttemptCompletionPolicy": map[string]any{"minFailedTaskCount": int64(1), "minSucceededTaskCount": int64(1)},
			"task":                             map[string]any{"retryPolicy": retry, "podGracefulDeletionTimeoutSec": int64(1), "pod": map[string]any{"spec": spec}},
		}},
	}})
	if err := a.create(framework.Group+"/frameworks", "default", fw); err != nil {
		a.t.Errorf("the Framework of %s is rejected: %v", name, err)
		return nil
	}
	_, err := in(a.engine, "pods", "default").Create(context.Background(), thing("v1", "Pod", name, map[string]any{"spec": spec}), metav1.CreateOptions{})
	return err
}

func rbac(kind, name string, fields map[string]any) *unstructured.Unstructured {
	return thing(rbacVersion, kind, name, fields)
}

const rbacGroup = "rbac.authorization.k8s.io"

// escalations returns alice's attempts to escalate her permissions.
// docs/guides/security.md lists the attempts.
func (a *attacker) escalations() map[string]func() error {
	admin := map[string]any{"apiGroup": rbacGroup, "kind": "ClusterRole", "name": "cluster-admin"}
	self := []any{map[string]any{"apiGroup": rbacGroup, "kind": "User", "name": "alice"}}
	secrets := []any{map[string]any{"apiGroups": []any{""}, "resources": []any{"secrets"}, "verbs": []any{"list"}}}
	host := map[string]any{"volumes": []any{map[string]any{"name": "host", "hostPath": map[string]any{"path": "/"}}}}
	secure := func(key string, value any) map[string]any {
		return map[string]any{"securityContext": map[string]any{key: value}}
	}
	return map[string]func() error{
		"create a Pod without a Framework": func() error { return a.create("pods", "default", thing("v1", "Pod", "own", nil)) },
		"run a privileged container":       func() error { return a.pod(nil, secure("privileged", true)) },
		"mount the node's directories":     func() error { return a.pod(host, nil) },
		"access the node's processes":      func() error { return a.pod(map[string]any{"hostPID": true}, nil) },
		"use the node's network":           func() error { return a.pod(map[string]any{"hostNetwork": true}, nil) },
		"access the node's shared memory":  func() error { return a.pod(map[string]any{"hostIPC": true}, nil) },
		"bind a port of the node": func() error {
			return a.pod(nil, map[string]any{"ports": []any{map[string]any{"containerPort": int64(80), "hostPort": int64(80)}}})
		},
		"add a Linux capability":        func() error { return a.pod(nil, secure("capabilities", map[string]any{"add": []any{"SYS_ADMIN"}})) },
		"run without a seccomp profile": func() error { return a.pod(nil, secure("seccompProfile", map[string]any{"type": "Unconfined"})) },
		"set a kernel parameter of the node": func() error {
			return a.pod(secure("sysctls", []any{map[string]any{"name": "kernel.msgmax", "value": "1"}}), nil)
		},
		"change the namespace's Pod security level": func() error {
			return a.patch("namespaces", "", "default", `{"metadata":{"labels":{"pod-security.kubernetes.io/enforce":"privileged"}}}`)
		},
		"create a namespace": func() error { return a.create("namespaces", "", thing("v1", "Namespace", "own", nil)) },
		"create a Framework in a different namespace": func() error {
			return a.create(framework.Group+"/frameworks", "kube-system", thing(framework.APIVersion, framework.Kind, "f", nil))
		},
		"list the engine's Secrets": func() error { return a.list("secrets", DefaultEngineNamespace) },
		"change the engine's configuration": func() error {
			return a.patch("configmaps", DefaultEngineNamespace, engineName+"-config", `{"data":{}}`)
		},
		"list all Secrets in the user's namespace with one request": func() error { return a.list("secrets", "default") },
		"create a Role with permissions that the user does not have": func() error {
			return a.create(rbacGroup+"/roles", "default", rbac("Role", "more", map[string]any{"rules": secrets}))
		},
		"add rules to the user's own Role": func() error {
			return a.patch(rbacGroup+"/roles", "default", userRole, `{"rules":[{"apiGroups":["*"],"resources":["*"],"verbs":["*"]}]}`)
		},
		"bind cluster-admin in the user's namespace": func() error {
			return a.create(rbacGroup+"/rolebindings", "default", rbac("RoleBinding", "admin", map[string]any{"roleRef": admin, "subjects": self}))
		},
		"bind cluster-admin in the whole cluster": func() error {
			return a.create(rbacGroup+"/clusterrolebindings", "", rbac("ClusterRoleBinding", "admin", map[string]any{"roleRef": admin, "subjects": self}))
		},
		"create a token for a different service account": func() error {
			return a.create("serviceaccounts", "default", thing("authentication.k8s.io/v1", "TokenRequest", "default", nil), "default", "token")
		},
		"create a PersistentVolume for a directory of the node": func() error { return a.create("persistentvolumes", "", thing("v1", "PersistentVolume", "host", nil)) },
		"add a debug container to another user's Pod":           func() error { return a.patch("pods", "default", "any", `{}`, "ephemeralcontainers") },
		"change the admission policy": func() error {
			return a.patch("admissionregistration.k8s.io/validatingadmissionpolicies", "", "openpai-storage-permissions", `{"spec":{"validations":[]}}`)
		},
		"change the definition of the Framework resource": func() error {
			return a.patch("apiextensions.k8s.io/customresourcedefinitions", "", "frameworks."+framework.Group, `{}`)
		},
		"access the kubelet through the API server": func() error { return a.get("nodes", "", "any") },
	}
}

// checkEscalations requires Forbidden for all attempts to escape the namespace
// or its Pod security level.
func checkEscalations(t *testing.T, server *apitest.Server) {
	t.Helper()
	a := &attacker{t: t, alice: as(server, "alice"), engine: as(server, "system:serviceaccount:"+DefaultEngineNamespace+":"+engineName)}
	tries := a.escalations()
	if len(tries) < 20 {
		t.Fatalf("only %d escalations", len(tries))
	}
	if err := a.pod(nil, nil); err != nil {
		t.Errorf("the API server rejected a plain Pod: %v", err)
	}
	checkListed(t, slices.Sorted(maps.Keys(tries)))
	for name, try := range tries {
		if err := try(); !apierrors.IsForbidden(err) {
			t.Errorf("%s: %v, want Forbidden", name, err)
		}
	}
}

// checkListed compares the names with the list in docs/guides/security.md.
func checkListed(t *testing.T, names []string) {
	t.Helper()
	const page, start, end = "../../docs/guides/security.md", "<!-- escalations -->\n", "<!-- end of escalations -->\n"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(text), start)
	got, after, _ := strings.Cut(rest, end)
	want := "- " + strings.Join(names, "\n- ") + "\n"
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(page, []byte(before+start+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the list of %s (-want +got)\n%s", page, diff)
	}
}

// checkSecondNamespace checks that a later namespace does not change the
// engine.
func checkSecondNamespace(t *testing.T, client dynamic.Interface) {
	t.Helper()
	o := options()
	o.JobNamespace, o.Users, o.EngineImage = "second", []string{"bob"}, ""
	for _, content := range parse(t, Manifests(o)) {
		apply(t, client, &unstructured.Unstructured{Object: content})
	}
	found, err := in(client, "apps/statefulsets", DefaultEngineNamespace).Get(t.Context(), engineName, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	containers, _, _ := unstructured.NestedSlice(found.Object, "spec", "template", "spec", "containers")
	if image := containers[0].(map[string]any)["image"]; image != "registry.example.org/engine:1" {
		t.Errorf("the engine has the image %v", image)
	}
}
