// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"os"
	"path/filepath"
	"strings"
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
	for name, config := range map[string]tree{"equal": config, "other": worker(config, tree{"commands": []string{"true"}})} {
		second := start(t, dir).resource("openpai_job")
		if _, text := second.apply(config); !strings.Contains(strings.Join(strings.Fields(text), " "), `import { to = openpai_job.mnist id = "alice~mnist" }`) {
			t.Errorf("a second owner with %s content: %s", name, text)
		}
	}
}

// unfinished changes the records of all jobs as if the creating process had
// been killed.
func unfinished(t *testing.T, dir string) {
	t.Helper()
	editRecords(t, dir, func(record tree) { record["creating"] = true })
}
