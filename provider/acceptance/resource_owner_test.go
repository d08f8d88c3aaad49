// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
)

// TestJobsOfOthersAreNotUsed creates a job, then changes the workspace or the
// user of the provider block.
func TestJobsOfOthersAreNotUsed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	own := localIn(dir, ending("true", `name = "acc-test"`))
	workspace := strings.Replace(own, `user = "alice"`, "user = \"alice\"\n    workspace = \"bob\"", 1)
	user := strings.Replace(own, `user = "alice"`, `user = "bob"`, 1)
	const ofWorkspace = `belongs to the workspace "terraform", but this configuration is for the workspace "bob"`
	const ofUser = `exists for the user "alice", but this configuration is for the user "bob"`
	imported := func(config, want string) resource.TestStep {
		return resource.TestStep{ResourceName: "openpai_job.test", ImportState: true, ImportStateId: "alice~acc-test", Config: config, ExpectError: says(want)}
	}
	testResource(t,
		resource.TestStep{
			Config: own,
			PostApplyFunc: func() { // another state
				testRefusals(t, map[string]refusal{"creation": {workspace, `created by the workspace "terraform". Rename this job, or set that workspace in the provider block.`}})
			},
		},
		imported(workspace, ofWorkspace),
		imported(user, ofUser),
		resource.TestStep{Config: workspace, ExpectError: says(ofWorkspace)},
		resource.TestStep{Config: user, ExpectError: says(ofUser)},
		resource.TestStep{Config: own, ConfigPlanChecks: unchanged},
	)
}

// TestAnImportedStorageKeepsItsOwner imports a storage into another state and
// destroys the imported resource. The storage must remain, and keep its owner.
func TestAnImportedStorageKeepsItsOwner(t *testing.T) {
	t.Parallel()
	tests := map[string]func(dir string) []string{ // the configurations of the other state
		"destroyed": func(dir string) []string { return []string{storage(dir, "data")} },
		"destroyed, and declared with on_destroy = keep": func(dir string) []string {
			return []string{strings.Replace(storage(dir, "data"), `"delete"`, `"keep"`, 1)}
		},
		"replaced by another directory": func(dir string) []string { return []string{storage(dir, "data"), storage(dir, "other")} },
	}
	for name, configs := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			data := filepath.Join(dir, "data")
			beside := func() {
				var steps []resource.TestStep
				for _, config := range configs(dir) {
					if len(steps) == 0 {
						steps = append(steps, resource.TestStep{ResourceName: "openpai_storage.test", ImportState: true, ImportStatePersist: true, ImportStateId: definition(data), Config: localIn(dir, config)})
					}
					steps = append(steps, resource.TestStep{Config: localIn(dir, config)})
				}
				testResource(t, steps...)
				third := localIn(dir, storage(dir, "data"))
				testResource(t, resource.TestStep{Config: third, PlanOnly: true, ExpectError: says("belongs to another resource")})
			}
			testResource(t, resource.TestStep{Config: localIn(dir, storage(dir, "data")), PostApplyFunc: beside})
			if exists(t, data) {
				t.Error("the owner did not delete the directory")
			}
		})
	}
}

func TestADirectoryOfAnotherStorageIsRefusedByItsPath(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	other := localIn(dir, strings.Replace(storage(dir, "shared"), `"data"`, `"other"`, 1))
	testResource(t, resource.TestStep{
		Config: localIn(dir, storage(dir, "shared")),
		PostApplyFunc: func() {
			testRefusals(t, map[string]refusal{
				"the attribute": {other, "host_path = "},
				"the owner":     {other, `shared" exists and belongs to another openpai_storage`},
				"the advice":    {other, "choose another directory"},
			})
		},
	})
}
