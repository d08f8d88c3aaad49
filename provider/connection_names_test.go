// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"strings"
	"testing"
)

// TestTwoResourcesCannotDeclareOneJob expects an error for any order of the two plans.
func TestTwoResourcesCannotDeclareOneJob(t *testing.T) {
	t.Parallel()
	const renamed = `In this state, a different resource still declares the job "mnist", and this plan renames that job. Apply the rename first`
	const held = `In this state, the job "mnist" is at a different address, or is a deposed object left by create_before_destroy.`
	tests := map[string]struct {
		old, added tree // the new configuration of the job in the state, and the configuration of a second resource
		want       string
	}{
		"a job is renamed and another gets its name": {job([]string{"true"}, tree{"name": "other"}), job([]string{"true"}), renamed},
		"a job is deposed or at another address":     {nil, job([]string{"true"}), held},
		"a second job gets the name":                 {job([]string{"true"}), job([]string{"true"}), `Another openpai_job has the name "mnist"`},
	}
	dir := t.TempDir()
	applied := start(t, dir).resource("openpai_job")
	applied.mustApply(job([]string{"true"}, tree{"wait_for": "completed"}), "create")
	for name, tt := range tests {
		for _, newFirst := range []bool{true, false} {
			t.Run(name, func(t *testing.T) {
				old := applied.afresh(dir)
				added := old.tf.resource("openpai_job")
				var text string
				if newFirst {
					text = added.planBeside(tt.added).diagnostics + old.planBeside(tt.old).diagnostics
				} else {
					text = old.planBeside(tt.old).diagnostics + added.planBeside(tt.added).diagnostics
				}
				text = strings.Join(strings.Fields(text), " ")
				if strings.Count(text, "Two resources declare the same job") != 1 || !strings.Contains(text, tt.want) {
					t.Errorf("new resource first: %t\n%s", newFirst, text)
				}
			})
		}
	}
}
