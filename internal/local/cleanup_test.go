// SPDX-License-Identifier: MPL-2.0

package local

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/internal/lockfile"
	"github.com/openpai/terraform-provider-openpai/planner"
)

func TestTidyRemovesWhatNoJobNeeds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if err := w.CleanUp(t.Context(), planner.DeclaredByCommandLine); err != nil || store.Exists(string(w.layout)) {
		t.Errorf("clean up a directory without a cluster: error %v", err)
	}
	first, second := newJob("first", newRole("worker", "true")), newJob("second", newRole("worker", "true"))
	first.TaskRoles[0].Secrets = []string{"token"}
	if _, err := w.SecretKey(w.ctx, "team"); err != nil {
		t.Fatal(err)
	}
	if err := w.Create(w.ctx, submission(first, map[string]string{"token": "open sesame"})); err != nil {
		t.Fatal(err)
	}
	w.apply(second)
	w.finished(first)
	w.finished(second)
	if err := w.Delete(w.ctx, first.Framework); err != nil {
		t.Fatal(err)
	}
	if err := w.CleanUp(t.Context(), planner.DeclaredByCommandLine); err != nil {
		t.Fatal(err)
	}
	if st, err := w.Status(w.ctx, second.Framework); err != nil || !store.Exists(w.layout.Secrets()) || !store.Exists(w.layout.Programs()) {
		t.Errorf("clean up while a job exists: status %+v, error %v", st, err)
	}
	if err := w.Delete(w.ctx, second.Framework); err != nil {
		t.Fatal(err)
	}
	if err := w.CleanUp(t.Context(), planner.DeclaredByCommandLine); err != nil || store.Exists(string(w.layout)) {
		remaining, _ := os.ReadDir(string(w.layout))
		t.Errorf("error %v, left %v", err, remaining)
	}
	w.apply(second)
	if st := w.finished(second); st.UserCode == nil || *st.UserCode != 0 {
		t.Errorf("afterwards: %+v", st)
	}
}

// A killed command can leave a temporary file, which CleanUp must remove.
func TestTidyRemovesWhatAKilledCommandLeft(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if err := w.layout.Prepare(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(w.layout.Join("..gitignore.2382749991.tmp"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := w.CleanUp(t.Context(), planner.DeclaredByCommandLine); err != nil || store.Exists(string(w.layout)) {
		remaining, _ := os.ReadDir(string(w.layout))
		t.Errorf("error %v, left %v", err, remaining)
	}
}

func TestCleanUpKeepsTheItemsOfALockFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	item := w.layout.Join("items", "x.yaml")
	if err := os.MkdirAll(w.layout.Join("items"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{item, filepath.Join(w.dir, lockfile.Name)} {
		if err := os.WriteFile(file, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.CleanUp(t.Context(), planner.DeclaredByCommandLine); err != nil || !store.Exists(item) || !store.Exists(w.layout.IgnoreFile()) {
		t.Errorf("error %v", err)
	}
	if err := os.Remove(filepath.Join(w.dir, lockfile.Name)); err != nil {
		t.Fatal(err)
	}
	if err := w.CleanUp(t.Context(), planner.DeclaredByCommandLine); err != nil || store.Exists(string(w.layout)) {
		t.Errorf("clean up without the lock file: error %v", err)
	}
}
