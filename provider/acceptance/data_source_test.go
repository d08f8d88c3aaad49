// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
)

func TestDataSourcesReadAFinishedJob(t *testing.T) {
	t.Parallel()
	config := localIn(t.TempDir(), `
resource "openpai_job" "test" {
  name     = "acc-test"
  wait_for = "completed"
  task_roles = {
    worker = { image = "ubuntu:22.04", commands = ["exit 3"], resources = { gpu = 0, cpu = 1, memory_mb = 64 } }
  }
}
data "openpai_job" "test" {
  name       = "acc-test"
  depends_on = [openpai_job.test]
}
data "openpai_jobs" "failed" {
  states     = ["FAILED"]
  depends_on = [openpai_job.test]
}
data "openpai_jobs" "running" {
  states     = ["RUNNING"]
  depends_on = [openpai_job.test]
}
data "openpai_cluster" "test" {
  depends_on = [openpai_job.test]
}
`)
	checks := expectValues("data.openpai_job.test", map[string]knownvalue.Check{
		"user":      knownvalue.StringExact("alice"),
		"state":     knownvalue.StringExact("FAILED"),
		"exit_code": knownvalue.Int64Exact(3),
		"tasks":     knownvalue.ListSizeExact(1),
	})
	checks = append(checks, expectValues("data.openpai_jobs.failed", map[string]knownvalue.Check{
		"jobs": knownvalue.ListExact([]knownvalue.Check{knownvalue.ObjectPartial(map[string]knownvalue.Check{"name": knownvalue.StringExact("acc-test")})}),
	})...)
	checks = append(checks, expectValues("data.openpai_jobs.running", map[string]knownvalue.Check{"jobs": knownvalue.ListSizeExact(0)})...)
	checks = append(checks, expectValues("data.openpai_cluster.test", map[string]knownvalue.Check{
		"kind":      knownvalue.StringExact("local"),
		"reachable": knownvalue.Bool(true),
		"ready":     knownvalue.Bool(true),
		"jobs":      knownvalue.Int64Exact(1),
		"checks":    knownvalue.ListSizeExact(4),
	})...)
	checks = append(checks, statecheck.CompareValuePairs(
		"data.openpai_job.test", tfjsonpath.New("framework_name"),
		"openpai_job.test", tfjsonpath.New("framework_name"), compare.ValuesSame()))
	testResource(t, resource.TestStep{Config: config, ConfigStateChecks: checks})
}

func TestAClusterThatDoesNotAnswerIsReported(t *testing.T) {
	t.Parallel()
	config := fmt.Sprintf(preamble+`
provider "openpai" {
  kubernetes {
    kubeconfig = %q
    user       = "alice"
    workspace  = "team"
  }
}
data "openpai_cluster" "test" {}
`, filepath.ToSlash(filepath.Join(t.TempDir(), "none")))
	testResource(t, resource.TestStep{
		Config: config,
		ConfigStateChecks: expectValues("data.openpai_cluster.test", map[string]knownvalue.Check{
			"kind":      knownvalue.StringExact("kubernetes"),
			"reachable": knownvalue.Bool(false),
			"problem":   knownvalue.StringRegexp(says("none")),
		}),
	})
}

func TestADataSourceThatCannotBeReadIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := func(arguments string) string { return localIn(dir, "data "+arguments) }
	testRefusals(t, map[string]refusal{
		"a job that does not exist": {
			data(`"openpai_job" "test" { name = "nobody" }`),
			"No such job",
		},
		"an unknown state": {
			data(`"openpai_jobs" "test" { states = ["FAILED", "DONE"] }`),
			`but is "DONE"`,
		},
		"a protocol without a text": {
			data(`"openpai_protocol" "test" {}`),
			"Exactly one of file and content required",
		},
		"a protocol with two texts": {
			data("\"openpai_protocol\" \"test\" {\n  file = \"job.yaml\"\n  content = \"name: a\"\n}"),
			`file = "job.yaml" Set either file or content.`,
		},
		"a file that does not exist": {
			data(`"openpai_protocol" "test" { file = "nowhere.yaml" }`),
			"nowhere.yaml cannot be read",
		},
		"a text that is not a job": {
			data("\"openpai_protocol\" \"test\" {\n  content = \"- 1\"\n}"),
			`content = "- 1" content:1,3-4: item[0] must be a mapping of keys to values`,
		},
		"a marketplace without the item": {
			data(`"openpai_marketplace_item" "test" {` + fmt.Sprintf("\n  source = %q\n  name = \"nobody\"\n}", filepath.ToSlash(dir))),
			"Item not found",
		},
	})
}

func TestAProtocolDataSourceOmitsTheValuesOfSecrets(t *testing.T) {
	t.Parallel()
	testResource(t, resource.TestStep{
		Config: localIn(t.TempDir(), fmt.Sprintf(`
data "openpai_protocol" "test" {
  content = <<-EOT
    protocolVersion: 2
    name: acc-test
    type: job
    secrets: {token: %s}
    prerequisites: [{name: image, type: dockerimage, uri: "ubuntu:22.04"}]
    taskRoles:
      worker:
        dockerImage: image
        resourcePerInstance: {gpu: 0, cpu: 1, memoryMB: 64}
        commands: ["echo <%% $secrets.token %%>"]
  EOT
}
output "read" { value = jsonencode([data.openpai_protocol.test.job, data.openpai_protocol.test.warnings]) }
`, canary)),
		ConfigStateChecks: []statecheck.StateCheck{statecheck.ExpectKnownOutputValue("read", knownvalue.StringFunc(func(text string) error {
			if !strings.Contains(text, "secrets_wo") || strings.Contains(text, canary) {
				return fmt.Errorf("no secrets_wo, or the value of the secret, in\n%s", text)
			}
			return nil
		}))},
	})
}
