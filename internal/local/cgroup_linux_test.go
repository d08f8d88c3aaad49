// SPDX-License-Identifier: MPL-2.0

package local

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/local/process"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/internal/local/task"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// skipWithoutCgroup skips the test on machines where tasks do not run in a
// cgroup.
func skipWithoutCgroup(t *testing.T) {
	t.Helper()
	if process.DelegatedCgroup() == "" {
		t.Skip("this process is not in a delegated cgroup v2")
	}
}

// escapingJob returns a job whose first attempt starts a process and writes the
// process ID to pidFile. The process inherits only PATH and leaves the session
// of the task. Later attempts succeed.
func escapingJob(pidFile string) *resolve.Job {
	return newJob("escaping", newRole("worker", fmt.Sprintf(`[ $FC_FRAMEWORK_ATTEMPT_ID = 0 ] || exit 0
setsid env -i PATH="$PATH" sh -c 'echo $$ > %s; exec sleep 300' &
while [ ! -s %s ]; do sleep 0.02; done; echo up; sleep 300`, pidFile, pidFile)))
}

func readPID(t *testing.T, name string) int {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

func awaitGone(t *testing.T, pid int) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		if _, err := process.Identify(pid); err != nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("process %d survived its task", pid)
		}
	}
}

// cgroupOf returns the recorded cgroup of the only task.
func (w *world) cgroupOf(job *resolve.Job) string {
	w.Helper()
	var l task.Launch
	dir := w.layout.TaskAttempt(job.Framework, 0, store.TaskKey{Role: "worker"}, 0)
	if err := store.ReadJSON(dir.Launch(), &l); err != nil {
		w.Fatal(err)
	}
	return l.Cgroup
}

func TestNothingSurvivesSupervisorAndTaskKilledTogether(t *testing.T) {
	t.Parallel()
	skipWithoutCgroup(t)
	for name, next := range map[string]func(w *world, job *resolve.Job){
		"apply continues the job": func(w *world, job *resolve.Job) {
			w.apply(job)
			if st := w.finished(job); st.State != planner.StateSucceeded {
				t.Errorf("status %+v", st)
			}
		},
		"destroy ends it": func(w *world, job *resolve.Job) {
			if err := w.Delete(w.ctx, job.Framework); err != nil {
				t.Error(err)
			}
		},
		"the state of the process cannot be read": func(w *world, job *resolve.Job) {
			w.spoilStatus(job)
			if err := w.Stop(w.ctx, job.Framework); err != nil {
				t.Error(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			pidFile := filepath.Join(w.dir, "pid")
			job := escapingJob(pidFile)
			w.apply(job)
			w.awaitOutput(job, "worker", 0, "up")
			cgroup := w.cgroupOf(job)
			tasks := w.processes(job.Framework)
			w.killSupervisor(job)
			for _, p := range tasks {
				_ = process.Kill(p.PID)
			}
			next(w, job)
			awaitGone(t, readPID(t, pidFile))
			if cgroup == "" || store.Exists(cgroup) {
				t.Errorf("the cgroup %q still exists", cgroup)
			}
		})
	}
}

func TestTheCgroupOfATaskEndsWithIt(t *testing.T) {
	t.Parallel()
	skipWithoutCgroup(t)
	w := newWorld(t)
	// A task can create subgroups in its cgroup.
	job := newJob("divided", newRole("worker", `group=$(sed -n 's/.*"cgroup": "\(.*\)".*/\1/p' ../task.json)
mkdir $group/inner; grep -q openpai- /proc/self/cgroup`))
	w.apply(job)
	if st := w.finished(job); st.State != planner.StateSucceeded {
		t.Fatalf("status %+v\n%s", st, w.output(job, "worker", 0))
	}
	if cgroup := w.cgroupOf(job); cgroup == "" || store.Exists(cgroup) {
		t.Errorf("the cgroup %q still exists", cgroup)
	}
}

func TestATaskWithoutAReadableProcessIsEndedByItsCgroup(t *testing.T) {
	t.Parallel()
	skipWithoutCgroup(t)
	w := newWorld(t)
	job := newJob("nameless", newRole("worker", "echo up; sleep 300"))
	w.apply(job)
	w.awaitOutput(job, "worker", 0, "up")
	tasks := w.processes(job.Framework)
	w.killSupervisor(job)
	w.spoilStatus(job)
	if err := os.Remove(w.layout.TaskAttempt(job.Framework, 0, store.TaskKey{Role: "worker"}, 0).Process()); err != nil {
		t.Fatal(err)
	}
	if err := w.Stop(w.ctx, job.Framework); err != nil {
		t.Fatal(err)
	}
	for _, p := range tasks {
		if p.Alive() {
			t.Errorf("the task process %d still runs", p.PID)
			_ = process.Kill(p.PID)
		}
	}
}
