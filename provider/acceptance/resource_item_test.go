// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/openpai/terraform-provider-openpai/internal/marketplace/marketplacetest"
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

func TestAMarketplaceItemIsPublishedAndUpdated(t *testing.T) {
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

// TestPublishedItemsAreDeletedOnRequest publishes two versions and edits the first
// one. Another state that did not publish the items must keep them.
func TestPublishedItemsAreDeletedOnRequest(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	declared := func(content, onDestroy string) string {
		return localIn(dir, strings.Replace(items(dir, "test", content), "content =", fmt.Sprintf("on_destroy = %q\n  content =", onDestroy), 1))
	}
	expectFiles := func(want ...string) {
		t.Helper()
		found, err := filepath.Glob(filepath.Join(dir, "market", "*"))
		for i := range found {
			found[i] = filepath.Base(found[i])
		}
		if err != nil || !slices.Equal(found, want) {
			t.Errorf("files %v, want %v: %v", found, want, err)
		}
	}
	testResource(t,
		resource.TestStep{Config: declared(twoItems, "delete")},
		resource.TestStep{
			Config:           declared(strings.ReplaceAll(twoItems, "1.0", "1.1"), "delete"),
			ConfigPlanChecks: expectAction("openpai_marketplace_item.test", plancheck.ResourceActionUpdate),
			PostApplyFunc: func() {
				testResource(t, resource.TestStep{Config: declared(twoItems, "delete")})
				expectFiles("data-1.0.yaml", "data-1.1.yaml")
				write(t, filepath.Join(dir, "market", "data-1.0.yaml"), twoItems+"# edited")
			},
		},
	)
	expectFiles("data-1.0.yaml")
	testRefusals(t, map[string]refusal{"another on_destroy": {declared(twoItems, "purge"), `on_destroy = "purge"`}})
}

// TestProtectedItemsOnAServerAreFoundByVersion publishes items that only a group can
// read. The server omits these items from lists, so the provider looks up the version
// directly.
func TestProtectedItemsOnAServerAreFoundByVersion(t *testing.T) {
	server := marketplacetest.New()
	t.Cleanup(server.Close)
	t.Setenv("ALICE_TOKEN", "alice")
	dir := t.TempDir()
	declared := func(visibility, command string) string {
		return localIn(dir, fmt.Sprintf(`
resource "openpai_marketplace_item" "test" {
  to         = %q
  token_env  = "ALICE_TOKEN"
  name       = "acc-test"
  author     = "alice"
  visibility = %q
  groups     = ["g1"]
  content    = "{name: acc-test, type: script, version: '1.0', callbacks: [{event: taskStarts, commands: [%s]}]}"
}`, server.URL, visibility, command))
	}
	testResource(t,
		resource.TestStep{Config: declared("protected", "echo x")},
		resource.TestStep{Config: declared("protected", "echo y"), ExpectError: says("Published version cannot change")},
		resource.TestStep{Config: declared("public", "echo x"), ExpectError: says(`groups require the visibility "protected"`)},
		resource.TestStep{Config: declared("protected", "echo x"), ConfigPlanChecks: unchanged},
	)
	if server.Posts() != 1 {
		t.Errorf("the server stored %d items", server.Posts())
	}
}
