// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/openpai/terraform-provider-openpai/internal/history"
)

// sleeping returns a job that runs until destroy. Apply waits until the job
// runs: a plan to end a waiting job cannot end a running job.
func sleeping(more string) string {
	return fmt.Sprintf(`
resource "openpai_job" "test" {
  name            = "acc-test"
  gang_allocation = false
  wait_for        = "running"
  task_roles = {
    worker = {
      image     = "ubuntu:22.04"
      commands  = ["exec sleep 1000"]
      resources = { gpu = 0, cpu = 1, memory_mb = 64 }
      %s
    }
  }
}
`, more)
}

func TestAJobIsCreatedUpdatedAndReplaced(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	known := func(attribute string, value knownvalue.Check) statecheck.StateCheck {
		return statecheck.ExpectKnownValue("openpai_job.test", tfjsonpath.New(attribute), value)
	}
	uid := ""
	testResource(t,
		resource.TestStep{
			Config: localIn(dir, sleeping("")),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction("openpai_job.test", plancheck.ResourceActionCreate),
				unknownOnly("openpai_job.test", "state"),
			}},
			ConfigStateChecks: []statecheck.StateCheck{known("id", knownvalue.StringExact("alice~acc-test")), known("outdated", knownvalue.Bool(false)), known("state", knownvalue.StringExact("RUNNING"))},
			PostApplyFunc:     func() { uid = liveJob(t, dir).UID },
		},
		resource.TestStep{
			Config:           localIn(dir, sleeping("instances = 2")),
			ConfigPlanChecks: expectAction("openpai_job.test", plancheck.ResourceActionUpdate),
			PostApplyFunc: func() {
				if now := liveJob(t, dir).UID; now != uid {
					t.Errorf("another Framework: %s, not %s", now, uid)
				}
			},
		},
		resource.TestStep{Config: localIn(dir, sleeping(`environment = { A = "b" }`)), ConfigPlanChecks: expectAction("openpai_job.test", plancheck.ResourceActionReplace)},
		resource.TestStep{
			PreConfig:        func() { deleteOutside(t, dir) },
			Config:           localIn(dir, sleeping(`environment = { A = "b" }`)),
			ConfigPlanChecks: expectAction("openpai_job.test", plancheck.ResourceActionCreate),
		},
	)
}

func TestADescriptionChangesInPlace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	described := func(text string) string {
		return localIn(dir, strings.Replace(sleeping(""), "name ", fmt.Sprintf("description = %q\n  name ", text), 1))
	}
	testResource(t,
		resource.TestStep{
			Config:           described("first"),
			ConfigPlanChecks: expectAction("openpai_job.test", plancheck.ResourceActionCreate),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownValue("openpai_job.test", tfjsonpath.New("description"), knownvalue.StringExact("first")),
			},
		},
		resource.TestStep{
			Config:           described("second"),
			ConfigPlanChecks: expectAction("openpai_job.test", plancheck.ResourceActionUpdate),
		},
	)
}

// finished returns a job whose apply waits until the job has ended.
func finished(arguments string) string {
	return ending("echo <% $parameters.lr %>", arguments+"\n  parameters = { lr = 1 }")
}

// ending returns a job like finished, with another command.
func ending(command, arguments string) string {
	return fmt.Sprintf(`
resource "openpai_job" "test" {
  wait_for = "completed"
  %s
  task_roles = {
    worker = {
      image     = "ubuntu:22.04"
      commands  = [%q]
      resources = { gpu = 0, cpu = 1, memory_mb = 64 }
    }
  }
}
`, arguments, command)
}

// TestAnImportedJobHasNoChanges imports a job by both forms of its ID. The plan for
// an import block must not contain any other change.
func TestAnImportedJobHasNoChanges(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := localIn(dir, finished(`
  name         = "acc-test"
  environment  = { A = "1" }
  max_run_time = "90m"`))
	imported := func(id string) resource.TestStep {
		return resource.TestStep{ResourceName: "openpai_job.test", ImportState: true, ImportStateKind: resource.ImportBlockWithID, ImportStateId: id}
	}
	testResource(t, resource.TestStep{Config: config}, imported("acc-test"), imported("alice~acc-test"),
		resource.TestStep{
			ResourceName: "openpai_job.test", ImportState: true, ImportStateId: "nobody",
			ExpectError: regexp.MustCompile("No such job"),
		})
}

func TestAnotherSpellingIsNoChange(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	spelled := func(duration string) string {
		return localIn(dir, finished(fmt.Sprintf("name = \"acc-test\"\n  max_run_time = %q", duration)))
	}
	testResource(t,
		resource.TestStep{Config: spelled("90m")},
		resource.TestStep{
			Config:           spelled("1h30m"),
			ConfigPlanChecks: unchanged,
		},
	)
}

