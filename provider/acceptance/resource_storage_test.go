// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// storage returns a resource for a directory below dir. Destroying the
// resource deletes the directory.
func storage(dir, name string) string {
	return fmt.Sprintf("resource \"openpai_storage\" \"test\" {\n  name       = \"data\"\n  host_path  = %q\n  on_destroy = \"delete\"\n}\n", filepath.ToSlash(filepath.Join(dir, name)))
}

func TestStorageResource(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	testResource(t,
		resource.TestStep{Config: localIn(dir, storage(dir, "one")), ConfigPlanChecks: expectAction("openpai_storage.test", plancheck.ResourceActionCreate)},
		resource.TestStep{Config: localIn(dir, storage(dir, "two")), ConfigPlanChecks: expectAction("openpai_storage.test", plancheck.ResourceActionUpdate)},
	)
	if _, err := os.Stat(filepath.Join(dir, "two")); !os.IsNotExist(err) {
		t.Errorf("the directory still exists: %v", err)
	}
}

// definition returns the definition of the resource that storage returns for a
// directory.
func definition(dir string) string {
	return fmt.Sprintf(`{"storage.data":{"host_path":%q,"on_destroy":"delete"},"use":"storage.data"}`, filepath.ToSlash(dir))
}
