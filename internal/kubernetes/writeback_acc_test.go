// SPDX-License-Identifier: MPL-2.0

//go:build acc

package kubernetes

import (
	"encoding/json"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest/engine"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func TestWrittenBackByTheEngineIsNoChange(t *testing.T) {
	for name, compress := range map[string]bool{"plain status": false, "compressed status": true} {
		t.Run(name, func(t *testing.T) {
			c := open(t, newNamespace(t), "vision")
			j := sampleJob("vision", "mnist")
			mustApply(t, c, planner.Options{Jobs: []*resolve.Job{j}})
			e := &engine.Engine{Client: server.Dynamic(), Namespace: c.namespace, Compress: compress}
			for _, step := range []func() error{
				func() error { return e.Prepare(t.Context(), j.Framework) },
				func() error { return e.Run(t.Context(), j.Framework) },
			} {
				if err := step(); err != nil {
					t.Fatal(err)
				}
				mustBeEmpty(t, c, j)
			}
			live := planOf(t, c, planner.Options{Jobs: []*resolve.Job{j}}).Changes[0]
			if live.State != planner.StateRunning {
				t.Errorf("state %s, want running", live.State)
			}
			succeeded := func(string, int32) *framework.CompletionStatus {
				return framework.FromCode(framework.CodeSucceeded, "Pod succeeded")
			}
			if err := e.Complete(t.Context(), j.Framework, succeeded); err != nil {
				t.Fatal(err)
			}
			mustBeEmpty(t, c, j)
			st, err := c.Status(t.Context(), j.Framework)
			if err != nil || st.State != planner.StateSucceeded || *st.UserCode != 0 {
				t.Fatalf("status %+v %v", st, err)
			}
			// Even without the Framework, the status must contain the outcome
			// of the job.
			if err := server.Dynamic().Resource(apitest.Frameworks).Namespace(c.namespace).Delete(t.Context(), j.Framework, metav1.DeleteOptions{}); err != nil {
				t.Fatal(err)
			}
			mustBeEmpty(t, c, j)
			if st, err := c.Status(t.Context(), j.Framework); err != nil || st.State != planner.StateSucceeded || *st.UserCode != 0 {
				t.Errorf("status of the record %+v %v", st, err)
			}
			mustApply(t, c, planner.Options{Jobs: []*resolve.Job{j}, Destroy: true})
			mustBeGone(t, c.namespace)
		})
	}
}

func TestDriftIsShownAndPutBack(t *testing.T) {
	tests := map[string]struct {
		patch string
		path  string
		kind  planner.DriftKind
	}{
		"a number of tasks": {`[{"op":"replace","path":"/spec/taskRoles/0/taskNumber","value":7}]`, `spec.taskRoles["worker"].taskNumber`, planner.DriftChanged},
		"an image":          {`[{"op":"replace","path":"/spec/taskRoles/0/task/pod/spec/containers/0/image","value":"evil"}]`, `spec.taskRoles["worker"].task.pod.spec.containers["app"].image`, planner.DriftChanged},
		"a field of others": {`[{"op":"add","path":"/spec/taskRoles/1/task/pod/spec/dnsPolicy","value":"Default"}]`, `spec.taskRoles["ps1"].task.pod.spec.dnsPolicy`, planner.DriftForeign},
		"a field is gone":   {`[{"op":"remove","path":"/spec/taskRoles/0/task/pod/spec/restartPolicy"}]`, `spec.taskRoles["worker"].task.pod.spec.restartPolicy`, planner.DriftMissing},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c := open(t, newNamespace(t), "vision")
			j := sampleJob("vision", "mnist")
			mustApply(t, c, planner.Options{Jobs: []*resolve.Job{j}})
			e := &engine.Engine{Client: server.Dynamic(), Namespace: c.namespace}
			if err := e.Prepare(t.Context(), j.Framework); err != nil {
				t.Fatal(err)
			}
			_, err := server.Dynamic().Resource(apitest.Frameworks).Namespace(c.namespace).Patch(t.Context(), j.Framework, types.JSONPatchType, []byte(tt.patch), metav1.PatchOptions{FieldManager: "kubectl-edit"})
			if err != nil {
				t.Fatal(err)
			}
			change := planOf(t, c, planner.Options{Jobs: []*resolve.Job{j}}).Changes[0]
			if change.Action != planner.Update || len(change.Drift) != 1 {
				t.Fatalf("%s with drift %+v, want an update", change.Action, change.Drift)
			}
			if d := change.Drift[0]; d.Path != tt.path || d.Kind != tt.kind || d.Manager != "kubectl-edit" {
				text, _ := json.Marshal(d)
				t.Errorf("drift %s, want %s %s by kubectl-edit", text, tt.kind, tt.path)
			}
			mustApply(t, c, planner.Options{Jobs: []*resolve.Job{j}})
			mustBeEmpty(t, c, j)
		})
	}
}

func TestMissingObjectsArePutBack(t *testing.T) {
	c := open(t, newNamespace(t), "vision")
	j := sampleJob("vision", "mnist")
	mustApply(t, c, planner.Options{Jobs: []*resolve.Job{j}})
	r, err := c.loadRecord(t.Context(), j.Framework)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range r.Objects {
		k, _ := byKind(o.Kind)
		removeNamed(t, c, k, o.Name)
		change := planOf(t, c, planner.Options{Jobs: []*resolve.Job{j}}).Changes[0]
		if len(change.Drift) != 1 || change.Drift[0].Object != o.String() || change.Drift[0].Kind != planner.DriftMissing {
			t.Fatalf("%s was deleted; drift %+v", o, change.Drift)
		}
		mustApply(t, c, planner.Options{Jobs: []*resolve.Job{j}})
		mustBeEmpty(t, c, j)
	}
}
