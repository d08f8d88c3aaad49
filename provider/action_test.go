// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// invoke runs an action and returns its progress and diagnostics.
func (tf *terraform) invoke(name string, config tree) string {
	tf.t.Helper()
	typ := tf.schema.ActionSchemas[name].Schema.ValueType()
	stream, err := tf.server.(tfprotov6.ActionServer).InvokeAction(tf.t.Context(), &tfprotov6.InvokeActionRequest{
		ActionType: name, Config: tf.encode(tf.value(config, typ)),
	})
	if err != nil {
		tf.t.Fatal(err)
	}
	var b strings.Builder
	for e := range stream.Events {
		switch event := e.Type.(type) {
		case tfprotov6.ProgressInvokeActionEventType:
			b.WriteString("progress: " + event.Message + "\n")
		case tfprotov6.CompletedInvokeActionEventType:
			b.WriteString(diagnosticsText(event.Diagnostics))
		}
	}
	return b.String()
}

func TestStopEndsAJobForGood(t *testing.T) {
	t.Parallel()
	i, config := running(t, t.TempDir())
	if text := i.tf.invoke("openpai_job_stop", tree{"name": "mnist"}); text != "progress: job.mnist: stopping\nprogress: job.mnist: STOPPED\n" {
		t.Fatalf("%s", text)
	}
	if text := i.tf.invoke("openpai_job_stop", tree{"name": "mnist"}); text != "progress: job.mnist had already finished: STOPPED\n" {
		t.Errorf("stopped again: %s", text)
	}
	want := "error: Cannot rescale the job: job.mnist has finished (STOPPED). The number of tasks can change only while the job runs.\n"
	if text := i.tf.invoke("openpai_job_rescale", tree{"name": "mnist", "task_role": "worker", "instances": 2}); text != want {
		t.Errorf("a finished job was rescaled: %s", text)
	}
	i.tf.configure(tree{"local": tree{"directory": i.tf.dir, "user": "alice"}})
	if text := i.refresh(); text != "" || i.text("state") != "STOPPED" {
		t.Errorf("%s\n%s", i.text("state"), text)
	}
	if p := i.plan(config); p.action(i.state) != "none" {
		t.Errorf("a stopped job is started again: %s", p.action(i.state))
	}
}

func TestRerunRunsAFinishedJobAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tf := start(t, dir)
	i := tf.resource("openpai_job")
	ran := filepath.Join(dir, "ran")
	config := job([]string{"printf '<% $secrets.token %>' >> " + ran}, tree{"wait_for": "completed", "secrets_wo": tree{"token": canary}})
	i.mustApply(config, "create")
	if text := tf.invoke("openpai_job_rerun", tree{"name": "mnist"}); !strings.Contains(text, "error: ") || !strings.Contains(text, "the value of the secret token is not available: set the value in the action's secrets attribute") {
		t.Errorf("without the value: %s", text)
	}
	if text := tf.invoke("openpai_job_rerun", tree{"name": "mnist", "secrets": tree{"token": canary}}); !strings.Contains(text, "submitted again") {
		t.Fatalf("%s", text)
	}
	eventually(t, func() bool {
		got, _ := os.ReadFile(ran)
		return string(got) == canary+canary
	})
	eventually(t, func() bool { return outputs(tf.read("openpai_job", tree{"name": "mnist"}))["state"] == "SUCCEEDED" })
	i = i.afresh(dir)
	if text := i.refresh(); text != "" {
		t.Fatal(text)
	}
	if p := i.plan(config); p.action(i.state) != "none" {
		t.Errorf("afterwards: %s\n%s", p.action(i.state), diff(i.state, p.state))
	}
}

func TestRerunWaitsLikeTheJob(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tf := start(t, dir)
	ran := filepath.Join(dir, "ran")
	tf.resource("openpai_job").mustApply(job([]string{"sleep 1; printf x >> " + ran}, tree{"wait_for": "completed"}), "create")
	for n := 2; n <= 3; n++ { // the second rerun uses the record that the first rerun wrote
		if text := tf.invoke("openpai_job_rerun", tree{"name": "mnist"}); strings.Contains(text, "error: ") {
			t.Fatal(text)
		}
		if got, err := os.ReadFile(ran); err != nil || string(got) != strings.Repeat("x", n) {
			t.Errorf("run %d: the action did not wait for the end of the run: %q, %v", n, got, err)
		}
	}
}

func TestOfTwoRerunsAtOnceOneIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tf := start(t, dir)
	ran, again := filepath.Join(dir, "ran"), filepath.Join(dir, "again")
	command := "printf x >> " + ran + "; if [ -e " + again + " ]; then sleep 1000; fi"
	tf.resource("openpai_job").mustApply(job([]string{command}, tree{"stop_grace": "1s", "wait_for": "completed"}), "create")
	if err := os.WriteFile(again, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	runs := []*terraform{start(t, dir), start(t, dir)}
	answers := make(chan string)
	for _, run := range runs {
		go func() { answers <- run.invoke("openpai_job_rerun", tree{"name": "mnist"}) }()
	}
	if first := <-answers; !strings.Contains(first, "error: ") { // the other call waits for the job
		t.Errorf("the first call to return was not refused:\n%s", first)
	}
	eventually(t, func() bool { return outputs(tf.read("openpai_job", tree{"name": "mnist"}))["state"] == "RUNNING" })
	if text := tf.invoke("openpai_job_stop", tree{"name": "mnist"}); !strings.Contains(text, "STOPPED") {
		t.Fatal(text)
	}
	if text := <-answers; !strings.Contains(text, "submitted again") {
		t.Errorf("%s", text)
	}
	if got, err := os.ReadFile(ran); err != nil || string(got) != "xx" {
		t.Errorf("the job ran %d times, want 2: %v", len(got), err)
	}
}

