// SPDX-License-Identifier: MPL-2.0

//go:build acc

package local

import (
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// Each subtest damages one file of the stored state in one way. It then stops and
// destroys the two other jobs, and finally destroys the damaged job. These
// commands must succeed and leave no files. Another test, which has no build tag,
// checks the list and the logs of these jobs.
func TestJobsBesideABadFileAreStoppedAndDestroyed(t *testing.T) {
	t.Parallel()
	count := 0
	for _, file := range stateFiles(t) {
		for name, mutate := range mutations {
			count++
			t.Run(name+" "+file, func(t *testing.T) {
				t.Parallel()
				endBeside(damagedWorld(t, file, mutate), file)
			})
		}
	}
	if count < 303 {
		t.Errorf("only %d mutations", count)
	}
}

// endBeside stops and destroys the undamaged jobs, and then destroys the job
// with the damaged file.
func endBeside(w *world, file string) {
	w.Helper()
	var damaged []string
	for _, framework := range storedFrameworks {
		if strings.Contains(file, framework) {
			damaged = append(damaged, framework)
			continue
		}
		if err := w.Stop(w.ctx, framework); err != nil {
			w.Errorf("stop another job: %v", err)
		}
		if st, err := cluster.Wait(w.ctx, w, framework, cluster.Finished, nil); err != nil {
			w.Errorf("wait for another job after its stop: %+v, error %v", st, err)
		}
		if err := w.Delete(w.ctx, framework); err != nil {
			w.Errorf("destroy another job: %v", err)
		}
	}
	for _, framework := range damaged {
		if err := w.Delete(w.ctx, framework); err != nil {
			w.Errorf("destroy the damaged job: %v", err)
		}
	}
	if names, err := w.layout.Names(); err != nil || len(names) > 0 {
		w.Errorf("jobs %v still exist, error %v", names, err)
	}
	if err := w.CleanUp(w.ctx, planner.DeclaredByCommandLine); err != nil || store.Exists(string(w.layout)) {
		w.Errorf("files still exist, error %v", err)
	}
}
