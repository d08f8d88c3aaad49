// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
)

// TestATaintedJobWithANewNameIsKept renames a tainted job while the value of its
// secret is missing. Terraform plans to create a new job and to delete the old
// one. Only the deletion of a running job must fail.
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

// TestSecretsReachTheTask reads one secret from the environment and one from a
// write-only attribute. A changed secret must not run a finished job again.
func TestSecretsReachTheTask(t *testing.T) {
	t.Setenv("TOKEN_OF_TEST", "of the environment")
	dir := t.TempDir()
	got := filepath.ToSlash(filepath.Join(dir, "got"))
	declared := func(value string) string {
		return localIn(dir, ending("echo '<% $secrets.a %>, <% $secrets.b %>' >> "+got, `name = "acc-test"
  secrets    = { a = { env = "TOKEN_OF_TEST" } }
  secrets_wo = { b = "`+value+`" }`))
	}
	outdated := func(value bool) []statecheck.StateCheck {
		return expectValues("openpai_job.test", map[string]knownvalue.Check{"outdated": knownvalue.Bool(value), "secrets_wo": knownvalue.Null()})
	}
	testResource(t,
		resource.TestStep{Config: declared(canary), ConfigStateChecks: outdated(false)},
		resource.TestStep{
			Config:            declared("changed"),
			ConfigPlanChecks:  expectAction("openpai_job.test", plancheck.ResourceActionUpdate),
			ConfigStateChecks: outdated(true),
		},
	)
	if text := read(t, got); text != "of the environment, "+canary+"\n" {
		t.Errorf("the task received %q", text)
	}
}

// TestAChangedSecretReplacesAJobThatRuns checks that a changed value replaces
// the job. If a version is set, only a changed version replaces the job.
func TestAChangedSecretReplacesAJobThatRuns(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	declared := func(value, version string) string {
		return localIn(dir, strings.Replace(sleeping(""), "name ", `environment        = { TOKEN = "<% $secrets.token %>" }
  secrets_wo         = { token = "`+value+`" }
  secrets_wo_version = `+version+`
  name `, 1))
	}
	replaced := expectAction("openpai_job.test", plancheck.ResourceActionReplace)
	testResource(t,
		resource.TestStep{Config: declared("first", "null")},
		resource.TestStep{Config: declared("second", "null"), ConfigPlanChecks: replaced},
		resource.TestStep{Config: declared("second", `"1"`)},
		resource.TestStep{Config: declared("third", `"1"`), ConfigPlanChecks: unchanged},
		resource.TestStep{Config: declared("third", `"2"`), ConfigPlanChecks: replaced},
	)
}
