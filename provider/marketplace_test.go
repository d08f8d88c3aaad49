// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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

// newVersion is twoItems with different commands and a higher version.
var newVersion = strings.ReplaceAll(strings.ReplaceAll(twoItems, "echo wget", "echo changed"), "1.0", "1.1")

func writeItems(t *testing.T, market, name, text string) {
	t.Helper()
	if err := os.MkdirAll(market, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(market, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestAnItemThatIsNotPinnedIsAWarning(t *testing.T) {
	t.Parallel()
	tf := start(t, t.TempDir())
	market := t.TempDir()
	writeItems(t, market, "data.yaml", twoItems)
	writeItems(t, market, "greet.yaml", "name: greet\ntype: script\ncallbacks: [{event: taskStarts, commands: [ls]}]\n")
	hash := outputs(tf.read("openpai_marketplace_item", tree{"source": market, "name": "mnist"}))["hash"].(string)
	tests := map[string]struct {
		pin  tree
		want string
	}{
		"an item without a version":     {tree{"name": "greet"}, "Item is not pinned: greet has no version. If the item changes, plans use the changed item. Set hash = "},
		"an item without a pin":         {tree{"name": "mnist"}, "Item is not pinned: mnist 1.0 is the newest version. After a newer version is published, plans use that version. Set item_version = \"1.0\" and hash = \"" + hash + "\".\n"},
		"an item pinned by its version": {tree{"name": "mnist", "item_version": "1.0"}, ""},
		"an item pinned by its hash":    {tree{"name": "mnist", "hash": hash}, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			tt.pin["source"] = market
			if _, text := tf.tryRead("openpai_marketplace_item", tt.pin); tt.want == "" && text != "" || !strings.Contains(text, tt.want) {
				t.Errorf("%q, want %q", text, tt.want)
			}
		})
	}
}

func TestTheEndOfItemsWarnsAboutItemsThatRemain(t *testing.T) {
	t.Parallel()
	tf := start(t, t.TempDir())
	config := tree{"to": t.TempDir(), "name": "data", "content": twoItems}
	kept := tf.resource("openpai_marketplace_item")
	kept.mustApply(config, "create")
	if p := kept.plan(nil); !strings.Contains(p.diagnostics, "warning: Published items are kept: The items named data remain in "+kept.text("to")) || !strings.Contains(p.diagnostics, `apply on_destroy = "delete" first`) {
		t.Errorf("%s", p.diagnostics)
	}
	market := t.TempDir()
	config["to"], config["on_destroy"] = market, "delete"
	i, other := tf.resource("openpai_marketplace_item"), tf.resource("openpai_marketplace_item")
	i.mustApply(config, "create")
	other.mustApply(config, "create")
	if p := other.plan(nil); !strings.Contains(p.diagnostics, `despite on_destroy = "delete", because this resource did not publish the items`) {
		t.Errorf("%s", p.diagnostics)
	}
	if p := i.plan(nil); p.diagnostics != "" {
		t.Errorf("%s", p.diagnostics)
	}
	writeItems(t, market, "data-1.0.yaml", twoItems+"# edited")
	if action, text := i.apply(nil); action != "destroy" || !strings.Contains(text, "data-1.0.yaml remains, because its content") {
		t.Errorf("%s\n%s", action, text)
	}
}
