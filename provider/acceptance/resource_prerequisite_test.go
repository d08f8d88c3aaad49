// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// scripts returns the prerequisites install, which runs the command, and
// prepare, which requires install.
func scripts(command string) string {
	return fmt.Sprintf(`
resource "openpai_prerequisite" "install" {
  type      = "script"
  name      = "install"
  version   = "1.0"
  callbacks = [{ event = "taskStarts", commands = [%q] }]
}
resource "openpai_prerequisite" "prepare" {
  type        = "script"
  name        = "prepare"
  version     = "1.0"
  description = "first line\n\nthird: line"
  require     = [{ use = openpai_prerequisite.install.definition }]
  callbacks   = [{ event = "taskStarts", commands = ["if true; then\n  echo prepared\nfi"] }]
}
`, command)
}

// using returns a job whose apply waits until the job has ended.
func using(prerequisites, arguments string) string {
	return fmt.Sprintf(`
resource "openpai_job" "test" {
  name     = "acc-test"
  wait_for = "completed"
  %s
  task_roles = {
    worker = {
      image         = "ubuntu:22.04"
      commands      = ["true"]
      prerequisites = %s
      resources     = { gpu = 0, cpu = 1, memory_mb = 64 }
    }
  }
}
`, arguments, prerequisites)
}

// ordered checks the order of the task role's prerequisites.
func ordered(ids ...string) []statecheck.StateCheck {
	var want []knownvalue.Check
	for _, id := range ids {
		want = append(want, knownvalue.StringExact(id))
	}
	return []statecheck.StateCheck{statecheck.ExpectKnownValue("openpai_job.test", tfjsonpath.New("prerequisite_order").AtMapKey("worker"), knownvalue.ListExact(want))}
}

func TestAPrerequisiteIsCreatedAndUpdated(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	declared := func(command string) string {
		return localIn(dir, fmt.Sprintf(`
resource "openpai_prerequisite" "test" {
  type      = "script"
  name      = "acc-test"
  callbacks = [{ event = "taskStarts", commands = [%q] }]
}`, command))
	}
	definition := tfjsonpath.New("definition")
	testResource(t,
		resource.TestStep{
			Config: declared("echo a"),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction("openpai_prerequisite.test", plancheck.ResourceActionCreate),
				plancheck.ExpectKnownValue("openpai_prerequisite.test", definition, knownvalue.NotNull()), // known at plan time
			}},
			ConfigStateChecks: []statecheck.StateCheck{statecheck.ExpectKnownValue("openpai_prerequisite.test", tfjsonpath.New("id"), knownvalue.StringExact(`prerequisite.script.acc-test`))},
		},
		resource.TestStep{Config: declared("echo b"), ConfigPlanChecks: expectAction("openpai_prerequisite.test", plancheck.ResourceActionUpdate)},
	)
}

func TestAJobRunsThePrerequisitesThatItsReferencesBringIn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const use = "[{ use = openpai_prerequisite.prepare.definition }]"
	testResource(t,
		resource.TestStep{
			Config:            localIn(dir, scripts("echo a")+using(use, "")),
			ConfigPlanChecks:  expectAction("openpai_job.test", plancheck.ResourceActionCreate),
			ConfigStateChecks: append(ordered("prerequisite.script.install", "prerequisite.script.prepare"), expectValues("openpai_job.test", map[string]knownvalue.Check{"state": knownvalue.StringExact("SUCCEEDED")})...),
		},
		resource.TestStep{
			Config:           localIn(dir, scripts("echo b")+using(use, "")), // a finished job is not run again
			ConfigPlanChecks: expectAction("openpai_job.test", plancheck.ResourceActionUpdate),
		},
		resource.TestStep{
			Config:           localIn(dir, scripts("echo b")+using(use, `rerun = "on_change"`)),
			ConfigPlanChecks: expectAction("openpai_job.test", plancheck.ResourceActionReplace),
		},
	)
}

func TestAJobHasPrerequisitesOfItsOwn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	inline := func(backoff, arguments string) string {
		return localIn(dir, using(`[{ use = "greet" }]`, fmt.Sprintf(`%s
  prerequisites = [{
    type      = "script"
    name      = "greet"
    callbacks = [{ event = "taskStarts", commands = ["echo hello"] }]
    retry     = { attempts = 2, backoff = %q }
  }]`, arguments, backoff)))
	}
	testResource(t,
		resource.TestStep{Config: inline("90s", ""), ConfigStateChecks: ordered("prerequisite.script.greet")},
		resource.TestStep{ResourceName: "openpai_job.test", ImportState: true, ImportStateKind: resource.ImportBlockWithID, ImportStateId: "acc-test"},
		resource.TestStep{
			Config:           inline("1m30s", ""),
			ConfigPlanChecks: unchanged,
		},
		resource.TestStep{
			Config:           inline("2m", `rerun = "on_change"`),
			ConfigPlanChecks: expectAction("openpai_job.test", plancheck.ResourceActionReplace),
		},
	)
}

