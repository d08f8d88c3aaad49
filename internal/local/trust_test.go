// SPDX-License-Identifier: MPL-2.0

package local

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/local/process"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// storedRunning is the name of the running job's Framework in
// testdata/state.txtar.
const storedRunning = "374171e049f7509b2d2b1daf48db304d"

// plant changes the stored command of the job. The new command creates the
// file trace.
func (w *world) plant() (trace string) {
	w.Helper()
	w.unpackState()
	trace = filepath.Join(w.dir, "trace")
	files, err := filepath.Glob(filepath.Join(w.layout.Object(storedRunning).Dir, "*.json"))
	if err != nil {
		w.Fatal(err)
	}
	planted := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			w.Fatal(err)
		}
		changed := bytes.ReplaceAll(text, []byte("echo up; "), []byte("touch "+trace+"; "))
		if bytes.Equal(text, changed) {
			continue
		}
		planted++
		if err := os.WriteFile(name, changed, 0o644); err != nil {
			w.Fatal(err)
		}
	}
	if planted == 0 {
		w.Fatal("the stored state does not contain the command")
	}
	return trace
}

func (w *world) supervised(framework string) bool {
	w.Helper()
	held, err := store.IsLocked(w.layout.Object(framework).SupervisorLock())
	if err != nil {
		w.Fatal(err)
	}
	return held
}

func TestReadsStartNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	trace := w.plant()
	snapshot, err := w.Read(w.ctx, "before", nil)
	if err != nil || len(snapshot.Jobs) != 3 {
		t.Fatalf("read %+v, error %v", snapshot, err)
	}
	for _, job := range snapshot.Jobs {
		gone := slices.Contains(job.Drift, planner.SupervisorGone)
		if want := job.Address != "job.done"; gone != want {
			t.Errorf("%s: supervisor ended %v, want %v", job.Address, gone, want)
		}
	}
	st, err := w.Status(w.ctx, storedRunning)
	if err != nil || !strings.Contains(st.StalledText().Phrase(phrase.Of), "its supervisor is not running") {
		t.Errorf("status %+v, error %v", st, err)
	}
	for _, follow := range []bool{false, true} {
		r := cluster.LogRequest{Framework: storedRunning, Role: "worker", JobAttempt: -1, Attempt: -1, Stream: cluster.StreamAll, Follow: follow}
		var out bytes.Buffer
		err := w.Logs(w.ctx, r, &out)
		if follow && !strings.Contains(errorText(err), "its supervisor is not running") || !follow && err != nil || out.String() != "up\n" {
			t.Errorf("log with follow %v: %q, error %v", follow, out.String(), err)
		}
	}
	if w.supervised(storedRunning) || store.Exists(trace) || store.Exists(w.layout.Programs()) {
		t.Error("a read started something")
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestContinuingAJobWritesItsOwnRenderingFirst(t *testing.T) {
	t.Parallel()
	for name, resume := range map[string]func(w *world, s cluster.Submission) error{
		"create": func(w *world, s cluster.Submission) error { return w.Create(w.ctx, s) },
		"update": func(w *world, s cluster.Submission) error { return w.Update(w.ctx, s) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			trace := w.plant()
			r, err := w.layout.LoadRecord(storedRunning)
			if err != nil {
				t.Fatal(err)
			}
			if err := resume(w, cluster.Submission{Job: r.Applied, Manifest: rendered(r.Applied), Hash: r.Hash, Fields: r.Fields}); err != nil {
				t.Fatal(err)
			}
			st := w.finished(r.Applied)
			if st.State != planner.StateSucceeded || st.Retries != 1 || w.output(r.Applied, "worker", 0) != "up\n" {
				t.Errorf("status %+v, output %q", st, w.output(r.Applied, "worker", 0))
			}
			if store.Exists(trace) {
				t.Error("the planted command ran")
			}
		})
	}
}

func TestAPlantedJobIsOnlyEnded(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(w *world) error{
		"stop":   func(w *world) error { return w.Stop(w.ctx, storedRunning) },
		"delete": func(w *world) error { return w.Delete(w.ctx, storedRunning) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			trace := w.plant()
			if err := end(w); err != nil {
				t.Fatal(err)
			}
			for w.supervised(storedRunning) {
				if w.ctx.Err() != nil {
					t.Fatal(w.ctx.Err())
				}
			}
			if store.Exists(trace) {
				t.Error("the planted command ran")
			}
		})
	}
}

// A recorded process belongs to the task only if all its fields match. Another
// process may have the same PID. Records of a copied workspace refer to processes
// of the original workspace.
func TestAProcessThatIsNotOfTheTaskIsNotSignaled(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		mark bool
		dir  func(w *world, dir store.TaskDir) string
	}{
		"a process without the mark of the Pod": {false, func(_ *world, dir store.TaskDir) string { return string(dir) }},
		"the task of another workspace":         {true, func(*world, store.TaskDir) string { return "/home/ada/lab/.openpai" }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.unpackState()
			podUID := w.dir // no other test uses this UID
			dir := w.layout.TaskAttempt(storedRunning, 0, store.TaskKey{Role: "worker", Index: 0}, 0)
			cmd := exec.Command("sh", "-c", "sleep 300; true", "sh", test.dir(w, dir))
			cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
			if test.mark {
				cmd.Env = append(cmd.Env, process.Mark(podUID))
			}
			cmd.SysProcAttr = process.NewSession()
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer func() {
				remaining, _ := process.Members(cmd.Process.Pid, "none")
				for _, pid := range remaining {
					_ = process.Kill(pid)
				}
				_ = cmd.Wait()
			}()
			id, err := process.Identify(cmd.Process.Pid)
			if err != nil {
				t.Fatal(err)
			}
			if err := store.WriteJSON(dir.Process(), id); err != nil {
				t.Fatal(err)
			}
			w.setPodUID(storedRunning, podUID)
			if err := w.Delete(w.ctx, storedRunning); err != nil {
				t.Fatal(err)
			}
			if !id.Alive() {
				t.Error("it was killed")
			}
		})
	}
}

// setPodUID changes the stored Pod UID of the first task.
func (w *world) setPodUID(framework, uid string) {
	w.Helper()
	o := w.layout.Object(framework)
	var seen store.ObservedStatus
	if err := store.ReadJSON(o.StatusFile(), &seen); err != nil {
		w.Fatal(err)
	}
	seen.Status.AttemptStatus.TaskRoleStatuses[0].TaskStatuses[0].AttemptStatus.PodUID = &uid
	if err := store.WriteJSON(o.StatusFile(), seen); err != nil {
		w.Fatal(err)
	}
}
