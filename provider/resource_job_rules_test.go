// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"strings"
	"testing"
)

// TestAJobIsCheckedAsByTheCommandLine checks that each diagnostic appears
// once. The rules in hclspec have separate tests.
func TestAJobIsCheckedAsByTheCommandLine(t *testing.T) {
	t.Parallel()
	i := start(t, t.TempDir()).resource("openpai_job")
	twice := script("greet")
	twice["title"] = "another one"
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
		"two prerequisites of one name": {
			job([]string{"true"}, tree{"prerequisites": []any{script("greet"), twice}}),
			`error: AttributeName("prerequisites").ElementKeyInt(1).AttributeName("name"): Declared twice: The script prerequisite "greet" is declared twice, first at prerequisites[0].name. Rename or remove one.`,
		},
		"an image in upper case": {
			worker(job([]string{"true"}), tree{"image": "docker.io/Library/Busybox"}),
			`error: AttributeName("task_roles").ElementKeyString("worker").AttributeName("image"): Image name is not lower case: `,
		},
		"commands for a role that does not exist": {
			job([]string{"true"}, tree{"deployments": tree{"prod": tree{"task_roles": tree{"wrker": tree{"pre_commands": []string{"true"}}}}}}),
			`The deployment "prod" of job "mnist" contains commands for the task role "wrker", which the job does not declare. Did you mean "worker"?`,
		},
		"an unknown prerequisite": {
			worker(job([]string{"true"}, tree{"prerequisites": []any{script("greet")}}), tree{"prerequisites": []any{tree{"use": "great"}}}),
			`Task role "worker" of job "mnist" refers to "great" in prerequisites, but no prerequisite with that name is declared. Did you mean "greet"?`,
		},
		"a prerequisite that requires itself": {
			inlined(tree{"require": []any{tree{"use": "greet"}}}),
			`prerequisite.script.greet requires prerequisite.script.greet (prerequisites[0].require[0])`,
		},
		"a reserved variable of an inline prerequisite": {
			inlined(tree{"environment": tree{"PAI_X": "1"}}),
			`AttributeName("environment").ElementKeyString("PAI_X"): `,
		},
	} {
		p := i.plan(c.config)
		if got := strings.Count(p.diagnostics, c.want); got != 1 {
			t.Errorf("%s: reported %d times: %q in\n%s", name, got, c.want, p.diagnostics)
		}
		if got := strings.Count(p.diagnostics, "error: "); got > 1 {
			t.Errorf("%s: %d errors\n%s", name, got, p.diagnostics)
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
