// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"strings"
	"testing"
)

// The rules in hclspec have separate tests.
func TestEachWarningOfAJobIsReportedOnce(t *testing.T) {
	t.Parallel()
	i := start(t, t.TempDir()).resource("openpai_job")
	for name, c := range map[string]struct {
		config tree
		want   string
	}{
		"more failed tasks than the role has": {
			worker(job([]string{"true"}), tree{"completion": tree{"min_failed_instances": 5}}),
			`warning: AttributeName("task_roles").ElementKeyString("worker").AttributeName("completion").AttributeName("min_failed_instances"): Completion policy can never be met: The completion policy of task role "worker" of job "mnist" requires 5 tasks to have failed, but the role has only 1 tasks.`,
		},
		"retries that a gang does not have": {
			worker(job([]string{"true"}), tree{"task_retry_count": 1}),
			`AttributeName("task_retry_count"): Task retries have no effect: `,
		},
	} {
		p := i.plan(c.config)
		if got := strings.Count(p.diagnostics, c.want); got != 1 {
			t.Errorf("%s: reported %d times: %q in\n%s", name, got, c.want, p.diagnostics)
		}
		if strings.Contains(p.diagnostics, "error: ") {
			t.Errorf("%s: an error\n%s", name, p.diagnostics)
		}
	}
}

func TestAPrerequisiteHasOneDiagnosticForEachMistake(t *testing.T) {
	t.Parallel()
	i := start(t, t.TempDir()).resource("openpai_prerequisite")
	config := script("greet")
	config["environment"] = tree{"PAI_X": "1"}
	if p := i.plan(config); strings.Count(p.diagnostics, "error: ") != 1 {
		t.Error(p.diagnostics)
	}
}
