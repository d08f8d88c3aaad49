// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// parsed is a local value: a job in the format of the OpenPAI protocol.
const parsed = `
locals {
  job = provider::openpai::parse_protocol(<<-EOT
    protocolVersion: 2
    name: covid
    type: job
    prerequisites:
      - name: torch
        type: dockerimage
        uri: openpai/standard:python_3.6-pytorch_1.2.0-gpu
      - name: wget
        type: script
        callbacks: [{event: taskStarts, commands: [apt list]}]
      - name: data
        type: data
        uri: [https://example.org/data.zip]
        require: [wget]
        callbacks: [{event: taskStarts, commands: ["wget <% this.uri[0] %>"]}]
    parameters: {lr: 0.1}
    taskRoles:
      worker:
        instances: 2
        dockerImage: torch
        prerequisites: [data]
        resourcePerInstance: {gpu: 1, cpu: 3, memoryMB: 29065}
        commands: ["python train.py <% $parameters.lr %>"]
  EOT
  )
}
`

func TestAJobOfTheProtocolIsTheSameInTerraform(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := func(s string) knownvalue.Check { return knownvalue.StringExact(s) }
	testResource(t,
		resource.TestStep{
			Config: localIn(dir, parsed+`
output "order" { value = provider::openpai::resolve_prerequisites(local.job) }
output "same" { value = provider::openpai::parse_protocol(provider::openpai::export_protocol(local.job)) == local.job }
`),
			ConfigStateChecks: []statecheck.StateCheck{
				statecheck.ExpectKnownOutputValue("same", knownvalue.Bool(true)),
				statecheck.ExpectKnownOutputValue("order", knownvalue.ObjectExact(map[string]knownvalue.Check{
					"worker": knownvalue.TupleExact([]knownvalue.Check{text("prerequisite.script.wget"), text("prerequisite.data.data")}),
				})),
			},
		},
		resource.TestStep{
			Config: localIn(dir, parsed+`
resource "openpai_job" "test" {
  name          = local.job.name
  parameters    = local.job.parameters
  prerequisites = local.job.prerequisites
  task_roles    = local.job.task_roles
}`),
			PlanOnly: true, ExpectNonEmptyPlan: true, // the job needs a GPU
			ConfigPlanChecks: resource.ConfigPlanChecks{PostApplyPreRefresh: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction("openpai_job.test", plancheck.ResourceActionCreate),
			}},
		},
	)
}

// described contains local values with the attributes of a job and of a cluster.
const described = `
locals {
  role    = { image = "ubuntu:22.04", commands = ["true"], resources = { gpu = 0, cpu = 1, memory_mb = 64 } }
  job     = { name = "acc-test", task_roles = { worker = local.role } }
  cluster = { user = "alice", workspace = "team", namespace = null, profile = null, runtime_image = "example.org/runtime:1" }
}
`

func TestAFrameworkIsRendered(t *testing.T) {
	t.Parallel()
	name := contract.FrameworkName("alice", "acc-test")
	testResource(t, resource.TestStep{
		Config: localIn(t.TempDir(), described+`
output "name" { value = provider::openpai::framework_name("alice", "acc-test") }
output "framework" {
  value = provider::openpai::render_framework(local.job, local.cluster)
}`),
		ConfigStateChecks: []statecheck.StateCheck{
			statecheck.ExpectKnownOutputValue("name", knownvalue.StringExact(name)),
			statecheck.ExpectKnownOutputValue("framework", knownvalue.StringRegexp(says(name))),
			statecheck.ExpectKnownOutputValue("framework", knownvalue.StringRegexp(says("executionType: Start"))),
		},
	})
}

func TestFunctionsOmitTheSecretsOfAResource(t *testing.T) {
	t.Parallel()
	check := func(output string, contains string) statecheck.StateCheck {
		return statecheck.ExpectKnownOutputValue(output, knownvalue.StringFunc(func(text string) error {
			if !strings.Contains(text, contains) || strings.Contains(text, canary) {
				return fmt.Errorf("no %q, or the value of the secret, in\n%s", contains, text)
			}
			return nil
		}))
	}
	testResource(t, resource.TestStep{
		Config: localIn(t.TempDir(), described+ending("echo <% $secrets.token %>", "name = \"acc-test\"\n  secrets_wo = { token = \""+canary+"\" }")+`
output "protocol" { value = provider::openpai::export_protocol(openpai_job.test) }
output "framework" { value = provider::openpai::render_framework(openpai_job.test, local.cluster) }`),
		ConfigStateChecks: []statecheck.StateCheck{check("protocol", "token: "), check("framework", "kind: Secret")},
	})
}

func TestErrorsOfFunctionsShowThePathAndTheProblem(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	call := func(function, arguments string) string {
		return localIn(dir, described+"output \"test\" { value = provider::openpai::"+function+"("+arguments+") }\n")
	}
	// with returns an expression for the job with changed attributes of the
	// task role.
	with := func(role string) string {
		return "merge(local.job, { task_roles = { worker = merge(local.role, " + role + ") } })"
	}
	testRefusals(t, map[string]refusal{
		"an attribute that does not exist": {
			call("resolve_prerequisites", with(`{ comands = ["true"] }`)),
			`task_roles["worker"].comands: Unknown argument: Unknown attribute "comands" in a task role. Did you mean "commands"? [unknown-argument].`,
		},
		"no task roles": {
			call("export_protocol", `{ name = "x" }`),
			"Missing argument: This job requires the attribute task_roles.",
		},
		"a role without resources": {
			call("export_protocol", `{ name = "x", task_roles = { w = { image = "a:1", commands = ["true"] } } }`),
			`task_roles["w"]: Missing argument: This task role requires the attribute resources.`,
		},
		"no name": {
			call("export_protocol", "{ task_roles = local.job.task_roles }"),
			"Missing argument: This job requires the attribute name",
		},
		"a string instead of a list": {
			call("export_protocol", with(`{ commands = "true" }`)),
			`task_roles["worker"].commands: Wrong type of value: commands must be a list of strings, but it is a string`,
		},
		"an invalid order": {
			call("export_protocol", `merge(local.job, { task_role_order = "worker" })`),
			"task_role_order must be a list of strings: must be a list, but is a string",
		},
		"an argument that is not an object": {
			call("export_protocol", `"job"`),
			"the argument must be an object with the attributes of a job",
		},
		"an unknown prerequisite": {
			call("export_protocol", with(`{ prerequisites = [{ use = "nobody" }] }`)),
			`task_roles["worker"].prerequisites[0]: Unknown prerequisite`,
		},
		"a text that is not YAML": {
			call("parse_protocol", `"a: ["`),
			"yaml:1",
		},
		"an unknown profile": {
			call("render_framework", `local.job, merge(local.cluster, { profile = "opnpai" })`),
			`cluster.profile: Value is not allowed: profile must be "standard" or "openpai", but is "opnpai". Did you mean "openpai"? [value-not-allowed]`,
		},
		"an item that is the name of a prerequisite": {call("export_item", `"script.wget"`), "Invalid definition"},
		"an item that is another JSON":               {call("export_item", `jsonencode({ a = 1 })`), "Invalid definition"},
	})
}
