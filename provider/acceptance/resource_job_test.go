// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
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

func TestJobResource(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	known := func(attribute string, value knownvalue.Check) statecheck.StateCheck {
		return statecheck.ExpectKnownValue("openpai_job.test", tfjsonpath.New(attribute), value)
	}
	testResource(t,
		resource.TestStep{
			Config:            localIn(dir, sleeping("")),
			ConfigPlanChecks:  expectAction("openpai_job.test", plancheck.ResourceActionCreate),
			ConfigStateChecks: []statecheck.StateCheck{known("id", knownvalue.StringExact("alice~acc-test")), known("outdated", knownvalue.Bool(false))},
		},
		resource.TestStep{Config: localIn(dir, sleeping("instances = 2")), ConfigPlanChecks: expectAction("openpai_job.test", plancheck.ResourceActionUpdate)},
		resource.TestStep{Config: localIn(dir, sleeping(`environment = { A = "b" }`)), ConfigPlanChecks: expectAction("openpai_job.test", plancheck.ResourceActionReplace)},
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
	return fmt.Sprintf(`
resource "openpai_job" "test" {
  wait_for = "completed"
  %s
  task_roles = {
    worker = {
      image     = "ubuntu:22.04"
      commands  = ["echo <%% $parameters.lr %%>"]
      resources = { gpu = 0, cpu = 1, memory_mb = 64 }
    }
  }
  parameters = { lr = 1 }
}
`, arguments)
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
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
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
