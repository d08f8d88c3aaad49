// SPDX-License-Identifier: MPL-2.0

package local

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/local/store"
)

func TestOldProgramsGoUnlessTheyAreInUse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	script, gate := gated(t)
	job := newJob("uses", newRole("worker", script))
	w.apply(job)
	w.running(job)
	old := w.layout.Join("bin", "old", "program")
	if err := os.MkdirAll(filepath.Dir(old), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(old, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	var s store.Supervisor
	if err := store.ReadJSON(w.layout.Object(job.Framework).SupervisorFile(), &s); err != nil {
		t.Fatal(err)
	}
	if err := w.layout.PrunePrograms(time.Now()); err != nil || !store.Exists(old) {
		t.Errorf("a new copy was removed, error %v", err)
	}
	if err := w.layout.PrunePrograms(time.Now().Add(2 * store.ProgramRetention)); err != nil {
		t.Fatal(err)
	}
	if store.Exists(old) || !store.Exists(s.Program) {
		t.Errorf("old copy exists: %v, used copy exists: %v", store.Exists(old), store.Exists(s.Program))
	}
	open(t, gate)
	w.finished(job)
}
