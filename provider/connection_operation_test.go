// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"strconv"
	"testing"
)

// Terraform sends requests for many resources to one server concurrently.
func TestJobsAreAppliedSideBySide(t *testing.T) {
	t.Parallel()
	tf := start(t, t.TempDir())
	t.Run("all", func(t *testing.T) {
		for n := range 8 {
			t.Run(strconv.Itoa(n), func(t *testing.T) {
				t.Parallel()
				own := *tf
				own.t = t
				i := own.resource("openpai_job")
				config := job([]string{"true"}, tree{"name": "side-" + strconv.Itoa(n), "wait_for": "completed"})
				p := i.planBeside(config)
				if text := unexpected(p.diagnostics + i.applyPlanned(p)); text != "" {
					t.Error(text)
				}
				if text := i.refresh(); text != "" {
					t.Error(text)
				}
			})
		}
	})
	if jobs := outputs(tf.read("openpai_jobs", tree{"states": []string{"SUCCEEDED"}}))["jobs"].([]any); len(jobs) != 8 {
		t.Errorf("%d jobs", len(jobs))
	}
}
