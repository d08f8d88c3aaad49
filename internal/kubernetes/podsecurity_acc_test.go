// SPDX-License-Identifier: MPL-2.0

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
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/install"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest/engine"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

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
		t.Fatalf("the API server rejected a Pod: %v", err)
	}
	for _, p := range podsIn(t, c.namespace, 3) {
		checkToken(t, p)
	}
}

// TestPodsPassPodSecurityRestricted creates Pods like FrameworkController.
// The namespace has the level "restricted" and the admission policy from the
// manifests.
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
		t.Fatalf("without the admission policy, want an error about the seccomp profile only: %v", err)
	}
	installNamed(t, c.namespace, install.Options{JobNamespace: c.namespace, EngineNamespace: "e"}, install.PolicyName)
	for range 150 { // a new policy takes effect only after a delay
		if err = prepared(t, c, j); err == nil {
			break
		}
		time.Sleep(200 * time.Millisecond)
	}
	if err != nil {
		t.Fatalf("the API server rejected a Pod: %v", err)
	}
	podsIn(t, c.namespace, 3)
}

// The API server's message determines the advice. A task that a rescale removes
// is stopped, not failed.
func TestTasksThatTheEngineEndedShowTheReason(t *testing.T) {
	c := open(t, newNamespace(t), "vision")
	j := sampleJob("vision", "mnist")
	mustApply(t, c, planner.Options{Jobs: []*resolve.Job{j}})
	e := &engine.Engine{Client: server.Dynamic(), Namespace: c.namespace}
	if err := e.Prepare(t.Context(), j.Framework); err != nil {
		t.Fatal(err)
	}
	enforce(t, c.declared.Namespace, "restricted")
	pods := server.Dynamic().Resource(schema.GroupVersionResource{Version: "v1", Resource: "pods"}).Namespace(c.namespace)
	copied := podsIn(t, c.namespace, 3)[0].DeepCopy()
	copied.SetName("refused")
	copied.SetResourceVersion("")
	_, refusal := pods.Create(t.Context(), copied, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	if !apierrors.IsForbidden(refusal) {
		t.Fatalf("the API server accepted the Pod: %v", refusal)
	}
	err := e.Complete(t.Context(), j.Framework, func(role string, index int32) *framework.CompletionStatus {
		switch {
		case role == "worker" && index == 0:
			return framework.FromCode(framework.CodePodCreationUnknown, refusal.Error())
		case role == "worker":
			return framework.FromCode(framework.CodeDeleteTaskRequested, "User has requested to delete the Task by Framework ScaleDown")
		}
		return framework.FromCode(framework.CodeAttemptCompletion, framework.AttemptCompletionDiagnostics)
	})
	if err != nil {
		t.Fatal(err)
	}
	st, err := c.Status(t.Context(), j.Framework)
	if err != nil {
		t.Fatal(err)
	}
	for _, role := range st.TaskRoles {
		for _, task := range role.Tasks {
			a := task.Latest()
			switch {
			case role.Name != "worker":
			case task.Index == 0 && view.ExitAdvice(a.Exit) != `set pod_security = "restricted" in the cluster block and apply again`:
				t.Errorf("the rejected task has the advice %q", view.ExitAdvice(a.Exit))
			case task.Index == 1 && (a.State != string(planner.StateStopped) || a.Exit.Reason != "removed by rescale"):
				t.Errorf("the removed task is %s: %s", a.State, a.Exit.Reason)
			}
		}
	}
}

// prepared starts another attempt.
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
