// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/openpai/terraform-provider-openpai/planner"
)

func TestAnActionOnNoJobNamesTheAttribute(t *testing.T) {
	t.Parallel()
	tf := start(t, t.TempDir())
	for name, config := range map[string]tree{
		"openpai_job_stop":    {"name": "nobody"},
		"openpai_job_rerun":   {"name": "nobody"},
		"openpai_job_rescale": {"name": "nobody", "task_role": "worker", "instances": 2},
	} {
		want := `error: AttributeName("name"): No such job: The user "alice" has no job "nobody" on this cluster.`
		if text := tf.invoke(name, config); strings.TrimSpace(text) != want {
			t.Errorf("%s: %s", name, text)
		}
	}
}

func TestRefusedActionsDoNotChangeARunningJob(t *testing.T) {
	t.Parallel()
	i, config := running(t, t.TempDir())
	before := decodeJobPrivate(i.private).UID
	for name, tt := range map[string]struct {
		action string
		config tree
		want   string
	}{
		"a running job does not run again":                      {"openpai_job_rerun", tree{}, "Cannot run the job again: job.mnist has not finished (RUNNING). Stop it first."},
		"a gang is not rescaled, because that would replace it": {"openpai_job_rescale", tree{"task_role": "worker", "instances": 2}, `Cannot rescale the job: job.mnist would have to be replaced (the declaration changed). A gang can be rescaled in place`},
		"0 is not a valid number of tasks":                      {"openpai_job_rescale", tree{"task_role": "worker", "instances": 0}, "Value is out of range"},
	} {
		tt.config["name"] = "mnist"
		if text := i.tf.invoke(tt.action, tt.config); !strings.Contains(text, "error: ") || !strings.Contains(text, tt.want) {
			t.Errorf("%s: %s", name, text)
		}
	}
	if text := i.refresh(); text != "" || decodeJobPrivate(i.private).UID != before || i.text("state") != "RUNNING" {
		t.Errorf("the job was replaced: %s %s", i.text("state"), text)
	}
	if p := i.plan(config); p.action(i.state) != "none" {
		t.Errorf("%s\n%s", p.action(i.state), p.diagnostics)
	}
}

// The record of a job that a different program applied does not contain a
// declaration to apply again.
func TestAJobThatTerraformDidNotApplyIsNotRunAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tf := start(t, dir)
	tf.resource("openpai_job").mustApply(job([]string{"true"}, tree{"wait_for": "completed"}), "create")
	forgetDeclaration(t, dir)
	tf.configure(tree{"local": tree{"directory": dir, "user": "alice"}})
	if text := tf.invoke("openpai_job_rerun", tree{"name": "mnist"}); !strings.Contains(text, "a different program applied the job") {
		t.Error(text)
	}
}

// TestADeclarationOfAnotherVersionIsAnError gives the declaration in the record a
// different schema.
func TestADeclarationOfAnotherVersionIsAnError(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tf := start(t, dir)
	tf.resource("openpai_job").mustApply(job([]string{"true"}, tree{"wait_for": "completed"}), "create")
	editRecords(t, dir, func(record tree) {
		text, err := base64.StdEncoding.DecodeString(record["declaration"].(string))
		if err != nil {
			t.Fatal(err)
		}
		record["declaration"] = bytes.Replace(text, []byte(`["true"]`), []byte(`"true"`), 1)
	})
	tf.configure(tree{"local": tree{"directory": dir, "user": "alice"}})
	want := "error: The action failed: A different version of the provider wrote the declaration of the job: task_roles: worker: commands: must be a list"
	if text := tf.invoke("openpai_job_rerun", tree{"name": "mnist"}); !strings.HasPrefix(text, want) {
		t.Error(text)
	}
}

// forgetDeclaration makes the records of finished jobs look like records of a
// different front end.
func forgetDeclaration(t *testing.T, dir string) {
	t.Helper()
	editRecords(t, dir, func(record tree) { delete(record, "declaration") })
}

