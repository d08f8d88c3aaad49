// SPDX-License-Identifier: MPL-2.0

package local

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// mutations contains functions that damage a file.
var mutations = map[string]func(name string) error{
	"empty":       func(name string) error { return os.WriteFile(name, nil, 0o644) },
	"cut":         func(name string) error { return os.Truncate(name, 20) },
	"other bytes": func(name string) error { return os.WriteFile(name, []byte("\x00\xff{"), 0o644) },
	"other JSON":  func(name string) error { return os.WriteFile(name, []byte(`["x"]`), 0o644) },
	"a directory": func(name string) error {
		if err := os.Remove(name); err != nil {
			return err
		}
		return os.Mkdir(name, 0o755)
	},
	"gone":      os.Remove,
	"no fields": func(name string) error { return os.WriteFile(name, []byte("{}"), 0o644) },
	"null":      func(name string) error { return os.WriteFile(name, []byte("null"), 0o644) },
	"deep JSON": func(name string) error { return os.WriteFile(name, bytes.Repeat([]byte("["), 1<<20), 0o644) },
}

// stateFiles returns the names of the stored files, relative to .openpai.
func stateFiles(t *testing.T) []string {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", "state.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, f := range archive.Files {
		all = append(all, strings.TrimPrefix(f.Name, ".openpai/"))
	}
	return all
}

// storedFrameworks lists the Frameworks in the stored state.
var storedFrameworks = []string{"0562168560c09669f47d247211559d64", storedRunning, "384c9691a31840c77798297d71b79ff0"}

// An unreadable file affects only one job. Commands can still list the other jobs
// and show their status and logs. They also list the damaged job, unless all its
// files are missing.
func TestOneBadFileIsOneBadJob(t *testing.T) {
	t.Parallel()
	for _, file := range stateFiles(t) {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			for name, mutate := range mutations {
				checkMutation(t, file, name, mutate)
			}
		})
	}
}

func checkMutation(t *testing.T, file, name string, mutate func(string) error) {
	t.Helper()
	w := damagedWorld(t, file, mutate)
	snapshot, err := w.Read(w.ctx, "before", nil)
	if err != nil || len(snapshot.Jobs) != 3 {
		t.Errorf("%s: read %+v, error %v", name, snapshot, err)
		return
	}
	for _, framework := range storedFrameworks {
		if strings.Contains(file, framework) {
			w.checkDamaged(file, name, framework)
			continue
		}
		st, err := w.Status(w.ctx, framework)
		r := cluster.LogRequest{Framework: framework, Role: "worker", JobAttempt: -1, Attempt: -1, Stream: cluster.StreamAll}
		var out bytes.Buffer
		if logErr := w.Logs(w.ctx, r, &out); err != nil || logErr != nil || st.State == planner.StateUnreadable || out.Len() == 0 {
			t.Errorf("%s: another job %+v, log %q, errors %v, %v", name, st, out.String(), err, logErr)
		}
	}
}