func TestTwoDefinitionsOfOneAddressAreRefused(t *testing.T) {
	t.Parallel()
	config := localIn(t.TempDir(), using("[for p in openpai_prerequisite.test : { use = p.definition }]", "")+`
resource "openpai_prerequisite" "test" {
  for_each  = toset(["taskStarts", "taskExits"])
  type      = "script"
  name      = "acc-test"
  callbacks = [{ event = each.key, commands = ["true"] }]
}`)
	testRefusals(t, map[string]refusal{"in one task role": {config, "Prerequisite has two definitions"}})
}

// TestAPublishedPrerequisiteIsTheSameForAJob publishes a prerequisite with its
// requirements. A job that uses the published item must have the same content
// as a job that uses the prerequisite itself.
func TestAPublishedPrerequisiteIsTheSameForAJob(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	published := scripts("echo a") + `
resource "openpai_marketplace_item" "test" {
  to      = "` + dir + `/market"
  name    = "acc-test"
  content = provider::openpai::export_item(openpai_prerequisite.prepare.definition)
}
`
	same := statecheck.CompareValue(compare.ValuesSame())
	hash := func() []statecheck.StateCheck {
		return []statecheck.StateCheck{same.AddStateValue("openpai_job.test", tfjsonpath.New("content_hash"))}
	}
	testResource(t,
		resource.TestStep{Config: localIn(dir, published+using("[{ use = openpai_prerequisite.prepare.definition }]", "")), ConfigStateChecks: hash()},
		resource.TestStep{
			Config: localIn(dir, published+using("[{ use = data.openpai_marketplace_item.test.definition }]", "")+`
data "openpai_marketplace_item" "test" {
  source       = "`+dir+`/market"
  name         = "prepare"
  item_version = "1.0"
}`),
			ConfigStateChecks: hash(),
		},
	)
}

// TestNoDefinitionContainsAnotherOneAsText declares a chain in which each
// prerequisite requires the previous one. The last definition must contain
// each prerequisite once.
func TestNoDefinitionContainsAnotherOneAsText(t *testing.T) {
	t.Parallel()
	const n = 12
	config, require := "", ""
	for i := range n {
		config += fmt.Sprintf(`
resource "openpai_prerequisite" "p%[1]d" {
  type      = "script"
  name      = "p%[1]d"
  callbacks = [{ event = "taskStarts", commands = ["echo %[1]d"] }]
  %[2]s
}
`, i, require)
		require = fmt.Sprintf("require = [{ use = openpai_prerequisite.p%d.definition }]", i)
	}
	length := 0
	short := func(definition string) error {
		if strings.Contains(definition, `\"`) || len(definition) > 2*n*length || strings.Count(definition, `"name":`) != n {
			return fmt.Errorf("%d bytes, the first definition has %d: %s", len(definition), length, definition)
		}
		return nil
	}
	testResource(t, resource.TestStep{Config: localIn(t.TempDir(), config), ConfigStateChecks: []statecheck.StateCheck{
		statecheck.ExpectKnownValue("openpai_prerequisite.p0", tfjsonpath.New("definition"), knownvalue.StringFunc(func(text string) error {
			length = len(text)
			return nil
		})),
		statecheck.ExpectKnownValue(fmt.Sprintf("openpai_prerequisite.p%d", n-1), tfjsonpath.New("definition"), knownvalue.StringFunc(short)),
	}})
}

func TestAnInvalidPrerequisiteHasOneErrorWithThePath(t *testing.T) {
	t.Parallel()
	testResource(t, resource.TestStep{
		Config: localIn(t.TempDir(), `
resource "openpai_prerequisite" "test" {
  type        = "script"
  name        = "acc-test"
  environment = { PAI_X = "1" }
  callbacks   = [{ event = "taskStarts", commands = ["true"] }]
}`),
		PlanOnly: true,
		ExpectError: saysOnly("Reserved environment variable",
			`The runtime sets PAI_X. A job cannot set environment variables whose names begin with PAI_ or FC_. Choose another name. At environment["PAI_X"].`),
	})
}

func TestAFetchOfAMissingFileIsRefused(t *testing.T) {
	t.Parallel()
	config := localIn(t.TempDir(), using("[{ use = openpai_prerequisite.test.definition }]", "")+`
resource "openpai_prerequisite" "test" {
  type  = "data"
  name  = "acc-test"
  fetch = [{ url = "missing.zip", to = "/tmp/missing" }]
}`)
	testRefusals(t, map[string]refusal{"by a job": {config, hclspec.UnreadableFile.Summary}})
}