func TestARenamedJobIsReplaced(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	testResource(t,
		resource.TestStep{Config: localIn(dir, finished(`name = "acc-test"`))},
		resource.TestStep{
			Config: localIn(dir, finished(`name = "acc-other"`)),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction("openpai_job.test", plancheck.ResourceActionReplace),
				plancheck.ExpectKnownValue("openpai_job.test", tfjsonpath.New("id"), knownvalue.StringExact("alice~acc-other")),
			}},
		},
	)
}

func TestPreventDestroyRefusesTheEnd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	protected := func(value bool) string {
		return localIn(dir, finished(fmt.Sprintf("name = \"acc-test\"\n  prevent_destroy = %t", value)))
	}
	testResource(t,
		resource.TestStep{Config: protected(true)},
		resource.TestStep{Config: protected(true), Destroy: true, ExpectError: regexp.MustCompile("prevent_destroy")},
		resource.TestStep{Config: protected(false)}, // allows the test to destroy the job
	)
}

// TestAFinishedJobWhoseFrameworkIsGoneStays deletes the files of a job that has
// ended. Its record must remain enough for plans.
func TestAFinishedJobWhoseFrameworkIsGoneStays(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ran := filepath.ToSlash(filepath.Join(dir, "ran"))
	echo := func(word, more string) string {
		return localIn(dir, ending("echo "+word+" >> "+ran, "name = \"acc-test\"\n  "+more))
	}
	remove := func() {
		eventually(t, func() bool { // the supervisor writes the outcome last
			record, err := os.ReadFile(filepath.Join(dir, ".openpai", "records", accTest+".json"))
			return err == nil && strings.Contains(string(record), `"SUCCEEDED"`) && os.RemoveAll(filepath.Join(dir, ".openpai", "frameworks")) == nil
		})
	}
	outdated := func(value bool) []statecheck.StateCheck {
		return expectValues("openpai_job.test", map[string]knownvalue.Check{"outdated": knownvalue.Bool(value), "state": knownvalue.StringExact("SUCCEEDED")})
	}
	testResource(t,
		resource.TestStep{Config: echo("x", "")},
		resource.TestStep{PreConfig: remove, Config: echo("x", ""), ConfigPlanChecks: unchanged},
		resource.TestStep{Config: echo("y", ""), ConfigPlanChecks: expectAction("openpai_job.test", plancheck.ResourceActionUpdate), ConfigStateChecks: outdated(true)},
		resource.TestStep{
			Config:            echo("y", `rerun = "on_change"`),
			ConfigPlanChecks:  expectAction("openpai_job.test", plancheck.ResourceActionReplace),
			ConfigStateChecks: outdated(false),
		},
	)
	if text := read(t, ran); text != "x\ny\n" {
		t.Errorf("the job wrote %q", text)
	}
}

// TestThePlanMarksTheAttributeThatReplacesTheJob changes one attribute of each
// job. The task roles inherit some of these attributes.
func TestThePlanMarksTheAttributeThatReplacesTheJob(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const inline = `prerequisites = [{ type = "script", name = "setup", callbacks = [{ event = "taskStarts", commands = ["true"] }] }]`
	const deployment = "default_deployment = \"prod\"\n  " + `deployments = { prod = { task_roles = { worker = { pre_commands = ["true"] } } } }`
	jobs := map[string]struct{ job, role, before, after, want string }{
		"command":      {"", "", "sleep 1000", "sleep 1001", "task_roles.worker.commands.0"},
		"environment":  {`environment = { MODE = "a", KEPT = "1" }`, "", `MODE = "a"`, `MODE = "b"`, "environment"},
		"max-run-time": {`max_run_time = "1h"`, "", "1h", "2h", "max_run_time"},
		"deployments":  {deployment, "", `"true"`, `"false"`, "deployments"},
		// Terraform does not show the replacement mark for an attribute that
		// accepts any type.
		"parameters":    {"parameters = { rate = 1 }", `environment = { RATE = "<% $parameters.rate %>" }`, "rate = 1", "rate = 2", "content_hash parameters"},
		"prerequisites": {inline, `prerequisites = [{ use = "setup" }]`, `"true"`, `"false"`, "content_hash prerequisites"},
	}
	before, after, marks := "", "", []plancheck.PlanCheck{}
	for name, job := range jobs {
		declared := strings.NewReplacer(`"test"`, fmt.Sprintf("%q", name), `"acc-test"`, fmt.Sprintf("%q\n  %s", name, job.job)).Replace(sleeping(job.role))
		before, after = before+declared, after+strings.ReplaceAll(declared, job.before, job.after)
		marks = append(marks, replacedBy("openpai_job."+name, job.want))
	}
	testResource(t,
		resource.TestStep{Config: localIn(dir, before)},
		resource.TestStep{
			Config: localIn(dir, after), PlanOnly: true, ExpectNonEmptyPlan: true,
			ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPreRefresh: marks},
		},
	)
}

