// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/local"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/provider"
)

// testResource runs test steps with terraform-plugin-testing. The plan after
// each step must be empty. testResource uses terraform, or tofu if terraform
// is not installed. A test with two provider blocks must use newProject,
// because all provider blocks share one server.
func testResource(t *testing.T, steps ...resource.TestStep) {
	t.Helper()
	resource.Test(t, resource.TestCase{
		IsUnitTest: true, // the build tag enables the test; TF_ACC is not required
		ProtoV6ProviderFactories: map[string]func() (tfprotov6.ProviderServer, error){
			"openpai": func() (tfprotov6.ProviderServer, error) {
				return provider.NewServer("test", providerserver.NewProtocol6), nil
			},
		},
		Steps: steps,
	})
}

func useProgram(programs map[string]string) error {
	set := map[string]string{
		"TF_ACC_TERRAFORM_PATH":     cmp.Or(programs["terraform"], programs["tofu"]),
		"TF_ACC_PROVIDER_NAMESPACE": "openpai",
		"TF_CLI_CONFIG_FILE":        os.DevNull, // the user's file may be missing or configure a different provider
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

// localIn returns the configuration for a local cluster in dir.
func localIn(dir, rest string) string {
	return fmt.Sprintf("%s\nprovider \"openpai\" {\n  local {\n    directory = %q\n    user = \"alice\"\n  }\n}\n%s", preamble, filepath.ToSlash(dir), rest)
}

func expectAction(address string, action plancheck.ResourceActionType) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, action)}}
}

// planCheck is a check of the plan that plancheck does not contain.
type planCheck func(plancheck.CheckPlanRequest) error

// CheckPlan implements [plancheck.PlanCheck].
func (c planCheck) CheckPlan(_ context.Context, req plancheck.CheckPlanRequest, resp *plancheck.CheckPlanResponse) {
	resp.Error = c(req)
}

// change is the planned change of a resource.
type change struct {
	unknown  any   // attributes, with true for unknown values
	replaced []any // paths of the attributes that force the replacement
}

func changeOf(address string, check func(change) error) planCheck {
	return func(req plancheck.CheckPlanRequest) error {
		for _, r := range req.Plan.ResourceChanges {
			if r.Address == address {
				return check(change{r.Change.AfterUnknown, r.Change.ReplacePaths})
			}
		}
		return fmt.Errorf("the plan has no change of %s", address)
	}
}

// unknownOnly checks that only the given attributes of a resource are unknown.
func unknownOnly(address string, attributes ...string) planCheck {
	return changeOf(address, func(c change) error {
		var unknown []string
		for name, v := range c.unknown.(map[string]any) {
			if strings.Contains(fmt.Sprint(v), "true") {
				unknown = append(unknown, name)
			}
		}
		slices.Sort(unknown)
		if !slices.Equal(unknown, attributes) {
			return fmt.Errorf("%s: unknown %v, want %v", address, unknown, attributes)
		}
		return nil
	})
}

// replacedBy checks which attributes force the replacement of a resource. The
// paths are sorted and separated by spaces.
func replacedBy(address, want string) planCheck {
	return changeOf(address, func(c change) error {
		var paths []string
		for _, path := range c.replaced {
			paths = append(paths, strings.Join(strings.Fields(strings.Trim(fmt.Sprint(path), "[]")), "."))
		}
		slices.Sort(paths)
		if got := strings.Join(paths, " "); got != want {
			return fmt.Errorf("%s is replaced by %q, want %q", address, got, want)
		}
		return nil
	})
}

var unchanged = resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}}

// refusal is a configuration that cannot be planned, and the expected error.
type refusal struct{ config, want string }

// testRefusals checks that each plan fails with the expected error.
func testRefusals(t *testing.T, tests map[string]refusal) {
	t.Helper()
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			testResource(t, resource.TestStep{Config: tt.config, PlanOnly: true, ExpectError: says(tt.want)})
		})
	}
}

// says matches a string in the output of the CLI, even if the CLI wraps the
// string.
func says(text string) *regexp.Regexp {
	return regexp.MustCompile(strings.Join(strings.Fields(regexp.QuoteMeta(text)), `\s+`))
}

// saysOnly matches the output of the CLI if it contains exactly one error, with this
// summary and this detail. Before the detail, the CLI shows the position in indented
// lines.
func saysOnly(summary, detail string) *regexp.Regexp {
	return regexp.MustCompile(fmt.Sprintf(`\A[^\n]*\n+Error: %s\n+(?:  [^\n]*\n|\n)*%s\s*\z`, says(summary), says(detail)))
}

// expectValues checks attributes in the state.
func expectValues(address string, want map[string]knownvalue.Check) []statecheck.StateCheck {
	var checks []statecheck.StateCheck
	for attribute, value := range want {
		checks = append(checks, statecheck.ExpectKnownValue(address, tfjsonpath.New(attribute), value))
	}
	return checks
}

var accTest = contract.FrameworkName("alice", "acc-test")

// opened opens the local cluster in dir.
func opened(t *testing.T, dir string) *local.Cluster {
	t.Helper()
	c, err := local.Open(dir, local.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// liveJob returns the job acc-test of the local cluster in dir. The job must
// exist.
func liveJob(t *testing.T, dir string) *planner.LiveJob {
	t.Helper()
	live, err := opened(t, dir).Find(t.Context(), accTest)
	if err != nil || live == nil {
		t.Fatalf("job.acc-test: %v, %v", live, err)
	}
	return live
}

func deleteOutside(t *testing.T, dir string) {
	t.Helper()
	if err := opened(t, dir).Delete(t.Context(), accTest); err != nil {
		t.Fatal(err)
	}
}

func exists(t *testing.T, name string) bool {
	t.Helper()
	_, err := os.Stat(name)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return err == nil
}

// eventually waits up to one minute for a condition.
func eventually(t testing.TB, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the condition is still false after one minute")
		}
	}
}
