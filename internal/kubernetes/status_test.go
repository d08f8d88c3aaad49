// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner"
)

func TestAnEngineThatDoesNotLookIsTrouble(t *testing.T) {
	t.Parallel()
	created := time.Unix(1000, 0)
	fw := &framework.Framework{Metadata: framework.ObjectMeta{Name: "f", CreationTimestamp: &created}, Spec: framework.Spec{ExecutionType: framework.ExecutionStart}}
	for age, want := range map[time.Duration]bool{9 * time.Second: false, 11 * time.Second: true} {
		st, err := describe(fw, nil, nil, created.Add(age))
		if err != nil || st.Problem.Empty() == want || len(st.Notes) == 0 != want {
			t.Errorf("after %s: trouble %q, notes %q, error %v", age, st.Problem, st.Notes, err)
		}
	}
}

func TestATaskThatARescaleRemovedDidNotFail(t *testing.T) {
	t.Parallel()
	done := framework.FromCode(framework.CodeDeleteTaskRequested, "the task was deleted")
	if got := cluster.JobState(framework.StateCompleted, done); got != planner.StateStopped {
		t.Errorf("state %s", got)
	}
	if r := exitRecord(done); r.Reason != "removed by rescale" || !r.Stopped {
		t.Errorf("record %+v", r)
	}
}

func TestAPodThatTheNamespaceRefusesHasAdvice(t *testing.T) {
	t.Parallel()
	done := framework.FromCode(framework.CodePodCreationUnknown, `pods "f-worker-0" is forbidden: violates PodSecurity "restricted:latest": runAsNonRoot != true`)
	if r := exitRecord(done); r.Hint != exitspec.HintRestrictPods {
		t.Errorf("hint %q", r.Hint)
	}
}

// A pending stop request means that FrameworkController is down, even if the job
// has run.
func TestAStopThatNobodyTakesUpIsTrouble(t *testing.T) {
	t.Parallel()
	now := time.Unix(0, 0)
	c, err := Open(&hclspec.Cluster{Name: "gpu"}, Options{Workspace: "vision", Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	fw := &framework.Framework{Metadata: framework.ObjectMeta{Name: "f"}, Status: &framework.Status{State: framework.StateAttemptRunning}}
	noted := false
	unseenAfter := func(after time.Duration) bool {
		now = now.Add(after)
		st := &cluster.Status{}
		c.addUnstopped(st, fw)
		noted = len(st.Notes) > 0
		return !st.Problem.Empty()
	}
	if unseenAfter(time.Hour) || noted {
		t.Error("a job without a stop request")
	}
	fw.Spec.ExecutionType = framework.ExecutionStop
	if unseenAfter(0) || !noted {
		t.Error("a new stop request has no note")
	}
	if unseenAfter(engineDelay-1) || !unseenAfter(1) || noted {
		t.Error("the time is measured from the first status after the stop")
	}
	fw.Status.AttemptStatus.CompletionStatus = framework.FromCode(framework.CodeStopRequested, "")
	if unseenAfter(0) || noted {
		t.Error("a stop that the engine processed")
	}
}