// TestJobsAreAppliedSideBySide applies several jobs at once. Terraform sends the requests
// to one server.
func TestJobsAreAppliedSideBySide(t *testing.T) {
	t.Parallel()
	testResource(t, resource.TestStep{
		Config: localIn(t.TempDir(), ending("true", "count    = 8\n  name     = \"side-${count.index}\"")+`
data "openpai_jobs" "test" {
  states     = ["SUCCEEDED"]
  depends_on = [openpai_job.test]
}
`),
		ConfigStateChecks: expectValues("data.openpai_jobs.test", map[string]knownvalue.Check{"jobs": knownvalue.ListSizeExact(8)}),
	})
}

func TestTheOrderOfTaskRolesIsKept(t *testing.T) {
	t.Parallel()
	const role = `{ image = "ubuntu:22.04", commands = ["true"], resources = { gpu = 0, cpu = 1, memory_mb = 64 } }`
	tasks := func(roles ...string) []statecheck.StateCheck {
		var all []knownvalue.Check
		for _, name := range roles {
			all = append(all, knownvalue.ObjectPartial(map[string]knownvalue.Check{"role": knownvalue.StringExact(name)}))
		}
		return expectValues("data.openpai_job.test", map[string]knownvalue.Check{"tasks": knownvalue.ListExact(all)})
	}
	testResource(t, resource.TestStep{
		Config: localIn(t.TempDir(), `
resource "openpai_job" "test" {
  name            = "acc-test"
  wait_for        = "completed"
  task_role_order = ["worker", "ps"]
  task_roles      = { ps = `+role+`, worker = `+role+` }
}
data "openpai_job" "test" { name = openpai_job.test.name }
`),
		ConfigStateChecks: tasks("worker", "ps"),
	})
}

func TestTheRecordOfARunHasTheVersionAndTheCommit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	git(t, dir, "commit", "-q", "--allow-empty", "-m", "start")
	testResource(t, resource.TestStep{Config: localIn(dir, finished(`name = "acc-test"`)), PostApplyFunc: func() {
		files, err := filepath.Glob(filepath.Join(dir, ".openpai", "history", "*", "*-1-*.json"))
		if err != nil || len(files) != 1 {
			t.Fatalf("records %q: %v", files, err)
		}
		r, err := history.Decode(files[0], []byte(read(t, files[0])))
		if err != nil {
			t.Fatal(err)
		}
		if r.Versions.OpenPAI != "test" || r.Versions.Runtime != "test" || r.Git == nil || r.Git.Dirty {
			t.Errorf("versions %+v, git %+v", r.Versions, r.Git)
		}
	}})
}

// tools declares two scripts; unzip requires wget.
const tools = `
resource "openpai_prerequisite" "wget" {
  type      = "script"
  name      = "wget"
  callbacks = [{ event = "taskStarts", commands = ["echo wget"] }]
}

resource "openpai_prerequisite" "unzip" {
  type      = "script"
  name      = "unzip"
  require   = [{ use = openpai_prerequisite.wget.definition }]
  callbacks = [{ event = "taskStarts", commands = ["echo unzip"] }]
}
`

// TestEveryReferenceStartsWhatItRequires declares jobs that refer to unzip in
// different forms. Each job must start wget before unzip.
func TestEveryReferenceStartsWhatItRequires(t *testing.T) {
	t.Parallel()
	const unzip = "openpai_prerequisite.unzip.definition"
	forms := map[string]struct{ job, role string }{
		"use":        {role: "prerequisites = [{ use = " + unzip + " }]"},
		"definition": {role: "prerequisites = [{ definition = " + unzip + " }]"},
		"script":     {role: "script = " + unzip},
		"name":       {job: "prerequisites = [" + unzip + "]", role: `prerequisites = [{ use = "unzip" }]`},
		"object":     {job: "prerequisites = [{ use = " + unzip + " }]", role: `prerequisites = [{ use = "unzip" }]`},
		"address":    {job: "prerequisites = [" + unzip + "]", role: `prerequisites = [{ use = "prerequisite.script.unzip" }]`},
		"required":   {role: "prerequisites = [{ use = " + unzip + ` }, { use = "prerequisite.script.wget" }]`},
	}
	config, checks := tools, []statecheck.StateCheck{}
	for name, form := range forms {
		config += fmt.Sprintf(`
resource "openpai_job" %[1]q {
  name     = %[1]q
  wait_for = "completed"
  %[2]s
  task_roles = {
    worker = {
      image     = "ubuntu:22.04"
      commands  = ["true"]
      resources = { gpu = 0, cpu = 1, memory_mb = 64 }
      %[3]s
    }
  }
}
`, name, form.job, form.role)
		checks = append(checks, statecheck.ExpectKnownValue("openpai_job."+name, tfjsonpath.New("prerequisite_order").AtMapKey("worker"),
			knownvalue.ListExact([]knownvalue.Check{knownvalue.StringExact("prerequisite.script.wget"), knownvalue.StringExact("prerequisite.script.unzip")})))
	}
	testResource(t, resource.TestStep{Config: localIn(t.TempDir(), config), ConfigStateChecks: checks})
}
