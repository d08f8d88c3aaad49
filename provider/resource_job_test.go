// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

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

// mustApply expects the given action and no diagnostics.
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

func TestAJobIsCreatedReadPlannedAndDestroyed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	i := start(t, dir).resource("openpai_job")
	config := job([]string{"echo hello"}, tree{"wait_for": "completed"})
	i.mustApply(config, "create")
	if got := i.text("state"); got != "SUCCEEDED" {
		t.Errorf("state is %q", got)
	}
	if text := i.refresh(); text != "" {
		t.Fatal(text)
	}
	if p := i.plan(config); p.action(i.state) != "none" {
		t.Errorf("second plan: %s %v\n%s\n%s", p.action(i.state), p.replace, p.diagnostics, diff(i.state, p.state))
	}
	i.mustApply(nil, "destroy")
	i = i.afresh(dir)
	if p := i.plan(config); p.action(i.null()) != "create" {
		t.Errorf("after destroy: %s", p.action(i.null()))
	}
}

func TestAPlanKnowsEveryOutputExceptTheState(t *testing.T) {
	t.Parallel()
	p := start(t, t.TempDir()).resource("openpai_job").plan(job([]string{"true"}))
	values := attributesOf(p.state)
	for name, typ := range jobComputed {
		if known := values[name].IsFullyKnown(); known != (name != "state") {
			t.Errorf("%s (%s) is known: %t", name, typ, known)
		}
	}
}

func TestATaskCountChangesInPlace(t *testing.T) {
	t.Parallel()
	i, config := running(t, t.TempDir(), tree{"gang_allocation": false})
	before := decodeJobPrivate(i.private).UID
	worker(config, tree{"instances": 2})
	action, text := i.apply(config)
	if action != "update" || !strings.Contains(text, "1 task of worker is added") {
		t.Errorf("%s\n%s", action, text)
	}
	if after := decodeJobPrivate(i.private).UID; after != before {
		t.Errorf("another Framework: %s, %s", before, after)
	}
}

func TestAChangedCommandReplacesTheJobAndWarnsAboutRunningTasks(t *testing.T) {
	t.Parallel()
	i, config := running(t, t.TempDir())
	before := decodeJobPrivate(i.private).UID
	worker(config, tree{"commands": []string{"sleep 1001"}})
	p := i.plan(config)
	if p.action(i.state) != "replace" || !strings.Contains(p.diagnostics, "1 running task ends") {
		t.Errorf("%s\n%s", p.action(i.state), p.diagnostics)
	}
	if !strings.Contains(strings.Join(p.replace, "\n"), `AttributeName("commands").ElementKeyInt(0)`) {
		t.Errorf("the plan does not report the attribute that forces the replacement: %v", p.replace)
	}
	if action, _ := i.apply(config); action != "replace" || decodeJobPrivate(i.private).UID == before {
		t.Errorf("%s, the Framework is the same: %t", action, decodeJobPrivate(i.private).UID == before)
	}
	if p := i.plan(config); p.action(i.state) != "none" {
		t.Errorf("afterwards: %s\n%s", p.action(i.state), diff(i.state, p.state))
	}
}

func TestARunningJobThatWasDeletedOutsideIsCreatedAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	i, config := running(t, dir)
	remove(t, dir)
	i = i.afresh(dir)
	if text := i.refresh(); text != "" || !i.state.IsNull() {
		t.Fatalf("after refresh: %s\n%s", i.state, text)
	}
	if action, text := i.apply(config); action != "create" {
		t.Errorf("%s\n%s", action, text)
	}
}

