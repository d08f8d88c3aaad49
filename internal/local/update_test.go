// SPDX-License-Identifier: MPL-2.0

package local

import (
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
)

func TestTaskCountsChangeInPlace(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	role := newRole("worker", "echo up; sleep 300")
	role.Instances = 2
	job := newJob("elastic", role)
	job.GangAllocation = false
	w.apply(job)
	w.awaitOutput(job, "worker", 1, "up")
	before := w.processes(job.Framework)
	resize := func(n int) {
		t.Helper()
		resized := *role
		resized.Instances = n
		changed := *job
		changed.TaskRoles = nil
		changed.TaskRoles = append(changed.TaskRoles, &resized)
		if err := w.Update(w.ctx, cluster.Submission{Job: &changed, Manifest: rendered(&changed), Hash: "other"}); err != nil {
			t.Fatal(err)
		}
		w.await(job, "resized", func(st *cluster.Status) bool {
			if len(st.TaskRoles[0].Tasks) != n {
				return false
			}
			for _, task := range st.TaskRoles[0].Tasks {
				if task.State != string(planner.StateRunning) {
					return false
				}
			}
			return true
		})
	}
	resize(4)
	resize(1)
	if after := w.processes(job.Framework); len(after) != 1 || after[0] != before[0] {
		t.Errorf("the first task changed from %v to %v", before[0], after)
	}
	resize(2)
	snapshot, err := w.Read(w.ctx, "team", nil)
	if err != nil || snapshot.Jobs[0].Hash != "other" || snapshot.Jobs[0].RunningTasks != 2 {
		t.Errorf("read %+v, error %v", snapshot.Jobs[0], err)
	}
}