func damagedWorld(t *testing.T, file string, mutate func(string) error) *world {
	t.Helper()
	c, err := Open(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{T: t, Cluster: c, ctx: t.Context()}
	w.unpackState()
	if err := mutate(w.layout.Join(file)); err != nil {
		t.Fatal(err)
	}
	return w
}

// checkDamaged checks the status of a job with a damaged file. The status must
// contain the file and the repair command.
func (w *world) checkDamaged(file, mutation, framework string) {
	w.Helper()
	st, err := w.Status(w.ctx, framework)
	if err != nil {
		w.Errorf("%s %s: status: %v", file, mutation, err)
		return
	}
	if st.State == planner.StateUnreadable && (!strings.Contains(st.StalledText().Phrase(phrase.Of), w.layout.Join(file)) || !strings.Contains(st.StalledText().Phrase(phrase.Of), "repair")) {
		w.Errorf("%s %s: %q", file, mutation, st.Stalled)
	}
}

func TestAnUnreadableJobIsEndedByWhatCanBeRead(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(w *world) error{
		"stop":   func(w *world) error { return w.Stop(w.ctx, storedRunning) },
		"delete": func(w *world) error { return w.Delete(w.ctx, storedRunning) },
		"repair": func(w *world) error { _, err := w.Repair(w.ctx, "before"); return err },
	} {
		for _, file := range []string{"frameworks/" + storedRunning + "/framework.json", "frameworks/" + storedRunning + "/status.json", "records/" + storedRunning + ".json"} {
			t.Run(name+" without "+filepath.Base(file), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				w.unpackState()
				dir := w.layout.TaskAttempt(storedRunning, 0, store.TaskKey{Role: "worker", Index: 0}, 0)
				w.runStoredTask(dir, filepath.Join(w.dir, "never"))
				if err := os.WriteFile(w.layout.Join(file), []byte("{"), 0o644); err != nil {
					t.Fatal(err)
				}
				before := w.remaining(dir)
				if err := end(w); err != nil {
					t.Fatal(err)
				}
				if before.process.Alive() {
					t.Error("the task still runs")
				}
				names, err := w.layout.Names()
				if gone := !slices.Contains(names, storedRunning); err != nil || gone != (name != "stop") || len(names) < 2 {
					t.Errorf("jobs %v, error %v", names, err)
				}
				if err := w.Delete(w.ctx, storedRunning); (err == nil) != (name == "stop") {
					t.Errorf("delete afterwards: %v", err)
				}
			})
		}
	}
}

// Stop and Delete end running tasks even if files required to start tasks are
// damaged.
func TestAJobThatCannotStartTasksIsEnded(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(w *world) error{
		"stop":   func(w *world) error { return w.Stop(w.ctx, storedRunning) },
		"delete": func(w *world) error { return w.Delete(w.ctx, storedRunning) },
	} {
		for _, file := range []string{"binding.json", "configmap-" + storedRunning + "-run.json"} {
			t.Run(name+" without "+file, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				w.unpackState()
				if err := os.WriteFile(w.layout.Join("frameworks", storedRunning, file), []byte("{"), 0o644); err != nil {
					t.Fatal(err)
				}
				dir := w.layout.TaskAttempt(storedRunning, 0, store.TaskKey{Role: "worker", Index: 0}, 0)
				w.runStoredTask(dir, filepath.Join(w.dir, "never"))
				before := w.remaining(dir)
				if err := end(w); err != nil {
					t.Fatal(err)
				}
				for deadline := time.Now().Add(patience); before.process.Alive(); time.Sleep(5 * time.Millisecond) {
					if time.Now().After(deadline) {
						t.Fatal("the task still runs")
					}
				}
			})
		}
	}
}

// remaining returns the running process of a task in the stored state.
func (w *world) remaining(dir store.TaskDir) *pod {
	p := &pod{dir: dir, uid: w.podUID(dir)}
	if err := store.ReadJSON(dir.Process(), &p.process); err != nil {
		w.Fatal(err)
	}
	if p.identify(); !p.verified {
		w.Fatalf("%+v is not the task", p.process)
	}
	return p
}

func TestADamagedKeyIsNotReplacedSilently(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if _, err := w.SecretKey(w.ctx, "team"); err != nil {
		t.Fatal(err)
	}
	keys, err := filepath.Glob(w.layout.Join("secrets", "keys", "*"))
	if err != nil || len(keys) != 1 {
		t.Fatalf("keys %v, error %v", keys, err)
	}
	if err := os.Truncate(keys[0], 7); err != nil {
		t.Fatal(err)
	}
	if _, err := w.SecretKey(w.ctx, "team"); err == nil || !strings.Contains(err.Error(), keys[0]) {
		t.Errorf("error %v", err)
	}
	if s, err := w.Read(w.ctx, "team", nil); err != nil || s.SecretKey != nil {
		t.Errorf("read %+v, error %v", s, err)
	}
	if repaired, err := w.Repair(w.ctx, "team"); err != nil || len(repaired) != 1 {
		t.Errorf("repaired %+v, error %v", repaired, err)
	}
	if key, err := w.SecretKey(w.ctx, "team"); err != nil || len(key) != store.KeySize {
		t.Errorf("key %x, error %v", key, err)
	}
}
