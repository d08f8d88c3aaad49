// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
)

// TestWhatJobsUseIsImported imports resources by the different forms of their IDs.
// The plan for an import block must not contain any other change.
func TestWhatJobsUseIsImported(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := localIn(dir, scripts("echo a")+storage(dir, "data")+items(dir, "test", twoItems)+
		using("[{ use = openpai_prerequisite.prepare.definition }]", fmt.Sprintf("storage = [{ use = openpai_storage.test.definition, mount_path = %q }]", filepath.ToSlash(filepath.Join(dir, "mounted")))))
	steps := []resource.TestStep{{Config: config}}
	for _, imported := range []struct{ address, id string }{
		{"openpai_prerequisite.install", "prerequisite.script.install"},
		{"openpai_prerequisite.prepare", "script.prepare"},
		{"openpai_storage.test", "data"},
		{"openpai_marketplace_item.test", filepath.ToSlash(filepath.Join(dir, "market")) + "#data"},
	} {
		steps = append(steps, resource.TestStep{ResourceName: imported.address, ImportState: true, ImportStateKind: resource.ImportBlockWithID, ImportStateId: imported.id})
	}
	for _, address := range []string{"openpai_prerequisite.prepare", "openpai_storage.test"} {
		steps = append(steps, resource.TestStep{ResourceName: address, ImportState: true, ImportStateKind: resource.ImportBlockWithID, ImportStateIdFunc: definitionOf(address)})
	}
	testResource(t, steps...)
}

// definitionOf reads the definition of a resource from the state.
func definitionOf(address string) resource.ImportStateIdFunc {
	return func(s *terraform.State) (string, error) {
		r := s.RootModule().Resources[address]
		if r == nil {
			return "", fmt.Errorf("%s is not in the state", address)
		}
		return r.Primary.Attributes["definition"], nil
	}
}

func TestTheReasonWhyAJobCannotBeImportedIsReported(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := localIn(dir, storage(dir, "data")+items(dir, "test", twoItems)+`
resource "openpai_prerequisite" "test" {
  count     = 2
  type      = "script"
  name      = "acc-test"
  title     = "number ${count.index}"
  callbacks = [{ event = "taskStarts", commands = ["true"] }]
}
resource "openpai_job" "test" {
  count    = 2
  name     = "acc-test-${count.index}"
  wait_for = "completed"
  task_roles = {
    worker = {
      image         = "ubuntu:22.04"
      commands      = ["true"]
      prerequisites = [{ use = openpai_prerequisite.test[count.index].definition }]
      resources     = { gpu = 0, cpu = 1, memory_mb = 64 }
    }
  }
}
`)
	steps := []resource.TestStep{{Config: config}}
	for _, refused := range []struct{ address, id, want string }{
		{"openpai_prerequisite.test[0]", "script.other", "no job of the workspace terraform uses this address"},
		{"openpai_prerequisite.test[0]", "script.acc-test", "use one of these IDs: prerequisite.script.acc-test#"},
		{"openpai_marketplace_item.test", filepath.ToSlash(dir) + "#other", `has no items with the name "other"`},
		{"openpai_marketplace_item.test", "market", "LOCATION#NAME"},
		{"openpai_storage.test", `{"use":"storage.x#1"}`, "contains no body for storage.x#1"},
	} {
		steps = append(steps, resource.TestStep{ResourceName: refused.address, ImportState: true, ImportStateId: refused.id, ExpectError: says(refused.want)})
	}
	testResource(t, steps...)
}
