// SPDX-License-Identifier: MPL-2.0

//go:build acc

package kubernetes

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func TestTwoWorkspacesMayShareANamespace(t *testing.T) {
	namespace := newNamespace(t)
	one, two := open(t, namespace, "one"), open(t, namespace, "two")
	a, b := sampleJob("one", "mnist"), sampleJob("two", "mnist")
	mustApply(t, one, planner.Options{Jobs: []*resolve.Job{a}})
	mustApply(t, two, planner.Options{Jobs: []*resolve.Job{b}})
	mustBeEmpty(t, one, a)
	mustBeEmpty(t, two, b)
	mustApply(t, one, planner.Options{Jobs: []*resolve.Job{a}, Destroy: true})
	mustBeEmpty(t, two, b)
	mustApply(t, two, planner.Options{Jobs: []*resolve.Job{b}, Destroy: true})
	mustBeGone(t, namespace)
}

func TestForeignJobsChangeOnlyAfterTheyAreAdopted(t *testing.T) {
	restServer := map[string]any{
		"labels":      map[string]any{"userName": "alice", "virtualCluster": "default"},
		"annotations": map[string]any{"logPathInfix": "x"},
	}
	tests := map[string]struct {
		make func(t *testing.T, c *Cluster, j *resolve.Job)
		want string
	}{
		"another workspace": {func(t *testing.T, c *Cluster, j *resolve.Job) {
			theirs := *j
			theirs.Workspace = "theirs"
			mustApply(t, open(t, c.declared.Namespace, "theirs"), planner.Options{Jobs: []*resolve.Job{&theirs}})
		}, `the workspace "theirs"`},
		"the rest-server": {func(t *testing.T, c *Cluster, j *resolve.Job) {
			meta := map[string]any{"name": j.Framework, "labels": restServer["labels"], "annotations": restServer["annotations"]}
			createFramework(t, c, meta)
		}, "the OpenPAI rest-server"},
		"another program": {func(t *testing.T, c *Cluster, j *resolve.Job) {
			createFramework(t, c, map[string]any{"name": j.Framework})
		}, "another program"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c := open(t, newNamespace(t), "vision")
			j := plainJob("vision", "mnist")
			tt.make(t, c, j)
			o := planner.Options{Jobs: []*resolve.Job{j}}
			_, err := tryPlan(t.Context(), c, o)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("plan: %v, want an error with %s", err, tt.want)
			}
			// An apply that was planned before the object existed does not change the
			// object.
			if err := c.Create(t.Context(), submission(c, j)); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("create: %v", err)
			}
			if err := c.Delete(t.Context(), j.Framework); err == nil {
				t.Error("a job of another owner was deleted")
			}
			if err := c.Adopt(t.Context(), j, planner.DeclaredByCommandLine, 0); err != nil {
				t.Fatal(err)
			}
			change := planOf(t, c, o).Changes[0]
			if change.Action != planner.NoOp {
				t.Errorf("after adopt: %s %s", change.Action, change.Reason)
			}
			mustApply(t, c, planner.Options{Jobs: o.Jobs, Rerun: []hclspec.Address{j.Address}})
			mustBeEmpty(t, c, j)
		})
	}
}

func createFramework(t *testing.T, c *Cluster, meta map[string]any) {
	t.Helper()
	_, err := server.Dynamic().Resource(apitest.Frameworks).Namespace(c.declared.Namespace).Create(t.Context(), &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": api.Frameworks.APIVersion, "kind": api.Frameworks.Kind, "metadata": meta,
		"spec": map[string]any{"executionType": "Start", "taskRoles": []any{}},
	}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
}

func TestGuardRefusesOpenPAIWithoutRetainMode(t *testing.T) {
	for name, tt := range map[string]struct {
		retain  string
		refused bool
	}{"retain mode off": {"false", true}, "retain mode on": {"true", false}} {
		t.Run(name, func(t *testing.T) {
			c := open(t, newNamespace(t), "vision")
			sets := server.Dynamic().Resource(schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "statefulsets"})
			labels := map[string]any{"app": "database-controller"}
			_, err := sets.Namespace(c.declared.Namespace).Create(t.Context(), &unstructured.Unstructured{Object: map[string]any{
				"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": map[string]any{"name": "database-controller-sts"},
				"spec": map[string]any{"serviceName": "x", "selector": map[string]any{"matchLabels": labels}, "template": map[string]any{
					"metadata": map[string]any{"labels": labels},
					"spec":     map[string]any{"containers": []any{map[string]any{"name": "watcher", "image": "x", "env": []any{map[string]any{"name": "RETAIN_MODE_ENABLED", "value": tt.retain}}}}},
				}},
			}}, metav1.CreateOptions{})
			if err != nil {
				t.Fatal(err)
			}
			diags, err := c.Guard(t.Context(), nil)
			if err != nil || diags.HasErrors() != tt.refused {
				t.Errorf("diagnostics %v, error %v, want rejected %t", diags, err, tt.refused)
			}
		})
	}
}