// editRecords changes the records of finished jobs. It first waits until each
// record contains the completion time, because the supervisor rewrites the
// record when a job ends.
func editRecords(t *testing.T, dir string, change func(tree)) {
	t.Helper()
	records, err := filepath.Glob(filepath.Join(dir, ".openpai", "records", "*.json"))
	if err != nil || len(records) == 0 {
		t.Fatalf("%d records: %v", len(records), err)
	}
	for _, name := range records {
		var record tree
		var text []byte
		for deadline := time.Now().Add(time.Minute); err == nil && record["completed"] == nil && time.Now().Before(deadline); {
			if text, err = os.ReadFile(name); err == nil {
				err = json.Unmarshal(text, &record)
			}
		}
		change(record)
		if err == nil {
			text, err = json.Marshal(record)
		}
		if err == nil {
			err = os.WriteFile(name, text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestAFailedPrefetchShowsTheReasonAndLeavesNoJob(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tf := start(t, dir)
	storage := tf.resource("openpai_storage")
	storage.mustApply(tree{"name": "data", "host_path": "store"}, "create")
	fill := script("fill")
	fill["callbacks"] = []any{tree{"event": "taskStarts", "commands": []string{"exit 7"}}}
	text := tf.invoke("openpai_storage_prefetch", tree{"storage": storage.text("definition"), "prerequisites": []string{define(t, tf, fill)}})
	for _, want := range []string{"progress: job.prefetch-", "error: ", "ended as FAILED"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if jobs := outputs(tf.read("openpai_jobs", tree{}))["jobs"].([]any); len(jobs) != 0 {
		t.Errorf("the job still exists: %v", jobs)
	}
	text = tf.invoke("openpai_storage_prefetch", tree{"storage": storage.text("definition"), "prerequisites": []string{"nobody"}})
	if !strings.Contains(text, "Unknown prerequisite") {
		t.Errorf("data that no job declares is fetched: %s", text)
	}
}

// TestAnInterruptedActionReportsItsEnd stops the provider during a prefetch.
func TestAnInterruptedActionReportsItsEnd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tf := start(t, dir)
	storage := tf.resource("openpai_storage")
	storage.mustApply(tree{"name": "data", "host_path": "store"}, "create")
	fill, begun := script("fill"), filepath.Join(dir, "begun")
	fill["callbacks"] = []any{tree{"event": "taskStarts", "commands": []string{"touch " + begun + "; sleep 1000"}}}
	config := tree{"storage": storage.text("definition"), "prerequisites": []string{define(t, tf, fill)}}
	answer := make(chan string, 1)
	go func() { answer <- tf.invoke("openpai_storage_prefetch", config) }()
	eventually(t, func() bool { _, err := os.Stat(begun); return err == nil })
	if _, err := tf.server.StopProvider(t.Context(), &tfprotov6.StopProviderRequest{}); err != nil {
		t.Fatal(err)
	}
	select {
	case text := <-answer:
		if !strings.Contains(text, "error: The action failed: prefetch with job prefetch-") || !strings.Contains(text, "interrupted") {
			t.Errorf("%s", text)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("StopProvider returned before the action ended")
	}
	if jobs := outputs(tf.read("openpai_jobs", tree{}))["jobs"].([]any); len(jobs) != 0 {
		t.Errorf("the job still exists: %v", jobs)
	}
}

func TestAnActionWithoutItsClusterSaysSo(t *testing.T) {
	t.Parallel()
	tf := startWith(t, onKubernetes(tree{"kubeconfig": t.TempDir() + "/none", "runtime_image": "example.org/runtime:1"}))
	for name, config := range map[string]tree{
		"openpai_job_stop":         {"name": "mnist"},
		"openpai_job_rerun":        {"name": "mnist"},
		"openpai_job_rescale":      {"name": "mnist", "task_role": "worker", "instances": 2},
		"openpai_storage_prefetch": {"storage": "data", "prerequisites": []string{}},
	} {
		if text := tf.invoke(name, config); !strings.HasPrefix(text, "error: ") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// listed returns the names of the jobs, and the diagnostics.
func (tf *terraform) listed(config tree, limit int64) []string {
	tf.t.Helper()
	stream, err := tf.server.(tfprotov6.ListResourceServer).ListResource(tf.t.Context(), &tfprotov6.ListResourceRequest{
		TypeName: "openpai_job", Config: tf.encode(tf.value(config, tf.schema.ListResourceSchemas["openpai_job"].ValueType())), Limit: limit,
	})
	if err != nil {
		tf.t.Fatal(err)
	}
	var all []string
	for r := range stream.Results {
		all = append(all, r.DisplayName+diagnosticsText(r.Diagnostics))
	}
	return all
}

func TestJobsThatSomebodyDeletedAreListedOnRequest(t *testing.T) {
	t.Parallel()
	gone := &planner.LiveJob{State: planner.StateRunning}
	there := &planner.LiveJob{State: planner.StateRunning, Present: true}
	ended := &planner.LiveJob{State: planner.StateSucceeded}
	tests := map[string]struct {
		states []string
		want   []*planner.LiveJob
	}{
		"jobs that can be imported":                     {nil, []*planner.LiveJob{there, ended}},
		"running jobs are the jobs that have not ended": {[]string{"RUNNING"}, []*planner.LiveJob{there}},
		"jobs that somebody deleted":                    {[]string{"GONE"}, []*planner.LiveJob{gone}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			chosen := chosenStates{}
			for _, s := range tt.states {
				chosen[planner.JobState(s)] = true
			}
			got := slices.DeleteFunc([]*planner.LiveJob{gone, there, ended}, func(j *planner.LiveJob) bool { return !chosen.lists(j) })
			if !slices.Equal(got, tt.want) {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
	if got := jobTree(gone, "alice", "a")["state"]; got != "GONE" {
		t.Errorf("the data source shows %v", got)
	}
}

func TestListsOfJobsAreBoundedAndChosen(t *testing.T) {
	t.Parallel()
	tf := start(t, t.TempDir())
	for name, command := range map[string]string{"a": "true", "b": "exit 3", "c": "true"} {
		tf.resource("openpai_job").apply(job([]string{command}, tree{"name": name, "wait_for": "completed"}))
	}
	tests := map[string]struct {
		config tree
		limit  int64
		want   string
	}{
		"all":                     {tree{}, 10, "a (SUCCEEDED), b (FAILED), c (SUCCEEDED)"},
		"the first two":           {tree{}, 2, "a (SUCCEEDED), b (FAILED)"},
		"the jobs that failed":    {tree{"states": []string{"FAILED"}}, 10, "b (FAILED)"},
		"one of the ended jobs":   {tree{"states": []string{"SUCCEEDED"}}, 1, "a (SUCCEEDED)"},
		"a state that no job has": {tree{"states": []string{"RUNNING"}}, 10, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := strings.Join(tf.listed(tt.config, tt.limit), ", "); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
	away := startWith(t, onKubernetes(tree{"kubeconfig": t.TempDir() + "/none"}))
	if got := away.listed(tree{}, 10); len(got) != 1 || !strings.Contains(got[0], "error: Cannot read the jobs") {
		t.Errorf("without a cluster: %v", got)
	}
}
