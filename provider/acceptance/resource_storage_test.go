// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// storage returns a resource for a directory below dir. Destroying the
// resource deletes the directory.
func storage(dir, name string) string {
	return fmt.Sprintf("resource \"openpai_storage\" \"test\" {\n  name       = \"data\"\n  host_path  = %q\n  on_destroy = \"delete\"\n}\n", filepath.ToSlash(filepath.Join(dir, name)))
}

// definition returns the definition of the resource that storage returns for a
// directory.
func definition(dir string) string {
	return fmt.Sprintf(`{"storage.data":{"host_path":%q,"on_destroy":"delete"},"use":"storage.data"}`, filepath.ToSlash(dir))
}

func TestAStorageIsCreatedAndUpdated(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	update := expectAction("openpai_storage.test", plancheck.ResourceActionUpdate)
	testResource(t,
		resource.TestStep{Config: localIn(dir, storage(dir, "one")), ConfigPlanChecks: expectAction("openpai_storage.test", plancheck.ResourceActionCreate)},
		resource.TestStep{Config: localIn(dir, storage(dir, "two")), ConfigPlanChecks: update},
		resource.TestStep{
			Config:            localIn(dir, strings.Replace(storage(dir, "two"), `"data"`, `"renamed"`, 1)),
			ConfigPlanChecks:  update,
			ConfigStateChecks: expectValues("openpai_storage.test", map[string]knownvalue.Check{"id": knownvalue.StringExact("storage.renamed")}),
		},
	)
	if !exists(t, filepath.Join(dir, "one")) || exists(t, filepath.Join(dir, "two")) {
		t.Error("destroy must delete only the last directory")
	}
}

func TestADirectoryIsKeptOrDeletedAsDeclared(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tests := map[string]struct {
		more   string
		before bool // whether the directory already exists
		stays  bool
	}{
		"created-default":  {"", false, true},
		"created-delete":   {`on_destroy = "delete"`, false, false},
		"created-keep":     {`on_destroy = "keep"`, false, true},
		"existing-default": {"", true, true},
		"existing-delete":  {`on_destroy = "delete"`, true, true},
		"read-only-delete": {"on_destroy = \"delete\"\n  read_only = true", false, false},
	}
	config := ""
	for name, tt := range tests {
		if tt.before {
			if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		config += strings.NewReplacer(`"test"`, fmt.Sprintf("%q", name), `"data"`, fmt.Sprintf("%q", name), `on_destroy = "delete"`, tt.more).Replace(storage(dir, name))
	}
	testResource(t, resource.TestStep{Config: localIn(dir, config)})
	for name, tt := range tests {
		if exists(t, filepath.Join(dir, name)) != tt.stays {
			t.Errorf("%s: want the directory to exist: %t", name, tt.stays)
		}
	}
}

func TestAnotherDirectoryKeepsTheFilesOfTheFirst(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "theirs"), 0o755); err != nil {
		t.Fatal(err)
	}
	testResource(t,
		resource.TestStep{Config: localIn(dir, storage(dir, "created"))},
		resource.TestStep{Config: localIn(dir, storage(dir, "theirs"))},
	)
	for _, name := range []string{"created", "theirs"} {
		if !exists(t, filepath.Join(dir, name)) {
			t.Errorf("%s no longer exists", name)
		}
	}
}

// mounting returns a job that runs until destroy and mounts a storage.
func mounting(dir, definition string) string {
	return strings.Replace(sleeping(""), "name ", fmt.Sprintf("storage = [{ use = %s, mount_path = %q }]\n  name ", definition, filepath.ToSlash(dir)), 1)
}

func TestTheDirectoryOfARunningJobIsNotDeleted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	both := localIn(dir, storage(dir, "data")+mounting(data, "openpai_storage.test.definition"))
	alone := localIn(dir, mounting(data, fmt.Sprintf("%q", definition(data))))
	testResource(t,
		resource.TestStep{Config: both},
		resource.TestStep{Config: alone, ExpectError: says("storage.data is mounted by job.acc-test, which has not ended")},
		resource.TestStep{Config: both, ConfigPlanChecks: unchanged},
	)
	if exists(t, data) {
		t.Error("the directory still exists after the end of the job")
	}
}

// TestARestrictedStorageStopsOnlySubmissions restricts a storage to another user
// after a job has used it.
func TestARestrictedStorageStopsOnlySubmissions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	declared := func(user, more string) string {
		mounts := fmt.Sprintf("storage = [{ use = openpai_storage.test.definition, mount_path = %q }]", filepath.ToSlash(filepath.Join(dir, "data")))
		return localIn(dir, strings.Replace(storage(dir, "data"), "on_destroy", fmt.Sprintf("users = [%q]\n  on_destroy", user), 1)+
			ending("true", "name = \"acc-test\"\n  "+mounts)+strings.ReplaceAll(more, "@", mounts))
	}
	other := strings.Replace(ending("true", "name = \"other\"\n  @"), `"test"`, `"other"`, 1)
	testResource(t,
		resource.TestStep{Config: declared("alice", "")},
		resource.TestStep{Config: declared("bob", ""), ConfigPlanChecks: expectAction("openpai_job.test", plancheck.ResourceActionUpdate)},
		resource.TestStep{Config: declared("bob", other), ExpectError: says(`is restricted to "bob"`)},
	)
}

// TestOnDestroyIsNoChangeOfJobs changes on_destroy. The running job mounts the
// storage directly and through a prerequisite.
func TestOnDestroyIsNoChangeOfJobs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := filepath.ToSlash(filepath.Join(dir, "data"))
	declared := func(more string) string {
		return localIn(dir, strings.Replace(storage(dir, "data"), `on_destroy = "delete"`, more, 1)+
			strings.Replace(mounting(data, "openpai_storage.test.definition"), "image ", "prerequisites = [{ use = openpai_prerequisite.test.definition }]\n      image ", 1)+`
resource "openpai_prerequisite" "test" {
  type             = "script"
  name             = "reader"
  require_storages = [{ use = openpai_storage.test.definition, mount_path = "`+data+`" }]
  callbacks        = [{ event = "taskStarts", commands = ["true"] }]
}
`)
	}
	testResource(t,
		resource.TestStep{Config: declared("")},
		resource.TestStep{
			Config: declared(`on_destroy = "delete"`),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction("openpai_storage.test", plancheck.ResourceActionUpdate),
				plancheck.ExpectResourceAction("openpai_prerequisite.test", plancheck.ResourceActionNoop),
				plancheck.ExpectResourceAction("openpai_job.test", plancheck.ResourceActionNoop),
			}},
		},
		resource.TestStep{Config: declared(`users = ["alice"]`), ConfigPlanChecks: expectAction("openpai_job.test", plancheck.ResourceActionUpdate)},
	)
}

func TestAStorageWhoseClusterDoesNotAnswerStays(t *testing.T) {
	t.Parallel()
	at := kubernetesEnvironment(t, t.TempDir())
	lost := strings.Replace(at.provider, apiServer(t).Kubeconfig, "missing", 1)
	testResource(t,
		resource.TestStep{Config: preamble + at.provider + nfs("10Gi", "")},
		resource.TestStep{Config: preamble + lost + nfs("10Gi", ""), ExpectError: says("Cannot read the storage")},
		resource.TestStep{Config: preamble + at.provider + nfs("10Gi", ""), ConfigPlanChecks: unchanged},
	)
}
