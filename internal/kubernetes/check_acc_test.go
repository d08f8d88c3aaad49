// SPDX-License-Identifier: MPL-2.0

//go:build acc

package kubernetes

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/yaml"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/install"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// checkOf checks the cluster and returns the results keyed by the name of the
// check.
func checkOf(t *testing.T, c *Cluster, jobs ...*resolve.Job) map[string]cluster.CheckResult {
	t.Helper()
	ws := &hclspec.Workspace{Name: "vision", Clusters: []*hclspec.Cluster{c.declared}}
	all, err := c.Check(t.Context(), ws, jobs)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]cluster.CheckResult{}
	for _, f := range all {
		found[f.Check] = f
	}
	return found
}

func expect(t *testing.T, found map[string]cluster.CheckResult, want map[string]cluster.Result) {
	t.Helper()
	for check, result := range want {
		if found[check].Result != result {
			t.Errorf("%s: %+v, want %s", check, found[check], result)
		}
	}
}

func TestCheckFindsWhatAClusterLacks(t *testing.T) {
	c := open(t, newNamespace(t), "vision")
	found := checkOf(t, c, &resolve.Job{Cluster: "gpu", Declared: &hclspec.Job{}, TaskRoles: []*resolve.TaskRole{{Limits: hclspec.Limits{GPU: 1}, Mounts: []*resolve.Mount{{Storage: "data"}}}}})
	expect(t, found, map[string]cluster.Result{
		"API server": cluster.ResultOK, "Framework CRD": cluster.ResultOK, "FrameworkController": cluster.ResultMissing, "namespace": cluster.ResultOK, "no living OpenPAI": cluster.ResultOK,
		"permission frameworks": cluster.ResultOK, "permission secrets": cluster.ResultOK, "permission pods/exec": cluster.ResultOK,
		"storage data": cluster.ResultMissing, "nodes": cluster.ResultMissing, "resource nvidia.com/gpu": cluster.ResultMissing, "Pod security": cluster.ResultWarning, "runtime image": cluster.ResultMissing,
	})
	claim := map[string]any{"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": map[string]any{"name": "data"},
		"spec": map[string]any{"accessModes": []any{"ReadWriteMany"}, "resources": map[string]any{"requests": map[string]any{"storage": "1Gi"}}}}
	kind := server.Dynamic().Resource(schema.GroupVersionResource{Version: "v1", Resource: "persistentvolumeclaims"}).Namespace(c.namespace)
	if _, err := kind.Create(t.Context(), &unstructured.Unstructured{Object: claim}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	job := &resolve.Job{Cluster: "gpu", Declared: &hclspec.Job{}, TaskRoles: []*resolve.TaskRole{{Mounts: []*resolve.Mount{{Storage: "data"}}}}}
	expect(t, checkOf(t, c, job), map[string]cluster.Result{"storage data": cluster.ResultWarning})
	if _, err := kind.Patch(t.Context(), "data", types.MergePatchType, []byte(`{"status":{"phase":"Bound"}}`), metav1.PatchOptions{}, "status"); err != nil {
		t.Fatal(err)
	}
	expect(t, checkOf(t, c, job), map[string]cluster.Result{"storage data": cluster.ResultOK})
}

// The user role contains all required permissions in the namespace. It does
// not permit reads of cluster-scoped objects.
func TestTheUserRolePassesThePermissionChecks(t *testing.T) {
	namespace := newNamespace(t)
	grant(t, namespace, install.Options{JobNamespace: namespace, EngineNamespace: "e", Users: []string{"alice"}})
	alice, nobody := asUser(t, "alice", namespace), asUser(t, "mallory", namespace)
	for check, f := range checkOf(t, alice) {
		if strings.HasPrefix(check, "permission ") && f.Result != cluster.ResultOK {
			t.Errorf("the role of users lacks %s: %+v", check, f)
		}
	}
	expect(t, checkOf(t, alice), map[string]cluster.Result{"API server": cluster.ResultOK, "Framework CRD": cluster.ResultOK, "FrameworkController": cluster.ResultUnknown, "nodes": cluster.ResultUnknown, "no living OpenPAI": cluster.ResultOK})
	expect(t, checkOf(t, nobody), map[string]cluster.Result{"permission frameworks": cluster.ResultMissing, "permission pods/exec": cluster.ResultWarning, "permission events": cluster.ResultWarning, "no living OpenPAI": cluster.ResultUnknown})
}

// A user may not be allowed to list the engine's Pods. An unprocessed
// Framework then shows that FrameworkController is down.
func TestCheckFindsThatTheEngineIsDownWithoutItsNamespace(t *testing.T) {
	namespace := newNamespace(t)
	grant(t, namespace, install.Options{JobNamespace: namespace, EngineNamespace: "e", Users: []string{"alice"}})
	mustApply(t, open(t, namespace, "vision"), planner.Options{Jobs: []*resolve.Job{plainJob("vision", "waits")}})
	alice := asUser(t, "alice", namespace)
	expect(t, checkOf(t, alice), map[string]cluster.Result{"FrameworkController": cluster.ResultUnknown})
	var found cluster.CheckResult
	for range 100 {
		if found = checkOf(t, alice)["FrameworkController"]; found.Result != cluster.ResultUnknown {
			break
		}
		time.Sleep(200 * time.Millisecond)
	}
	if found.Result != cluster.ResultMissing || !strings.Contains(found.Found, "it has not processed the Framework ") || found.Advice.Empty() {
		t.Errorf("%+v", found)
	}
}

// A role that is limited to the Secrets of a workspace is sufficient for its
// jobs.
func TestARoleForOneWorkspaceReadsOnlyItsKey(t *testing.T) {
	namespace := newNamespace(t)
	grant(t, namespace, install.Options{JobNamespace: namespace, EngineNamespace: "e", Users: []string{"wilma"}, Workspaces: []string{"vision"}})
	c := asUser(t, "wilma", namespace)
	expect(t, checkOf(t, c), map[string]cluster.Result{"permission secrets": cluster.ResultOK})
	if _, err := c.SecretKey(t.Context(), "vision"); err != nil {
		t.Errorf("read the key of the workspace: %v", err)
	}
	if _, err := c.SecretKey(t.Context(), "speech"); !apierrors.IsForbidden(err) {
		t.Errorf("the role may read the key of another workspace: %v", err)
	}
}

// grant gives users the permissions that the manifests define.
func grant(t *testing.T, namespace string, o install.Options) {
	t.Helper()
	installNamed(t, namespace, o, "openpai-user", "openpai-priority-classes")
}

func installNamed(t *testing.T, namespace string, o install.Options, names ...string) {
	t.Helper()
	installEdited(t, namespace, o, func(*unstructured.Unstructured) {}, names...)
}

// grantWithout is like grant, but omits the permissions on the given resources.
func grantWithout(t *testing.T, namespace string, o install.Options, resources ...string) {
	t.Helper()
	installEdited(t, namespace, o, func(u *unstructured.Unstructured) {
		rules, found, err := unstructured.NestedSlice(u.Object, "rules")
		if err != nil {
			t.Fatal(err)
		}
		if !found {
			return
		}
		for _, r := range rules {
			r := r.(map[string]any)
			r["resources"] = slices.DeleteFunc(r["resources"].([]any), func(name any) bool { return slices.Contains(resources, name.(string)) })
		}
		rules = slices.DeleteFunc(rules, func(r any) bool { return len(r.(map[string]any)["resources"].([]any)) == 0 })
		if err := unstructured.SetNestedSlice(u.Object, rules, "rules"); err != nil {
			t.Fatal(err)
		}
	}, "openpai-user", "openpai-priority-classes")
}

// installEdited is like installNamed, but edits each object first.
func installEdited(t *testing.T, namespace string, o install.Options, edit func(*unstructured.Unstructured), names ...string) {
	t.Helper()
	for _, text := range strings.Split(string(install.Manifests(o)), "---\n") {
		var content map[string]any
		if err := yaml.Unmarshal([]byte(text), &content); err != nil {
			t.Fatal(err)
		}
		u := &unstructured.Unstructured{Object: content}
		if !slices.Contains(names, u.GetName()) {
			continue
		}
		edit(u)
		in := where(u, namespace)
		if _, err := in.Create(t.Context(), u, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		if u.GetNamespace() == "" {
			t.Cleanup(func() { _ = in.Delete(context.Background(), u.GetName(), metav1.DeleteOptions{}) })
		}
	}
	if slices.Contains(names, "openpai-user") {
		for _, user := range o.Users {
			waitUntilAllowed(t, namespace, user)
		}
	}
}

// waitUntilAllowed waits until a user's role takes effect: the API server
// applies new roles only after a delay.
func waitUntilAllowed(t *testing.T, namespace, user string) {
	t.Helper()
	review := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview",
		"spec": map[string]any{"user": user, "resourceAttributes": map[string]any{
			"namespace": namespace, "verb": "get", "group": "frameworkcontroller.microsoft.com", "resource": "frameworks",
		}},
	}}
	reviews := server.Dynamic().Resource(schema.GroupVersionResource{Group: "authorization.k8s.io", Version: "v1", Resource: "subjectaccessreviews"})
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		answer, err := reviews.Create(t.Context(), review, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if allowed, _, _ := unstructured.NestedBool(answer.Object, "status", "allowed"); allowed {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s may not read Frameworks of %s a minute after the grant", user, namespace)
		}
	}
}

