// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
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

// expectValues checks attributes in the state.
func expectValues(address string, want map[string]knownvalue.Check) []statecheck.StateCheck {
	var checks []statecheck.StateCheck
	for attribute, value := range want {
		checks = append(checks, statecheck.ExpectKnownValue(address, tfjsonpath.New(attribute), value))
	}
	return checks
}
