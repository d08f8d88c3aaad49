// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"strings"
	"testing"
)

// TestAJobThatIsDeclaredTwiceIsFoundInTheSecondPlan plans the new resource before the
// resource in the state. With depends_on, Terraform would stop after the error of the
// new resource, so package acceptance can test only the other order.
func TestAJobThatIsDeclaredTwiceIsFoundInTheSecondPlan(t *testing.T) {
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
		t.Run(name, func(t *testing.T) {
			old := applied.afresh(dir)
			added := old.tf.resource("openpai_job")
			text := added.planBeside(tt.added).diagnostics + old.planBeside(tt.old).diagnostics
			text = strings.Join(strings.Fields(text), " ")
			if strings.Count(text, "Two resources declare the same job") != 1 || !strings.Contains(text, tt.want) {
				t.Errorf("%s", text)
			}
		})
	}
}
