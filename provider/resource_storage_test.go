// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"os"
	"strings"
	"testing"
)

// stored reads the state from a test file. The provider block configures the
// cluster of the storage.
func stored(t *testing.T, configuration tree) *instance {
	t.Helper()
	i := startWith(t, configuration).resource("openpai_storage")
	state, err := os.ReadFile(stateFile(i.name, 0))
	if err != nil {
		t.Fatal(err)
	}
	if text := i.upgrade(0, state); text != "" {
		t.Fatal(text)
	}
	return i
}

func TestAStorageIsPlannedWithoutItsCluster(t *testing.T) {
	t.Parallel()
	i := stored(t, onKubernetes(tree{"kubeconfig": unknown{}}))
	if text := i.refresh(); !strings.HasPrefix(text, "warning: States are not refreshed") || strings.Count(text, "\n") > 1 || i.state.IsNull() {
		t.Errorf("read before the cluster is known: %s", text)
	}
	if p := i.plan(i.written()); p.action(i.state) != "none" {
		t.Errorf("%s\n%s", p.action(i.state), p.diagnostics)
	}
}

func TestAStorageWhoseClusterDoesNotAnswerIsNotForgotten(t *testing.T) {
	t.Parallel()
	i := stored(t, onKubernetes(tree{"kubeconfig": t.TempDir() + "/none"}))
	if text := i.refresh(); !strings.Contains(text, "Cannot read the storage") || i.state.IsNull() {
		t.Errorf("%s", text)
	}
}

func TestADirectoryOfTheMachineIsKeptOrDeletedAsDeclared(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		declared tree
		before   bool // whether the directory already exists
		stays    bool
	}{
		"created, and kept by default":                             {tree{}, false, true},
		"created, and declared with on_destroy = delete":           {tree{"on_destroy": "delete"}, false, false},
		"existing, and declared with on_destroy = delete":          {tree{"on_destroy": "delete"}, true, true},
		"existing, and kept by default":                            {tree{}, true, true},
		"created, and kept explicitly":                             {tree{"on_destroy": "keep"}, false, true},
		"read-only, created and declared with on_destroy = delete": {tree{"on_destroy": "delete", "read_only": true}, false, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := t.TempDir() + "/data"
			if tt.before {
				if err := os.Mkdir(data, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			i := start(t, t.TempDir()).resource("openpai_storage")
			config := tree{"name": "data", "host_path": data}
			for key, value := range tt.declared {
				config[key] = value
			}
			i.mustApply(config, "create")
			if text := i.applyPlanned(i.planFrom(nil, i.state, i.private)); text != "" {
				t.Fatal(text)
			}
			if _, err := os.Stat(data); (err == nil) != tt.stays {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestWhatARunningJobMountsIsNotDeleted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	storage := start(t, dir).resource("openpai_storage")
	storage.mustApply(tree{"name": "data", "host_path": "store", "on_destroy": "delete"}, "create")
	use := []any{tree{"use": storage.text("definition"), "mount_path": dir + "/store"}}
	i := storage.tf.resource("openpai_job")
	i.mustApply(job([]string{"sleep 1000"}, tree{"storage": use, "wait_for": "running", "stop_grace": "1s"}), "create")

	text := storage.applyPlanned(storage.planFrom(nil, storage.state, storage.private))
	if !strings.Contains(text, "storage.data is mounted by job.mnist, which has not ended") || storage.state.IsNull() {
		t.Errorf("%s", text)
	}
	if !isDirectory(dir + "/store") {
		t.Fatal("the directory is gone")
	}
	if action, text := i.apply(nil); action != "destroy" || strings.Contains(text, "error: ") {
		t.Fatalf("%s\n%s", action, text)
	}
	if text := storage.applyPlanned(storage.planFrom(nil, storage.state, storage.private)); text != "" || isDirectory(dir+"/store") {
		t.Errorf("without the job: %s", text)
	}
}

func TestARestrictedStorageStopsOnlySubmissions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	storage := start(t, dir).resource("openpai_storage")
	use := func(user string) tree {
		def := storage.plan(tree{"name": "data", "host_path": dir + "/store", "users": []string{user}})
		return tree{"storage": []any{tree{"use": stringOr(attributesOf(def.state)["definition"], ""), "mount_path": dir + "/store"}}, "wait_for": "completed"}
	}
	i := storage.tf.resource("openpai_job")
	i.mustApply(job([]string{"true"}, use("alice")), "create")
	p := i.plan(job([]string{"true"}, use("bob")))
	if strings.Contains(p.diagnostics, "error: ") || !strings.Contains(p.diagnostics, "warning: ") || !strings.Contains(p.diagnostics, `is restricted to "bob"`) || len(p.replace) > 0 {
		t.Errorf("a finished job: %s\n%s", p.action(i.state), p.diagnostics)
	}
	if p := storage.tf.resource("openpai_job").plan(job([]string{"true"}, use("bob"), tree{"name": "other"})); !strings.Contains(p.diagnostics, `is restricted to "bob"`) || p.action(i.null()) != "error" {
		t.Errorf("a new job: %s\n%s", p.action(i.null()), p.diagnostics)
	}
}

func TestAnotherDirectoryKeepsTheFilesOfTheFirst(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	i := start(t, dir).resource("openpai_storage")
	for _, name := range []string{dir + "/created", dir + "/theirs"} {
		if strings.HasSuffix(name, "theirs") {
			if err := os.Mkdir(name, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if _, text := i.apply(tree{"name": "data", "host_path": name, "on_destroy": "delete"}); strings.Contains(text, "error: ") {
			t.Fatal(text)
		}
	}
	if text := i.applyPlanned(i.planFrom(nil, i.state, i.private)); text != "" {
		t.Fatal(text)
	}
	for _, name := range []string{"created", "theirs"} {
		if !isDirectory(dir + "/" + name) {
			t.Errorf("%s is gone", name)
		}
	}
}
