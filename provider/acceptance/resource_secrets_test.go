// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// TestATaintedJobWithANewNameIsKept renames a tainted job while the value of its
// secret is missing. Terraform plans a new job and the deletion of the old one.
// Only the deletion of a running job must fail.
func TestATaintedJobWithANewNameIsKept(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.ToSlash(filepath.Join(dir, "token"))
	secret := `environment = { TOKEN = "<% $secrets.token %>" }` + "\n  secrets = { token = { file = \"" + file + "\" } }"
	running := func(name string) string {
		return localIn(dir, strings.Replace(sleeping(""), `"acc-test"`, `"`+name+"\"\n  "+secret, 1))
	}
	ended := func(name string) string { return localIn(dir, ending("true", `name = "`+name+"\"\n  "+secret)) }
	present := func() { write(t, file, "value") }
	missing := func() {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	taint := []string{"openpai_job.test"}
	replaced := expectAction("openpai_job.test", plancheck.ResourceActionReplace)
	uid := ""
	testResource(t,
		resource.TestStep{PreConfig: present, Config: running("acc-test"), PostApplyFunc: func() { uid = liveJob(t, dir).UID }},
		resource.TestStep{PreConfig: missing, Taint: taint, Config: running("other"), ExpectError: says("its replacement job.other could not be created at plan time")},
		resource.TestStep{
			PreConfig: func() {
				if now := liveJob(t, dir); now.UID != uid || now.RunningTasks != 1 {
					t.Errorf("the job does not run any more: %+v", now)
				}
				present()
			},
			Config: running("other"), ConfigPlanChecks: replaced,
		},
		resource.TestStep{Config: ended("acc-test"), ConfigPlanChecks: replaced},
		resource.TestStep{PreConfig: missing, Taint: taint, Config: ended("other"), ExpectError: says("Value of a secret is not available")},
		resource.TestStep{PreConfig: present, Config: ended("other"), ConfigPlanChecks: expectAction("openpai_job.test", plancheck.ResourceActionCreate)},
	)
}