func TestRescaleChangesTheNumberOfTasks(t *testing.T) {
	t.Parallel()
	i, _ := running(t, t.TempDir(), tree{"gang_allocation": false, "environment": tree{"T": "<% $secrets.token %>"}, "secrets_wo": tree{"token": canary}})
	if text := i.tf.invoke("openpai_job_rescale", tree{"name": "mnist", "task_role": "worker", "instances": 2}); !strings.Contains(text, "was rescaled") {
		t.Fatalf("%s", text)
	}
	eventually(t, func() bool {
		return outputs(i.tf.read("openpai_job", tree{"name": "mnist"}))["running_tasks"] == numberOf(2)
	})
	if text := i.tf.invoke("openpai_job_rescale", tree{"name": "mnist", "task_role": "worker", "instances": 2}); text != "progress: job.mnist already has 2 tasks in the task role worker; nothing changed\n" {
		t.Errorf("rescaled to the same number: %s", text)
	}
	if text := i.tf.invoke("openpai_job_rescale", tree{"name": "mnist", "task_role": "ps", "instances": 2}); !strings.Contains(text, `AttributeName("task_role"): Unknown task role: job.mnist has no task role "ps"`) {
		t.Errorf("%s", text)
	}
}

// After a task count was changed outside Terraform, the state must contain
// the new count. A configuration with ignore_changes then causes no change.
func TestARescaledJobHasTheNumberOfTasksInItsState(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	i, config := running(t, dir, tree{"gang_allocation": false})
	if text := i.tf.invoke("openpai_job_rescale", tree{"name": "mnist", "task_role": "worker", "instances": 2}); !strings.Contains(text, "was rescaled") {
		t.Fatalf("%s", text)
	}
	i = i.afresh(dir)
	if text := i.refresh(); text != "" {
		t.Fatal(text)
	}
	if p := i.plan(config); p.action(i.state) != "update" || !strings.Contains(p.diagnostics, "1 task of worker ends") {
		t.Errorf("as it is declared: %s\n%s", p.action(i.state), p.diagnostics)
	}
	ignored := worker(clone(config), tree{"instances": 2})
	if p := i.plan(ignored); p.action(i.state) != "none" {
		t.Errorf("with the number ignored: %s\n%s\n%s", p.action(i.state), p.diagnostics, diff(i.state, p.state))
	}
	if action, text := i.apply(config); action != "update" {
		t.Errorf("%s\n%s", action, text)
	}
	if p := i.plan(config); p.action(i.state) != "none" {
		t.Errorf("put back: %s\n%s", p.action(i.state), diff(i.state, p.state))
	}
}

func TestPrefetchFillsAStorage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tf := start(t, dir)
	storage := tf.resource("openpai_storage")
	if action, text := storage.apply(tree{"name": "data", "host_path": "store"}); action != "create" || text != "" {
		t.Fatalf("%s %s", action, text)
	}
	fill := script("fill")
	fill["callbacks"] = []any{tree{"event": "taskStarts", "commands": []string{"echo hello > $PAI_STORAGE_DATA/file"}}}
	text := tf.invoke("openpai_storage_prefetch", tree{"storage": storage.text("definition"), "prerequisites": []string{define(t, tf, fill)}})
	if strings.Contains(text, "error: ") {
		t.Fatal(text)
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "store", "file")); string(got) != "hello\n" {
		t.Errorf("the storage holds %q", got)
	}
	if jobs := outputs(tf.read("openpai_jobs", tree{}))["jobs"].([]any); len(jobs) != 0 {
		t.Errorf("the job still exists: %v", jobs)
	}
}

func TestJobsAreListedWithTheirIdentity(t *testing.T) {
	t.Parallel()
	tf := start(t, t.TempDir())
	config := job([]string{"true"}, tree{"wait_for": "completed"})
	tf.resource("openpai_job").mustApply(config, "create")
	tf.resource("openpai_job").mustApply(changed(config, "name", "other"), "create")
	stream, err := tf.server.(tfprotov6.ListResourceServer).ListResource(t.Context(), &tfprotov6.ListResourceRequest{
		TypeName: "openpai_job", Config: tf.encode(tf.value(tree{}, tf.schema.ListResourceSchemas["openpai_job"].ValueType())), IncludeResource: true, Limit: 10,
	})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for r := range stream.Results {
		if text := diagnosticsText(r.Diagnostics); text != "" || r.Resource == nil || r.Identity == nil {
			t.Fatalf("%s", text)
		}
		names = append(names, r.DisplayName)
		i := tf.resource("openpai_job")
		i.state = i.decode(r.Resource)
		if r.DisplayName == "mnist (SUCCEEDED)" {
			if p := i.plan(config); p.action(i.state) != "none" {
				t.Errorf("the listed job differs: %s", diff(i.state, p.state))
			}
		}
	}
	if strings.Join(names, ", ") != "mnist (SUCCEEDED), other (SUCCEEDED)" {
		t.Errorf("%v", names)
	}
}

func changed(c tree, key string, value any) tree {
	copied := clone(c)
	copied[key] = value
	return copied
}
