// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/openpai/terraform-provider-openpai/provider"
)

// declaring returns a job with more attributes of the job and of its task role.
func declaring(job, role string) string {
	return strings.Replace(sleeping(role), "name ", job+"\n  name ", 1)
}

// greeting returns a prerequisite of a job, with more attributes.
func greeting(more string) string {
	return `{ type = "script", name = "greet", callbacks = [{ event = "taskStarts", commands = ["echo greet"] }]` + more + ` }`
}

// TestAnInvalidJobHasOneErrorWithThePath expects the whole text of each error. For a
// nested attribute, Terraform may show only the line of the resource, so the text ends
// with the path. The rules in hclspec have separate tests.
func TestAnInvalidJobHasOneErrorWithThePath(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const uses = `prerequisites = [{ use = "greet" }]`
	declared := func(greetings string) string { return "prerequisites = [" + greetings + "]" }
	tests := map[string]struct{ config, summary, detail string }{
		"a field of a role": {
			declaring("", "instances = 0"), "Value is out of range",
			`instances must be at least 1, but is 0. At task_roles["worker"].instances.`,
		},
		"an element of a list": {
			declaring("", `prerequisites = [{ use = "nobody" }]`), "Unknown prerequisite",
			`Task role "worker" of job "acc-test" refers to "nobody" in prerequisites, but no prerequisite with that name is declared. At task_roles["worker"].prerequisites[0].`,
		},
		"a timeout": {
			declaring(`timeouts = { create = "1y" }`, ""), "Invalid spelling",
			`create is "1y", but a duration uses the units d, h, m and s, for example "1d12h". At timeouts.create.`,
		},
		"an attribute of the job": {
			declaring(`max_run_time = "90"`, ""), "Invalid spelling",
			`max_run_time is "90", but a duration consists of integers, each followed by one of the units d, h, m and s, for example "1d12h".`,
		},
		"two prerequisites of one name": {
			declaring(declared(greeting("")+", "+greeting(`, title = "another one"`)), ""), "Declared twice",
			`The script prerequisite "greet" is declared twice, first at prerequisites[0].name. Rename or remove one. At prerequisites[1].name.`,
		},
		"an image in upper case": {
			strings.Replace(sleeping(""), "ubuntu:22.04", "docker.io/Library/Busybox", 1), "Image name is not lower case",
			`The image "docker.io/Library/Busybox" has upper-case letters in its repository name. Container engines reject this name; write "docker.io/library/busybox". At task_roles["worker"].image.`,
		},
		"commands for a role that does not exist": {
			declaring(`deployments = { prod = { task_roles = { wrker = { pre_commands = ["true"] } } } }`, ""), "Deployment for an unknown task role",
			`The deployment "prod" of job "acc-test" contains commands for the task role "wrker", which the job does not declare. Did you mean "worker"? At deployments["prod"].task_roles["wrker"].`,
		},
		"a misspelled prerequisite": {
			declaring(declared(greeting("")), `prerequisites = [{ use = "great" }]`), "Unknown prerequisite",
			`Task role "worker" of job "acc-test" refers to "great" in prerequisites, but no prerequisite with that name is declared. Did you mean "greet"? At task_roles["worker"].prerequisites[0].`,
		},
		"a prerequisite that requires itself": {
			declaring(declared(greeting(`, require = [{ use = "greet" }]`)), uses), "Prerequisites require each other",
			`The requirements of these prerequisites form a cycle: prerequisite.script.greet requires prerequisite.script.greet (prerequisites[0].require[0]) At prerequisites[0].require[0].`,
		},
		"a reserved variable of an inline prerequisite": {
			declaring(declared(greeting(`, environment = { PAI_X = "1" }`)), uses), "Reserved environment variable",
			`The runtime sets PAI_X. A job cannot set environment variables whose names begin with PAI_ or FC_. Choose another name. At prerequisites[0].environment["PAI_X"].`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			testResource(t, resource.TestStep{Config: localIn(dir, tt.config), PlanOnly: true, ExpectError: saysOnly(tt.summary, tt.detail)})
		})
	}
}

// TestErrorsOfAJobShowTheAttribute expects the line of each attribute. Terraform shows
// this line only for an error with the path of the attribute.
func TestErrorsOfAJobShowTheAttribute(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	testRefusals(t, map[string]refusal{
		"a duration": {localIn(dir, declaring(`max_run_time = "90"`, "")), `max_run_time = "90" max_run_time is "90", but`},
		"wait_for":   {localIn(dir, strings.Replace(sleeping(""), `"running"`, `"complete"`, 1)), `wait_for = "complete" wait_for must be one of "accepted", "running", "completed", but is "complete".`},
	})
}

// TestTwoResourcesCannotDeclareOneJob gives the name of the job in the state to a second
// resource. Terraform plans the first resource before the second one, because an error
// would otherwise prevent the second plan.
func TestTwoResourcesCannotDeclareOneJob(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := func(count int, name string) string {
		return ending("true", fmt.Sprintf("count    = %d\n  name     = %q", count, name))
	}
	second := strings.Replace(ending("true", "name = \"acc-test\"\n  depends_on = [openpai_job.test]"), `"test"`, `"second"`, 1)
	refused := func(first, want string) resource.TestStep {
		return resource.TestStep{Config: localIn(dir, first+second), PlanOnly: true, ExpectError: saysOnly(provider.SameJob.Summary, want)}
	}
	testResource(t,
		resource.TestStep{Config: localIn(dir, first(1, "acc-test"))},
		refused(first(1, "acc-test"), `Another openpai_job has the name "acc-test" and the same user. Change the name of one of the resources.`),
		refused(first(1, "other"), `In this state, a different resource still declares the job "acc-test", and this plan renames that job. Apply the rename first, then give the name "acc-test" to another openpai_job.`),
		refused(first(0, "acc-test"), `In this state, the job "acc-test" is at a different address, or is a deposed object left by create_before_destroy.
			If the address of the resource changed, add a moved block. After such a replacement, remove create_before_destroy.
			Then remove the resource from the state with `+"`terraform state rm`"+`, which does not end the job, and import the job:
			import {
			  to = openpai_job.acc-test
			  id = "alice~acc-test"
			}`),
	)
}

func TestAPolicyDeniesAJob(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	policies := t.TempDir()
	file := filepath.Join(policies, "p.pai.hcl")
	write(t, file, `policy "no_sleep" {
  for_each  = task_roles
  condition = !anytrue([for c in each.value.commands : startswith(c, "sleep")])
  level     = deny
  message   = "${each.value.name} sleeps."
  field     = "commands"
}
`)
	running := func(command string) string {
		return strings.Replace(localIn(dir, ending(command, `name = "acc-test"`)), "local {", fmt.Sprintf("policies = %q\n  local {", filepath.ToSlash(policies)), 1)
	}
	testResource(t,
		resource.TestStep{Config: running("sleep 1"), ExpectError: saysOnly("Denied by a policy", `worker sleeps. (policy "no_sleep" at `+file+`:1, task role worker of job.acc-test) At task_roles["worker"].commands.`)},
		resource.TestStep{Config: running("true")},
	)
}