// where returns a client for the kind of u. If u has a namespace, the client
// uses the parameter namespace instead.
func where(u *unstructured.Unstructured, namespace string) dynamic.ResourceInterface {
	kind := u.GroupVersionKind()
	plural := strings.ToLower(kind.Kind) + "s"
	if stem, ok := strings.CutSuffix(plural, "ys"); ok {
		plural = stem + "ies"
	}
	all := server.Dynamic().Resource(schema.GroupVersionResource{Group: kind.Group, Version: kind.Version, Resource: plural})
	if u.GetNamespace() == "" {
		return all
	}
	return all.Namespace(namespace)
}

// With a priority_class block, users need a cluster-scoped permission.
func TestCheckRequiresAPermissionOnlyForDeclaredPriorityClasses(t *testing.T) {
	namespace := newNamespace(t)
	grant(t, namespace, install.Options{JobNamespace: namespace, EngineNamespace: "e", Users: []string{"paula"}, PriorityClasses: true})
	for user, want := range map[string]cluster.Result{"paula": cluster.ResultOK, "mallory": cluster.ResultMissing} {
		c := asUser(t, user, namespace)
		if _, asked := checkOf(t, c)["permission priorityclasses"]; asked {
			t.Errorf("%s: the check requires an unneeded permission", user)
		}
		c.declared.PriorityClass = &hclspec.PriorityClass{}
		expect(t, checkOf(t, c), map[string]cluster.Result{"permission priorityclasses": want})
	}
}

