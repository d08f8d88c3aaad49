// SPDX-License-Identifier: MPL-2.0

package local

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/internal/local/task"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func onStorage(role *resolve.TaskRole, name, hostPath, mountPath string, readOnly bool) {
	role.Mounts = append(role.Mounts, &resolve.Mount{
		Storage: name, Path: mountPath, ReadOnly: readOnly,
		Declared: &hclspec.Storage{Name: name, HostPath: hostPath},
	})
}

func TestTasksSeeStoragesAtTheirMountPaths(t *testing.T) {
	t.Parallel()
	if !task.CanMount() {
		// TestWithoutMountsTheVariableNamesTheDirectory covers this case.
		t.Log("this machine does not support private mounts")
		return
	}
	existing := t.TempDir()
	beside := t.TempDir()
	if err := os.WriteFile(filepath.Join(beside, "neighbor"), []byte("here\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{
		"a directory that exists":                  existing,
		"a new directory next to other files":      filepath.Join(beside, "new", "deep"),
		"a new directory directly under the root":  "/openpai-test-storage",
		"a new directory under a system directory": "/mnt/openpai-test-storage",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			role := newRole("worker", "echo kept > "+path+"/file; echo $PAI_STORAGE_SHARED; cat "+beside+"/neighbor; test -d /usr; test -r /proc/self/stat")
			onStorage(role, "shared", "data/shared", path, false)
			job := newJob("mounts", role)
			w.apply(job)
			st := w.finished(job)
			if st.State != planner.StateSucceeded {
				t.Fatalf("status %+v\n%s", st, w.output(job, "worker", 0))
			}
			if got := w.output(job, "worker", 0); got != path+"\nhere\n" {
				t.Errorf("output %q", got)
			}
			if text, err := os.ReadFile(filepath.Join(w.dir, "data/shared/file")); err != nil || string(text) != "kept\n" {
				t.Errorf("the storage holds %q, error %v", text, err)
			}
			if path != existing && store.Exists(path) {
				t.Errorf("%s was created on the machine", path)
			}
			if entries, _ := os.ReadDir(existing); len(entries) > 0 {
				t.Errorf("%s was written", existing)
			}
		})
	}
}

func TestMountsMayBeNestedAndReadOnly(t *testing.T) {
	t.Parallel()
	if !task.CanMount() {
		t.Log("this machine does not support private mounts")
		return
	}
	w := newWorld(t)
	role := newRole("worker", "echo a > /mnt/openpai-outer/a; echo b > /mnt/openpai-outer/inner/b; if echo c > /mnt/openpai-fixed/c; then exit 9; fi")
	onStorage(role, "inner", "inner", "/mnt/openpai-outer/inner", false)
	onStorage(role, "outer", "outer", "/mnt/openpai-outer", false)
	onStorage(role, "fixed", "fixed", "/mnt/openpai-fixed", true)
	job := newJob("nested", role)
	w.apply(job)
	if st := w.finished(job); st.State != planner.StateSucceeded {
		t.Fatalf("status %+v\n%s", st, w.output(job, "worker", 0))
	}
	for _, name := range []string{"outer/a", "inner/b"} {
		if !store.Exists(filepath.Join(w.dir, name)) {
			t.Errorf("%s is missing", name)
		}
	}
}

func TestStorageInPlaceNeedsNoMount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	dir := filepath.Join(t.TempDir(), "made")
	role := newRole("worker", "echo x > $PAI_STORAGE_MY_DATA/file")
	onStorage(role, "my-data", dir, dir, false)
	job := newJob("inplace", role)
	w.apply(job)
	if st := w.finished(job); st.State != planner.StateSucceeded {
		t.Fatalf("status %+v", st)
	}
	if !store.Exists(filepath.Join(dir, "file")) {
		t.Error("the file is missing")
	}
}

func TestStoragesThatAreNoDirectoryAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	role := newRole("worker", "true")
	role.Mounts = []*resolve.Mount{{Storage: "nfs", Path: "/mnt/nfs"}}
	err := w.Create(w.ctx, submission(newJob("claim", role), nil))
	if err == nil || !strings.Contains(err.Error(), "host_path") {
		t.Errorf("error %v", err)
	}
}

func TestAMountThatCannotBeMadeIsExplained(t *testing.T) {
	t.Parallel()
	if !task.CanMount() {
		t.Log("this machine does not support private mounts")
		return
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	role := newRole("worker", "true")
	onStorage(role, "shared", "data", file, false)
	job := newJob("onfile", role)
	w.apply(job)
	st := w.finished(job)
	if st.State != planner.StateFailed || !strings.Contains(st.Reason, "mount storage shared at "+file+": a file with this name already exists") {
		t.Errorf("status %+v", st)
	}
}
