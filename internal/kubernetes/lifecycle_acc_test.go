// SPDX-License-Identifier: MPL-2.0

//go:build acc

package kubernetes

import (
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest/fault"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func TestAJobIsCreatedReplacedAndDestroyed(t *testing.T) {
	tests := map[string]func(workspace, name string) *resolve.Job{
		"a gang with secrets": sampleJob,
		"a single task":       plainJob,
	}
	for name, job := range tests {
		t.Run(name, func(t *testing.T) {
			c := open(t, newNamespace(t), "vision")
			j := job("vision", "mnist")
			mustApply(t, c, planner.Options{Jobs: []*resolve.Job{j}})
			mustBeEmpty(t, c, j)
			fw, err := c.framework(t.Context(), j.Framework)
			if err != nil || fw.Spec.ExecutionType != "Start" {
				t.Fatalf("the job was not started: %+v %v", fw, err)
			}
			changed := job("vision", "mnist")
			changed.TaskRoles[0].Commands = []string{"echo other"}
			if got := planOf(t, c, planner.Options{Jobs: []*resolve.Job{changed}}).Changes[0].Action; got != planner.Replace {
				t.Fatalf("action %s, want replace", got)
			}
			mustApply(t, c, planner.Options{Jobs: []*resolve.Job{changed}})
			mustBeEmpty(t, c, changed)
			mustApply(t, c, planner.Options{Jobs: []*resolve.Job{changed}, Destroy: true})
			mustBeGone(t, c.namespace)
		})
	}
}

// TestAJobIsCreatedAgainAfterAnInterruptedDeletion checks that apply submits a job
// again after its deletion was interrupted. The deletion must therefore remove the
// outcome from the record first.
func TestAJobIsCreatedAgainAfterAnInterruptedDeletion(t *testing.T) {
	namespace := newNamespace(t)
	j := faultJobs(0).Jobs[0]
	before := open(t, namespace, "vision")
	mustApply(t, before, faultJobs(0))
	r, err := before.loadRecord(t.Context(), j.Framework)
	if err != nil {
		t.Fatal(err)
	}
	r.State = planner.StateSucceeded
	if err := before.saveRecord(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	c, _ := behind(t, namespace, func(r fault.Request) (fault.Kind, bool) {
		return fault.Forbidden, requestName(r, namespace) == "DELETE configmaps/JOB-record"
	})
	c.options.RequestTimeout = time.Minute
	if err := c.Delete(t.Context(), j.Framework); err == nil {
		t.Fatal("the deletion was not interrupted")
	}
	if change := planOf(t, before, faultJobs(0)).Changes[0]; change.Action != planner.Create {
		t.Errorf("the next plan has the action %s (%s), want create", change.Action, change.Reason)
	}
}
