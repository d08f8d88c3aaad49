// SPDX-License-Identifier: MPL-2.0

package local

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/local/process"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/internal/local/task"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// uid matches the end of a UID.
var uid = regexp.MustCompile(`(-[0-9a-f]{4}-)[0-9a-f]{12}\b`)

// unpackState writes testdata/state.txtar into the workspace, with unique UIDs:
// the supervisor finds processes by UID.
func (w *world) unpackState() {
	w.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", "state.txtar"))
	if err != nil {
		w.Fatal(err)
	}
	own := fmt.Sprintf("%012x", sha256.Sum256([]byte(w.dir)))[:12]
	for _, f := range archive.Files {
		name := filepath.Join(w.dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			w.Fatal(err)
		}
		text := strings.ReplaceAll(string(f.Data), "WORKSPACE", w.dir)
		text = uid.ReplaceAllString(text, "${1}"+own)
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			w.Fatal(err)
		}
	}
}

// storedJob submits a job of the stored state again, with the recorded
// content. A test can then continue the job.
func (w *world) storedJob(name string) *resolve.Job {
	w.Helper()
	names, err := w.layout.Names()
	if err != nil {
		w.Fatal(err)
	}
	for _, framework := range names {
		r, err := w.layout.LoadRecord(framework)
		if err != nil {
			w.Fatal(err)
		}
		if r.Name == name {
			if err := w.Create(w.ctx, cluster.Submission{Job: r.Applied, Manifest: rendered(r.Applied), Hash: r.Hash, Fields: r.Fields}); err != nil {
				w.Fatal(err)
			}
			return r.Applied
		}
	}
	w.Fatalf("no job %s in %v", name, names)
	return nil
}

// runStoredTask starts a process that acts as a running task. When the gate
// file appears, the process writes a successful exit record and ends.
func (w *world) runStoredTask(dir store.TaskDir, gate string) {
	w.Helper()
	const record = `{"code":0,"user_code":0,"phrase":"Succeeded","reason":"the task succeeded","stage":"commands"}`
	cmd := exec.Command("sh", "-c", `while [ ! -e "$1" ]; do sleep 0.02; done; echo "$2" > "$3"`, "sh", gate, record, dir.Exit(), string(dir))
	cmd.Env = append(os.Environ(), process.Mark(w.podUID(dir)))
	cmd.SysProcAttr = process.NewSession()
	if err := cmd.Start(); err != nil {
		w.Fatal(err)
	}
	go func() { _ = cmd.Wait() }()
	for !process.HasArgument(cmd.Process.Pid, string(dir)) { // Start may return before the kernel sets the arguments
		if err := w.ctx.Err(); err != nil {
			w.Fatal(err)
		}
		time.Sleep(time.Millisecond)
	}
	id, err := process.Identify(cmd.Process.Pid)
	if err != nil {
		w.Fatal(err)
	}
	if err := store.WriteJSON(dir.Process(), id); err != nil {
		w.Fatal(err)
	}
}

// podUID returns the Pod UID that was recorded for a task.
func (w *world) podUID(dir store.TaskDir) string {
	w.Helper()
	var l task.Launch
	if err := store.ReadJSON(dir.Launch(), &l); err != nil {
		w.Fatal(err)
	}
	return l.PodUID
}

func TestTheStateOfTheVersionBeforeIsTakenOver(t *testing.T) {
	t.Parallel()
	t.Run("the status of an ended job shows how it ended", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.unpackState()
		job := w.storedJob("done")
		st := w.finished(job)
		if st.State != planner.StateSucceeded || st.UserCode == nil || *st.UserCode != 0 || w.output(job, "worker", 0) != "all done\n" {
			t.Errorf("status %+v, output %q", st, w.output(job, "worker", 0))
		}
	})
	t.Run("the end of a task without a supervisor counts", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.unpackState()
		job := w.storedJob("ended")
		st := w.finished(job)
		if st.State != planner.StateFailed || st.UserCode == nil || *st.UserCode != 5 || len(st.TaskRoles[0].Tasks[0].Attempts) != 1 {
			t.Errorf("status %+v", st)
		}
	})
	t.Run("tasks that run continue", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.unpackState()
		gate := filepath.Join(w.dir, "gate")
		for index := range int32(2) {
			w.runStoredTask(w.layout.TaskAttempt(storedRunning, 0, store.TaskKey{Role: "worker", Index: index}, 0), gate)
		}
		job := w.storedJob("running")
		st := w.running(job)
		if len(st.Notes) != 1 || !strings.HasSuffix(st.Notes[0], "was killed; a new supervisor took over its tasks") {
			t.Errorf("notes %q", st.Notes)
		}
		open(t, gate)
		if st := w.finished(job); st.State != planner.StateSucceeded || st.Retries != 0 {
			t.Errorf("status %+v", st)
		}
	})
	t.Run("tasks that disappeared are started again", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.unpackState()
		job := w.storedJob("running")
		st := w.finished(job)
		if attempts := st.TaskRoles[0].Tasks[0].Attempts; st.State != planner.StateSucceeded || len(attempts) != 2 {
			t.Errorf("status %+v", st)
		}
	})
}
