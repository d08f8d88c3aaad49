// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
)

// twoItems is a data item and the script that it requires.
const twoItems = `- name: install
  type: script
  version: "1.0"
  callbacks: [{event: taskStarts, commands: [echo install]}]
- name: mnist
  type: data
  version: "1.0"
  title: MNIST
  require: [install]
  template_variables: [{name: dataPath}]
  callbacks: [{event: taskStarts, commands: ["echo {{ dataPath }}"]}]
`

// items returns a resource that publishes to the directory dir/market.
func items(dir, name, content string) string {
	return fmt.Sprintf(`
resource "openpai_marketplace_item" %q {
  to      = %q
  name    = "data"
  content = %q
}
`, name, filepath.ToSlash(filepath.Join(dir, "market")), content)
}

// changedItems returns twoItems with a different command.
func changedItems() string { return strings.Replace(twoItems, "echo install", "echo changed", 1) }

func TestMarketplaceItemResource(t *testing.T) {
	t.Parallel()
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

func TestPublishedItemsAreUsedByJobs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	declared := func(content string) string {
		return localIn(dir, items(dir, "test", content)+`
data "openpai_marketplace_items" "test" {
  source     = openpai_marketplace_item.test.to
  depends_on = [openpai_marketplace_item.test]
}
data "openpai_marketplace_item" "test" {
  source     = openpai_marketplace_item.test.to
  name       = "mnist"
  depends_on = [openpai_marketplace_item.test]
}
`+using(`[{ use = data.openpai_marketplace_item.test.definition, with = { dataPath = "data" } }]`, ""))
	}
	checks := ordered("prerequisite.script.install", `prerequisite.data.mnist{dataPath="data"}`)
	checks = append(checks, expectValues("data.openpai_marketplace_items.test", map[string]knownvalue.Check{"items": knownvalue.ListSizeExact(2)})...)
	checks = append(checks, expectValues("data.openpai_marketplace_item.test", map[string]knownvalue.Check{
		"type":    knownvalue.StringExact("data"),
		"version": knownvalue.StringExact("1.0"),
		"title":   knownvalue.StringExact("MNIST"),
	})...)
	testResource(t,
		resource.TestStep{Config: declared(twoItems), ConfigStateChecks: checks},
		resource.TestStep{Config: declared(changedItems()), ExpectError: says("Published version cannot change")},
		resource.TestStep{
			Config:            declared(strings.ReplaceAll(changedItems(), "1.0", "1.1")),
			ConfigPlanChecks:  expectAction("openpai_marketplace_item.test", plancheck.ResourceActionUpdate),
			ConfigStateChecks: expectValues("data.openpai_marketplace_item.test", map[string]knownvalue.Check{"version": knownvalue.StringExact("1.1")}),
		},
	)
}

func TestAnotherLayoutOfItemsIsNoChange(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	replaced := func(before, after string) string {
		return localIn(dir, items(dir, "test", strings.ReplaceAll(twoItems, before, after)))
	}
	testResource(t,
		resource.TestStep{Config: localIn(dir, items(dir, "test", twoItems))},
		resource.TestStep{Config: replaced("- name: install", "# installs programs\n- name: install"), ConfigPlanChecks: unchanged},
		resource.TestStep{Config: replaced("require: [install]", "require:\n  - install"), ConfigPlanChecks: unchanged},
		resource.TestStep{Config: replaced(`version: "1.0"`, `version: '1.0'`), ConfigPlanChecks: unchanged},
		resource.TestStep{Config: replaced("title: MNIST", "title: Digits"), ExpectError: says("Published version cannot change")},
	)
}

func TestInvalidItemsAreRefusedBeforeTheyArePublished(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	testRefusals(t, map[string]refusal{
		"without a version": {
			localIn(dir, items(dir, "test", "name: x\ntype: script\n")),
			"x (script) has no version",
		},
		"with an unknown event": {
			localIn(dir, items(dir, "test", strings.ReplaceAll(twoItems, "taskStarts", "taskStart"))),
			"data.yaml:4",
		},
	})
}