func TestAFinishedJobWhoseFrameworkIsGoneStays(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	i := start(t, dir).resource("openpai_job")
	config := job([]string{"echo x >> " + filepath.Join(dir, "ran")}, tree{"wait_for": "completed"})
	i.mustApply(config, "create")
	eventually(t, func() bool { // the supervisor writes the outcome last
		record, err := os.ReadFile(filepath.Join(dir, ".openpai", "records", mnist+".json"))
		return err == nil && strings.Contains(string(record), `"SUCCEEDED"`)
	})
	eventually(t, func() bool { return os.RemoveAll(filepath.Join(dir, ".openpai", "frameworks")) == nil })
	i = i.afresh(dir)
	if text := i.refresh(); text != "" {
		t.Fatal(text)
	}
	if p := i.plan(config); p.action(i.state) != "none" {
		t.Fatalf("%s\n%s%s", p.action(i.state), p.diagnostics, diff(i.state, p.state))
	}
	worker(config, tree{"commands": []string{"echo y >> " + filepath.Join(dir, "ran")}})
	action, text := i.apply(config)
	if action != "update" || !strings.Contains(text, "not run again") {
		t.Errorf("a changed command: %s\n%s", action, text)
	}
	config["rerun"] = "on_change"
	if action, text := i.apply(config); action != "replace" || i.text("state") != "SUCCEEDED" {
		t.Errorf("with rerun: %s %s\n%s", action, i.text("state"), text)
	}
	if ran, _ := os.ReadFile(filepath.Join(dir, "ran")); string(ran) != "x\ny\n" {
		t.Errorf("what ran: %q", ran)
	}
}

func TestDriftIsRepaired(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	i, config := running(t, dir, tree{"gang_allocation": false})
	other := i.afresh(dir)
	other.apply(worker(clone(config), tree{"instances": 3}))
	i = i.afresh(dir)
	before := i.text("content_hash")
	if text := i.refresh(); text != "" || i.text("content_hash") == before {
		t.Fatalf("the plan does not show the drift\n%s", text)
	}
	if action, text := i.apply(config); action != "update" || i.text("content_hash") != before {
		t.Errorf("%s\n%s", action, text)
	}
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

func TestTheJobOfAnotherWorkspaceIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	start(t, dir).resource("openpai_job").mustApply(job([]string{"true"}, tree{"wait_for": "completed"}), "create")
	other := startWith(t, tree{"local": tree{"directory": dir, "user": "alice", "workspace": "other"}})
	if p := other.resource("openpai_job").plan(job([]string{"true"})); !strings.Contains(p.diagnostics, `created by the workspace "terraform". Rename this job, or set that workspace in the provider block.`) {
		t.Errorf("%s", p.diagnostics)
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

func TestUnknownTextsLeaveTheRestKnown(t *testing.T) {
	t.Parallel()
	p := start(t, t.TempDir()).resource("openpai_job").plan(job([]string{"echo"}, tree{"environment": tree{"A": unknown{}}}))
	values := attributesOf(p.state)
	if unexpected(p.diagnostics) != "" || stringOr(values["framework_name"], "") != mnist || values["content_hash"].IsKnown() || !values["prerequisite_order"].IsFullyKnown() {
		t.Errorf("%s\n%s", p.diagnostics, p.state)
	}
}

func TestAnErrorNextToAnUnknownValueIsFound(t *testing.T) {
	t.Parallel()
	config := worker(job([]string{"echo"}, tree{"environment": tree{"A": unknown{}}}), tree{"instances": 0})
	if p := start(t, t.TempDir()).resource("openpai_job").plan(config); !strings.Contains(p.diagnostics, `AttributeName("instances"): Value is out of range: `) {
		t.Errorf("%s", p.diagnostics)
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
		"a duration":            {job([]string{"true"}, tree{"max_run_time": "90"}), `AttributeName("max_run_time"): `},
		"an unknown role":       {job([]string{"true"}, tree{"task_role_order": []string{"wrker"}}), `AttributeName("task_role_order").ElementKeyInt(0): Unknown task role in task_role_order: task_role_order contains "wrker", which is not a task role of job "mnist". Did you mean "worker"?`},
		"wait_for":              {job([]string{"true"}, tree{"wait_for": "complete"}), `AttributeName("wait_for"): `},
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

func TestTheOrderOfTaskRolesIsKept(t *testing.T) {
	t.Parallel()
	config := job([]string{"true"}, tree{"task_role_order": []string{"worker", "ps"}})
	role := config["task_roles"].(tree)["worker"]
	config["task_roles"] = tree{"ps": role, "worker": role}
	tf := start(t, t.TempDir())
	d := declareJob(&settings{User: "alice", Workspace: "w"}, tf.value(config, tf.resource("openpai_job").typ), tftypes.Value{})
	if len(d.resolved.TaskRoles) != 2 || d.resolved.TaskRoles[0].Name != "worker" {
		t.Errorf("%v", d.resolved.TaskRoles)
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
