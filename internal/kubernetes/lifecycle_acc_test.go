//go:build acc

package kubernetes

import (
	"testing"

	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func TestLifecycleOfAJob(t *testing.T) {
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
