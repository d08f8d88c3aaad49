// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// later declares values that are unknown until apply.
const later = `
resource "terraform_data" "text" { input = "1" }
resource "terraform_data" "role" {
  input = { image = "ubuntu:22.04", commands = ["true"], resources = { gpu = 0, cpu = 1, memory_mb = 64 } }
}
resource "terraform_data" "callback" {
  input = { event = "taskStarts", commands = ["true"] }
}
`

func TestUnknownValuesLeaveTheRestKnown(t *testing.T) {
	t.Parallel()
	testResource(t, resource.TestStep{
		Config: localIn(t.TempDir(), later+sleeping("environment = { A = terraform_data.text.output }")),
		ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
			plancheck.ExpectResourceAction("openpai_job.test", plancheck.ResourceActionCreate),
			unknownOnly("openpai_job.test", "content_hash", "state", "task_roles"),
		}},
	})
}

// TestAnObjectThatIsUnknownLacksNothing uses objects that are known only after
// apply. Their required attributes must not be reported as missing.
func TestAnObjectThatIsUnknownLacksNothing(t *testing.T) {
	t.Parallel()
	testResource(t, resource.TestStep{Config: localIn(t.TempDir(), later+`
resource "openpai_prerequisite" "test" {
  type      = "script"
  name      = "acc-test"
  callbacks = [terraform_data.callback.output]
}
resource "openpai_job" "test" {
  name       = "acc-test"
  wait_for   = "completed"
  task_roles = { worker = terraform_data.role.output }
}
`)})
}

func TestAnErrorNextToAnUnknownValueIsFound(t *testing.T) {
	t.Parallel()
	config := localIn(t.TempDir(), later+sleeping("environment = { A = terraform_data.text.output }\n      instances = 0"))
	testRefusals(t, map[string]refusal{
		"the error": {config, "Value is out of range"},
		"the path":  {config, `At task_roles["worker"].instances.`},
	})
}
