// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/openpai/terraform-provider-openpai/provider"
)

// The tests in this file are in the style of other providers: each step applies a
// configuration and plans it again, which must change nothing.

// testResource runs steps on a local cluster in dir. It uses terraform, or tofu
// if terraform is not installed.
func testResource(t *testing.T, steps ...resource.TestStep) {
	t.Helper()
	resource.Test(t, resource.TestCase{
		IsUnitTest: true, // the build tag enables the test, not TF_ACC
		ProtoV6ProviderFactories: map[string]func() (tfprotov6.ProviderServer, error){
			"openpai": func() (tfprotov6.ProviderServer, error) {
				return provider.NewServer("test", providerserver.NewProtocol6), nil
			},
		},
		Steps: steps,
	})
}

// useProgram sets the command line for terraform-plugin-testing.
func useProgram(programs map[string]string) error {
	set := map[string]string{
		"TF_ACC_TERRAFORM_PATH":     cmp.Or(programs["terraform"], programs["tofu"]),
		"TF_ACC_PROVIDER_NAMESPACE": "openpai",
		"TF_CLI_CONFIG_FILE":        os.DevNull, // the user's file may be missing or configure another provider
	}
	if programs["terraform"] == "" {
		set["TF_ACC_PROVIDER_HOST"] = "registry.opentofu.org"
	}
	for name, value := range set {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	return nil
}

// localIn returns the configuration of a local cluster in a directory.
func localIn(dir, rest string) string {
	return fmt.Sprintf("%s\nprovider \"openpai\" {\n  local {\n    directory = %q\n    user = \"alice\"\n  }\n}\n%s", preamble, filepath.ToSlash(dir), rest)
}

// sleeping returns a job that runs until it is destroyed. Apply waits until the
// job runs: a plan that ends a waiting job is refused if the job runs at apply
// time.
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

// expectAction checks that a plan has a single action for a resource.
func expectAction(address string, action plancheck.ResourceActionType) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, action)}}
}

func TestJobResource(t *testing.T) {
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

func TestPrerequisiteResource(t *testing.T) {
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

func TestStorageResource(t *testing.T) {
	dir := t.TempDir()
	declared := func(name string) string {
		return localIn(dir, fmt.Sprintf("resource \"openpai_storage\" \"test\" {\n  name = \"acc-test\"\n  host_path = %q\n  on_destroy = \"delete\"\n}\n", filepath.ToSlash(filepath.Join(dir, name))))
	}
	testResource(t,
		resource.TestStep{Config: declared("one"), ConfigPlanChecks: expectAction("openpai_storage.test", plancheck.ResourceActionCreate)},
		resource.TestStep{Config: declared("two"), ConfigPlanChecks: expectAction("openpai_storage.test", plancheck.ResourceActionUpdate)},
	)
	if _, err := os.Stat(filepath.Join(dir, "two")); !os.IsNotExist(err) {
		t.Errorf("the directory still exists: %v", err)
	}
}

func TestMarketplaceItemResource(t *testing.T) {
	dir := t.TempDir()
	declared := func(version string) string {
		return localIn(dir, fmt.Sprintf(`
resource "openpai_marketplace_item" "test" {
  to      = %q
  name    = "acc-test"
  content = <<-EOT
    - name: acc-test
      type: script
      version: %q
      callbacks: [{event: taskStarts, commands: ["echo %[2]s"]}]
  EOT
}`, filepath.ToSlash(filepath.Join(dir, "market")), version))
	}
	testResource(t,
		resource.TestStep{Config: declared("1.0"), ConfigPlanChecks: expectAction("openpai_marketplace_item.test", plancheck.ResourceActionCreate)},
		resource.TestStep{Config: declared("2.0"), ConfigPlanChecks: expectAction("openpai_marketplace_item.test", plancheck.ResourceActionUpdate)},
	)
}
