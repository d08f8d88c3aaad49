// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"strings"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/local"
)

// job returns a job with one task role. The attributes in more override the
// attributes of the job.
func job(commands []string, more ...tree) tree {
	role := tree{"image": "ubuntu:22.04", "commands": commands, "resources": tree{"gpu": 0, "cpu": 1, "memory_mb": 64}}
	c := tree{"name": "mnist", "task_roles": tree{"worker": role}}
	for _, m := range more {
		for k, v := range m {
			c[k] = v
		}
	}
	return c
}

// worker changes the task role worker.
func worker(c tree, more tree) tree {
	role := c["task_roles"].(tree)["worker"].(tree)
	for k, v := range more {
		role[k] = v
	}
	return c
}

// mustApply applies a configuration. The test fails if the action is not
// want, or if there are unexpected diagnostics.
func (i *instance) mustApply(config tree, want string) {
	i.tf.t.Helper()
	if action, text := i.apply(config); action != want || unexpected(text) != "" {
		i.tf.t.Fatalf("%s, want %s\n%s", action, want, text)
	}
}

// running applies a job that runs until the end of the test.
func running(t *testing.T, dir string, more ...tree) (*instance, tree) {
	t.Helper()
	i := start(t, dir).resource("openpai_job")
	config := job([]string{"sleep 1000"}, append(more, tree{"wait_for": "running", "stop_grace": "1s"})...)
	i.mustApply(config, "create")
	t.Cleanup(func() { remove(t, dir) })
	if i.text("state") != "RUNNING" {
		t.Fatalf("the job is %s", i.text("state"))
	}
	return i, config
}

var mnist = contract.FrameworkName("alice", "mnist")

// canary is the value of a secret.
const canary = "canary-7f3a9c5e"

// remove deletes the job outside Terraform if it exists.
func remove(t testing.TB, dir string) {
	c, err := local.Open(dir, local.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_ = c.Delete(contextOf(t), mnist)
}

// afresh starts another run of Terraform with the same state.
func (i *instance) afresh(dir string) *instance {
	again := start(i.tf.t, dir).resource(i.name)
	again.state, again.private = i.state, i.private // Terraform earlier than 1.12 does not store an identity
	return again
}

func TestAJobThatFailsIsAWarningAndStays(t *testing.T) {
	t.Parallel()
	i := start(t, t.TempDir()).resource("openpai_job")
	config := job([]string{"exit 3"}, tree{"wait_for": "completed"})
	action, text := i.apply(config)
	if action != "create" || !strings.Contains(text, `warning: AttributeName("wait_for"): The job did not succeed: job.mnist ended as FAILED with exit code 3`) {
		t.Errorf("%s\n%s", action, text)
	}
	if p := i.plan(config); p.action(i.state) != "none" {
		t.Errorf("second plan: %s", p.action(i.state))
	}
}

func TestAPlanNeedsNoConfigurationOfTheProvider(t *testing.T) {
	t.Parallel()
	tf := startWith(t, tree{"kubernetes": tree{"kubeconfig": unknown{}, "user": "alice", "workspace": "team", "runtime_image": "example.org/runtime:1"}})
	p := tf.resource("openpai_job").plan(job([]string{"true"}))
	if p.diagnostics != "" || stringOr(attributesOf(p.state)["framework_name"], "") != mnist {
		t.Errorf("%s\n%s", p.diagnostics, p.state)
	}
}

func TestDiagnosticsNameTheAttribute(t *testing.T) {
	t.Parallel()
	i := start(t, t.TempDir()).resource("openpai_job")
	for name, c := range map[string]struct {
		config tree
		want   string
	}{
		"an unknown prerequisite": {
			worker(job([]string{"true"}), tree{"prerequisites": []any{tree{"use": "nobody"}}}),
			`AttributeName("task_roles").ElementKeyString("worker").AttributeName("prerequisites").ElementKeyInt(0): Unknown prerequisite: `,
		},
		"an item of a marketplace": {
			worker(job([]string{"true"}), tree{"prerequisites": []any{tree{"use": "marketplace://name/wget"}}}),
			`ElementKeyInt(0): Item requires a data source: Terraform reads marketplace items with the data source openpai_marketplace_item.`,
		},
		"a number out of range": {worker(job([]string{"true"}), tree{"instances": 0}), `AttributeName("instances"): Value is out of range: `},
		"an unknown role":       {job([]string{"true"}, tree{"task_role_order": []string{"wrker"}}), `AttributeName("task_role_order").ElementKeyInt(0): Unknown task role in task_role_order: task_role_order contains "wrker", which is not a task role of job "mnist". Did you mean "worker"?`},
		"a reserved variable":   {job([]string{"true"}, tree{"environment": tree{"PAI_X": "1"}}), `AttributeName("environment").ElementKeyString("PAI_X"): `},
		"a misspelled attribute of an inline prerequisite": {
			inlined(tree{"callback": []any{}}),
			`AttributeName("prerequisites").ElementKeyInt(0).AttributeName("callback"): Unknown argument: Unknown attribute "callback" in a prerequisite. Did you mean "callbacks"?`,
		},
		"an inline prerequisite without a name": {
			inlined(tree{"name": nil}),
			`AttributeName("prerequisites").ElementKeyInt(0): Missing argument: This prerequisite requires the attribute name.`,
		},
		"JSON": {job([]string{"true"}, tree{"plugins": []any{tree{"plugin": "ssh", "parameters": "{"}}}), `AttributeName("plugins").ElementKeyInt(0).AttributeName("parameters"): Invalid JSON: `},
	} {
		if p := i.plan(c.config); !strings.Contains(p.diagnostics, c.want) {
			t.Errorf("%s: no %q in\n%s", name, c.want, p.diagnostics)
		}
	}
}

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

// clone copies a tree.
func clone(v any) tree { return deep(v).(tree) }

func deep(v any) any {
	switch x := v.(type) {
	case tree:
		m := tree{}
		for k, e := range x {
			m[k] = deep(e)
		}
		return m
	case []any:
		list := make([]any, len(x))
		for i := range x {
			list[i] = deep(x[i])
		}
		return list
	}
	return v
}

func eventually(t testing.TB, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it never came true")
		}
	}
}
