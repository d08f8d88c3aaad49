//go:build acc

package kubernetes

import (
	"fmt"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/install"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest/engine"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// enforce makes the API server refuse Pods below a level in a namespace.
func enforce(t *testing.T, namespace, level string) {
	t.Helper()
	patch := fmt.Sprintf(`{"metadata":{"labels":{%q:%q}}}`, "pod-security.kubernetes.io/enforce", level)
	change(t, server.Dynamic().Resource(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}), namespace, patch)
}

func TestPodsPassPodSecurityBaseline(t *testing.T) {
	c := open(t, newNamespace(t), "vision")
	enforce(t, c.declared.Namespace, "baseline")
	j := sampleJob("vision", "mnist")
	mustApply(t, c, planner.Options{Jobs: []*resolve.Job{j}})
	if err := (&engine.Engine{Client: server.Dynamic(), Namespace: c.namespace}).Prepare(t.Context(), j.Framework); err != nil {
		t.Fatalf("a Pod was refused: %v", err)
	}
	for _, p := range podsIn(t, c.namespace, 3) {
		checkToken(t, p)
	}
}

// The level restricted takes what we render, what FrameworkController leaves of
// it, and the admission policy of the manifests together.
func TestPodsPassPodSecurityRestricted(t *testing.T) {
	c := open(t, newNamespace(t), "vision")
	enforce(t, c.declared.Namespace, "restricted")
	c.target().PodSecurity = "restricted"
	j := sampleJob("vision", "mnist")
	j.Pod = &hclspec.Pod{RunAsUser: new(int)}
	*j.Pod.RunAsUser = 1000
	mustApply(t, c, planner.Options{Jobs: []*resolve.Job{j}})

	err := prepared(t, c, j)
	if !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), "seccompProfile") || strings.Count(err.Error(), "(") > 1 {
		t.Fatalf("without the admission policy only the seccomp profile is missing: %v", err)
	}
	installNamed(t, c.namespace, install.Options{JobNamespace: c.namespace, EngineNamespace: "e"}, install.PolicyName)
	for range 150 { // the server takes a policy up after a moment
		if err = prepared(t, c, j); err == nil {
			break
		}
		time.Sleep(200 * time.Millisecond)
	}
	if err != nil {
		t.Fatalf("a Pod was refused: %v", err)
	}
	podsIn(t, c.namespace, 3)
}

// prepared begins an attempt anew.
func prepared(t *testing.T, c *Cluster, j *resolve.Job) error {
	t.Helper()
	attempts := server.Dynamic().Resource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).Namespace(c.namespace)
	name := j.Framework + "-attempt"
	change(t, attempts, name, `{"metadata":{"finalizers":null}}`)
	if err := attempts.Delete(t.Context(), name, metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
		t.Fatal(err)
	}
	return (&engine.Engine{Client: server.Dynamic(), Namespace: c.namespace}).Prepare(t.Context(), j.Framework)
}

func podsIn(t *testing.T, namespace string, n int) []unstructured.Unstructured {
	t.Helper()
	found, err := server.Dynamic().Resource(schema.GroupVersionResource{Version: "v1", Resource: "pods"}).Namespace(namespace).List(t.Context(), metav1.ListOptions{})
	if err != nil || len(found.Items) != n {
		t.Fatalf("%d Pods, want %d: %v", len(found.Items), n, err)
	}
	return found.Items
}
