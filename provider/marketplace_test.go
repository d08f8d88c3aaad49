// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace/marketplacetest"
)

const twoItems = `
- name: wget
  type: script
  version: "1.0"
  callbacks: [{event: taskStarts, commands: [echo wget]}]
- name: mnist
  type: data
  version: "1.0"
  title: MNIST
  require: [wget]
  template_variables: [{name: dataPath}]
  callbacks: [{event: taskStarts, commands: ["mkdir -p {{ dataPath }}"]}]
`

func TestAnItemWithoutAVersionIsNotPinned(t *testing.T) {
	t.Parallel()
	market := t.TempDir()
	if err := os.WriteFile(filepath.Join(market, "wget.yaml"), []byte("name: wget\ntype: script\ncallbacks: [{event: taskStarts, commands: [ls]}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, text := start(t, t.TempDir()).tryRead("openpai_marketplace_item", tree{"source": market, "name": "wget"})
	if !strings.Contains(text, "Item is not pinned: wget has no version. If the item changes, plans use the changed item. Set hash = ") {
		t.Errorf("%s", text)
	}
}

func TestPublishedItemsAreKept(t *testing.T) {
	t.Parallel()
	i := start(t, t.TempDir()).resource("openpai_marketplace_item")
	i.mustApply(tree{"to": t.TempDir(), "name": "data", "content": twoItems}, "create")
	if p := i.plan(nil); !strings.Contains(p.diagnostics, "warning: Published items are kept: The items named data remain in "+i.text("to")) || !strings.Contains(p.diagnostics, `apply on_destroy = "delete" first`) {
		t.Errorf("%s", p.diagnostics)
	}
}

// TestPublishedItemsAreDeletedOnRequest checks that on_destroy = "delete" deletes
// every version that the resource published. It must keep files that have changed
// since their publication, and versions that other resources published.
func TestPublishedItemsAreDeletedOnRequest(t *testing.T) {
	t.Parallel()
	tf := start(t, t.TempDir())
	dir := filepath.Join(t.TempDir(), "market")
	config := tree{"to": dir, "name": "data", "content": twoItems, "on_destroy": "delete"}
	files := func() string {
		all, _ := filepath.Glob(filepath.Join(dir, "*"))
		for n := range all {
			all[n] = filepath.Base(all[n])
		}
		return strings.Join(all, " ")
	}
	i, other := tf.resource("openpai_marketplace_item"), tf.resource("openpai_marketplace_item")
	i.mustApply(config, "create")
	i.mustApply(changed(config, "content", strings.ReplaceAll(twoItems, `"1.0"`, `"1.1"`)), "update")
	if files() != "data-1.0.yaml data-1.1.yaml" {
		t.Fatalf("published %s", files())
	}
	other.mustApply(config, "create")
	if p := other.plan(nil); !strings.Contains(p.diagnostics, `despite on_destroy = "delete", because this resource did not publish the items`) {
		t.Errorf("%s", p.diagnostics)
	}
	if action, _ := other.apply(nil); action != "destroy" || files() != "data-1.0.yaml data-1.1.yaml" {
		t.Errorf("%s: the other resource left %s", action, files())
	}
	if p := i.plan(nil); p.diagnostics != "" {
		t.Errorf("%s", p.diagnostics)
	}
	written := filepath.Join(dir, "data-1.0.yaml")
	if err := os.WriteFile(written, []byte(twoItems+"# edited"), 0o600); err != nil {
		t.Fatal(err)
	}
	if action, text := i.apply(nil); action != "destroy" || !strings.Contains(text, "data-1.0.yaml remains, because its content") || files() != "data-1.0.yaml" {
		t.Errorf("%s: left %s\n%s", action, files(), text)
	}
	if p := i.plan(changed(config, "on_destroy", "purge")); !strings.Contains(p.diagnostics, `error: AttributeName("on_destroy"): `) {
		t.Errorf("%s", p.diagnostics)
	}
}

func TestAnItemIsPinnedByItsHash(t *testing.T) {
	t.Parallel()
	tf := start(t, t.TempDir())
	market := t.TempDir()
	tf.resource("openpai_marketplace_item").mustApply(tree{"to": market, "name": "data", "content": twoItems}, "create")
	hash := outputs(tf.read("openpai_marketplace_item", tree{"source": market, "name": "mnist"}))["hash"].(string)
	items, _ := marketplace.ParseFile("data.yaml", []byte(twoItems))
	full := items[1].Hash()
	tests := map[string]struct {
		pin  tree
		want string
	}{
		"nothing":              {tree{}, "warning: AttributeName(\"name\"): Item is not pinned: mnist 1.0 is the newest version. After a newer version is published, plans use that version. Set item_version = \"1.0\" and hash = \"" + hash + "\".\n"},
		"the version":          {tree{"item_version": "1.0"}, ""},
		"all digits":           {tree{"hash": full}, ""},
		"twelve of its digits": {tree{"hash": hash}, ""},
		"fewer digits":         {tree{"hash": hash[:10]}, "error: AttributeName(\"hash\"): Item has another hash: "},
		"another hash":         {tree{"hash": "h1:" + strings.Repeat("0", 64)}, "error: AttributeName(\"hash\"): Item has another hash: mnist 1.0 has the hash \"" + hash + "\", not \"h1:000000000000\". "},
		"another last digit":   {tree{"hash": full[:66] + "x"}, "error: AttributeName(\"hash\"): Item has another hash: mnist 1.0 has the hash \"" + full + "\""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			tt.pin["source"], tt.pin["name"] = market, "mnist"
			if _, text := tf.tryRead("openpai_marketplace_item", tt.pin); tt.want == "" && text != "" || !strings.HasPrefix(text, tt.want) {
				t.Errorf("%q, want %q", text, tt.want)
			}
		})
	}
}

// TestProtectedItemsOnAServer publishes items that only a group can read. Lists
// omit these items, so the provider looks up the version directly.
func TestProtectedItemsOnAServer(t *testing.T) {
	server := marketplacetest.New()
	t.Cleanup(server.Close)
	t.Setenv("ALICE_TOKEN", "alice")
	t.Setenv("CAROL_TOKEN", "carol")
	t.Setenv("BOB_TOKEN", "bob")
	tf := start(t, t.TempDir())
	i := tf.resource("openpai_marketplace_item")
	content := "name: secret\ntype: script\nversion: '1.0'\ncallbacks: [{event: taskStarts, commands: [echo x]}]\n"
	config := tree{
		"to": server.URL, "token_env": "ALICE_TOKEN", "name": "x", "content": content,
		"author": "alice", "visibility": "protected", "groups": []string{"g1"},
	}
	i.mustApply(config, "create")
	if text := i.refresh(); text != "" || i.state.IsNull() {
		t.Errorf("the published item is not found: %s", text)
	}
	if p := i.plan(config); p.action(i.state) != "none" || server.Posts() != 1 {
		t.Errorf("second plan: %s, %d posts\n%s", p.action(i.state), server.Posts(), diff(i.state, p.state))
	}

	for name, tt := range map[string]struct {
		change tree
		want   string
	}{
		"different content with the same version": {tree{"content": strings.Replace(content, "echo x", "echo y", 1)}, "Published version cannot change"},
		"groups of a public item":                 {tree{"visibility": "public"}, `groups require the visibility "protected"`},
	} {
		t.Run(name, func(t *testing.T) {
			changed := maps.Clone(config)
			maps.Copy(changed, tt.change)
			if _, text := i.apply(changed); !strings.Contains(text, tt.want) {
				t.Errorf("no %q in %q", tt.want, text)
			}
		})
	}
}

// TestAnItemThatSomebodyElsePublishedIsRefusedInThePlan plans an item whose
// version is already published with different content, from a different state or
// the openpai CLI.
func TestAnItemThatSomebodyElsePublishedIsRefusedInThePlan(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	market := filepath.Join(dir, "market")
	tf := start(t, dir)
	config := tree{"to": market, "name": "mnist", "content": twoItems}
	tf.resource("openpai_marketplace_item").mustApply(config, "create")

	same := tf.resource("openpai_marketplace_item")
	if p := same.plan(config); p.action(same.null()) != "create" {
		t.Errorf("equal content: %s %s", p.action(same.null()), p.diagnostics)
	}
	config["content"] = strings.Replace(twoItems, "echo wget", "echo changed", 1)
	other := tf.resource("openpai_marketplace_item")
	if p := other.plan(config); !strings.Contains(p.diagnostics, `error: AttributeName("content"): Published version cannot change: `) {
		t.Errorf("other content: %s %s", p.action(other.null()), p.diagnostics)
	}
}