// asUser opens the namespace with the credentials of another user.
func asUser(t *testing.T, name, namespace string) *Cluster {
	t.Helper()
	file, err := server.WriteKubeconfigAs(name, server.Config.Host, namespace)
	if err != nil {
		t.Fatal(err)
	}
	return openAt(t, file, namespace, "vision")
}

func TestCheckReportsOnlyThatTheAPIServerIsUnreachable(t *testing.T) {
	file, err := server.WriteKubeconfig("nowhere", "https://127.0.0.1:1", "default")
	if err != nil {
		t.Fatal(err)
	}
	found := checkOf(t, openAt(t, file, "default", "vision"))
	if f := found["API server"]; len(found) != 1 || f.Result != cluster.ResultMissing || !strings.Contains(f.Found, "refused") || f.Advice.Empty() {
		t.Errorf("%+v", found)
	}
}

func TestCheckComparesPodSecurityWithTheNamespace(t *testing.T) {
	namespace := newNamespace(t)
	c := open(t, namespace, "vision")
	kind := server.Dynamic().Resource(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"})
	if _, err := kind.Patch(t.Context(), namespace, types.MergePatchType, []byte(`{"metadata":{"labels":{"pod-security.kubernetes.io/enforce":"restricted"}}}`), metav1.PatchOptions{}); err != nil {
		t.Fatal(err)
	}
	expect(t, checkOf(t, c), map[string]cluster.Result{"Pod security": cluster.ResultMissing})
	c.declared.PodSecurity = "restricted"
	expect(t, checkOf(t, c), map[string]cluster.Result{"Pod security": cluster.ResultOK, "admission policy": cluster.ResultMissing})
}
