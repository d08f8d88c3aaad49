// SPDX-License-Identifier: MPL-2.0

package local

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/local/process"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// gated returns a script that ends when a file appears.
func gated(t *testing.T) (script, gate string) {
	gate = filepath.Join(t.TempDir(), "gate")
	return "echo up; while [ ! -e " + gate + " ]; do sleep 0.02; done; echo down", gate
}

func open(t *testing.T, gate string) {
	t.Helper()
	if err := os.WriteFile(gate, nil, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestTasksOfAKilledSupervisorAreAdopted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	script, gate := gated(t)
	role := newRole("worker", script)
	role.Instances = 2
	job := newJob("orphan", role)
	w.apply(job)
	w.awaitOutput(job, "worker", 0, "up")
	w.awaitOutput(job, "worker", 1, "up")
	before := w.processes(job.Framework)
	w.killSupervisor(job)

	snapshot, err := w.Read(w.ctx, "team", nil)
	if err != nil || len(snapshot.Jobs) != 1 || snapshot.Jobs[0].RunningTasks != 2 {
		t.Fatalf("read %+v, error %v", snapshot, err)
	}
	if alive, _ := store.IsLocked(w.layout.Object(job.Framework).SupervisorLock()); alive {
		t.Fatal("reading started a supervisor")
	}
	w.apply(job)
	st, err := w.Status(w.ctx, job.Framework)
	if err != nil {
		t.Fatal(err)
	}
	if len(st.Notes) != 1 || !strings.Contains(st.Notes[0], "was killed; a new supervisor took over its tasks") {
		t.Errorf("notes %q", st.Notes)
	}
	if after := w.processes(job.Framework); len(after) != 2 || after[0] != before[0] || after[1] != before[1] {
		t.Errorf("tasks %v became %v", before, after)
	}
	open(t, gate)
	if st := w.finished(job); st.State != planner.StateSucceeded || st.Retries != 0 {
		t.Errorf("status %+v", st)
	}
	if got := w.output(job, "worker", 1); got != "up\ndown\n" {
		t.Errorf("output %q", got)
	}
}

func TestTasksThatVanishedWithTheSupervisorAreLost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	// The test kills the first attempt and its supervisor. The second attempt ends
	// normally.
	job := newJob("lost", newRole("worker", "echo up; [ $FC_FRAMEWORK_ATTEMPT_ID = 1 ] || sleep 300"))
	w.apply(job)
	w.awaitOutput(job, "worker", 0, "up")
	w.killSupervisor(job)
	w.killTasks(job.Framework)
	w.apply(job)
	st := w.finished(job)
	attempts := st.TaskRoles[0].Tasks[0].Attempts
	if st.State != planner.StateSucceeded || len(attempts) != 2 {
		t.Fatalf("status %+v", st)
	}
	if exit := attempts[0].Exit; exit == nil || exit.Code != framework.CodePodDeleted {
		t.Errorf("first attempt %+v", attempts[0])
	}
	if len(st.Notes) != 1 || !strings.Contains(st.Notes[0], "without an exit record") {
		t.Errorf("notes %q", st.Notes)
	}
}

func TestATaskThatEndedWhileNobodyWatchedCounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	script, gate := gated(t)
	job := newJob("unwatched", newRole("worker", script+"; exit 5"))
	w.apply(job)
	w.awaitOutput(job, "worker", 0, "up")
	tasks := w.processes(job.Framework)
	w.killSupervisor(job)
	open(t, gate)
	for _, p := range tasks {
		for p.Alive() {
			time.Sleep(time.Millisecond)
		}
	}
	w.apply(job)
	if st := w.finished(job); st.State != planner.StateFailed || st.UserCode == nil || *st.UserCode != 5 {
		t.Errorf("status %+v", st)
	}
}

func TestStopReachesAdoptedTasks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	job := newJob("adopted", newRole("worker", "trap 'echo ending' EXIT; echo up; sleep 300"))
	w.apply(job)
	w.awaitOutput(job, "worker", 0, "up")
	w.killSupervisor(job)
	if err := w.Stop(w.ctx, job.Framework); err != nil {
		t.Fatal(err)
	}
	if st := w.finished(job); st.State != planner.StateStopped {
		t.Errorf("state %s", st.State)
	}
}

func TestAKilledTaskProcessLeavesNothingRunning(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	job := newJob("leftovers", newRole("worker", "setsid sleep 300 & echo up; sleep 301"))
	job.JobRetryCount = 0
	w.apply(job)
	st := w.await(job, "up", func(st *cluster.Status) bool {
		return st.State == "RUNNING" && strings.Contains(w.output(job, "worker", 0), "up")
	})
	pid := st.TaskRoles[0].Tasks[0].Attempts[0].PID
	fw, _, err := w.layout.Object(job.Framework).Load()
	if err != nil {
		t.Fatal(err)
	}
	uid := *fw.Status.AttemptStatus.TaskRoleStatuses[0].TaskStatuses[0].AttemptStatus.PodUID
	if err := w.Stop(w.ctx, job.Framework); err != nil {
		t.Fatal(err)
	}
	if err := process.Kill(pid); err != nil {
		t.Fatal(err)
	}
	w.finished(job)
	if remaining, err := process.Members(pid, uid); err != nil || len(remaining) > 0 {
		t.Errorf("processes %v still run, error %v", remaining, err)
	}
}

func TestASupervisorKilledAtAnyMomentLosesAndRepeatsNothing(t *testing.T) {
	t.Parallel()
	for _, after := range moments() {
		w := newWorld(t)
		count := filepath.Join(w.dir, "count")
		role := newRole("worker", "echo ran >> "+count+"; sleep 0.03")
		role.Instances, role.MinSucceeded = 2, 2
		job := newJob("shaken", role)
		w.apply(job)
		time.Sleep(after)
		w.killSupervisor(job)
		w.apply(job)
		if st := w.finished(job); st.State != planner.StateSucceeded {
			t.Errorf("killed after %s: %+v", after, st)
		}
		if text, err := os.ReadFile(count); err != nil || string(text) != "ran\nran\n" {
			t.Errorf("killed after %s: ran %q, error %v", after, text, err)
		}
	}
}

func TestTasksEndWithTheirStore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	job := newJob("removed", newRole("worker", "echo up; sleep 300"))
	w.apply(job)
	w.awaitOutput(job, "worker", 0, "up")
	tasks := w.processes(job.Framework)
	if err := os.RemoveAll(w.layout.Frameworks()); err != nil {
		t.Fatal(err)
	}
	for _, p := range tasks {
		for deadline := time.Now().Add(patience); p.Alive(); time.Sleep(5 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("a task is still running without its store")
			}
		}
	}
}
