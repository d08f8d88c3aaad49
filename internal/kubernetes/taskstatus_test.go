// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// gang returns a Framework with 8 tasks whose Pods are preparing. The last Pod
// does not have an address yet.
func gang() (*framework.Framework, map[string]*pod) {
	fw := &framework.Framework{
		Metadata: framework.ObjectMeta{Name: "f"},
		Spec:     framework.Spec{TaskRoles: []framework.TaskRole{{Name: "worker", TaskNumber: 8}}},
		Status:   &framework.Status{State: framework.StateAttemptPreparing},
	}
	role, pods := framework.TaskRoleStatus{Name: "worker"}, map[string]*pod{}
	for i := range int32(8) {
		t := framework.TaskStatus{Index: i, State: framework.StateAttemptPreparing}
		t.AttemptStatus.PodName = framework.PodName("f", "worker", int(i))
		if ip := "10.0.0.1"; i < 7 {
			t.AttemptStatus.PodIP = &ip
		}
		role.TaskStatuses = append(role.TaskStatuses, t)
		p := &pod{}
		p.Status.InitContainers = make([]containerStatus, 1)
		p.Status.InitContainers[0].State.Running = new(struct {
			StartedAt time.Time `json:"startedAt"`
		})
		pods[t.AttemptStatus.PodName] = p
	}
	fw.Status.AttemptStatus.TaskRoleStatuses = []framework.TaskRoleStatus{role}
	return fw, pods
}

func TestTasksAtTheBarrierKnowHowManyAreReady(t *testing.T) {
	t.Parallel()
	fw, pods := gang()
	st, err := describe(fw, nil, pods, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	got := view.StageReason(st.TaskRoles[0].Tasks[0].Latest().Stage, time.Time{})
	if want := "preparing, 7 of 8 tasks ready"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestARetryThatIsDelayedIsTheStage(t *testing.T) {
	t.Parallel()
	fw, _ := gang()
	delay := int64(30)
	fw.Status.State, fw.Status.RetryPolicyStatus.RetryDelaySec = framework.StateAttemptCompleted, &delay
	task := &fw.Status.AttemptStatus.TaskRoleStatuses[0].TaskStatuses[2]
	task.State, task.RetryPolicyStatus.RetryDelaySec = framework.StateAttemptCompleted, &delay
	task.AttemptStatus.CompletionStatus = framework.FromCode(framework.CodePodDeleted, "deleted")
	st, err := describe(fw, nil, nil, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	want := &stage.Record{Version: stage.Version, Stage: stage.Scheduling, Reason: "waits 30s before attempt 2", Until: time.Time{}.Add(30 * time.Second)}
	if diff := cmp.Diff(want, st.Stage); diff != "" {
		t.Errorf("the job (-want +got)\n%s", diff)
	}
	want.Reason = "waits 30s before attempt 2 after PodExternalDeleted"
	if diff := cmp.Diff(want, st.TaskRoles[0].Tasks[2].Latest().Stage); diff != "" {
		t.Errorf("the task (-want +got)\n%s", diff)
	}
}
