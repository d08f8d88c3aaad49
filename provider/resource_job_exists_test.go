// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"os"
	"path/filepath"
	"testing"
)

func TestAKilledCreationIsResumed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := job([]string{"echo x >> " + filepath.Join(dir, "ran")}, tree{"wait_for": "completed"})
	start(t, dir).resource("openpai_job").mustApply(config, "create")
	unfinished(t, dir)
	again := start(t, dir).resource("openpai_job") // Terraform never wrote the state
	again.mustApply(config, "create")
	if ran, _ := os.ReadFile(filepath.Join(dir, "ran")); string(ran) != "x\n" {
		t.Errorf("what ran: %q", ran)
	}
}

// unfinished changes the records of all jobs as if the creating process had
// been killed.
func unfinished(t *testing.T, dir string) {
	t.Helper()
	editRecords(t, dir, func(record tree) { record["creating"] = true })
}
