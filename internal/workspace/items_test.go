// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// TestTheErrorOfARestrictedStorageNamesTheItem uses an item whose storage the user
// may not access. The error must contain the storage, the user and the
// reference to the item.
func TestTheErrorOfARestrictedStorageNamesTheItem(t *testing.T) {
	t.Parallel()
	dir := unpack(t, digitsJob("./market")+`-- more.pai.hcl --
storage "confidential" {
  host_path = "./data"
  users     = ["bob"]
}
-- market/items.yaml --
- {name: digits, type: data, require: [mount], template_variables: [{name: root}]}
- name: mount
  plugin: pvc_storage
  plugin_params: {name: confidential, mountPath: /mnt/c}
`)
	initialized(t, dir)
	_, diags := resolved(t, dir)
	onlyDiagnostic(t, diags, hclspec.StorageNotPermitted, `The storage "confidential" is restricted to "bob", but the user of job.train is "ada". The mount is requested by marketplace://storage/mount?from=team, required by marketplace://data/digits?from=team`)
}

// TestBlocksOverrideMarketplacesFromOptions checks that options take precedence over
// the environment, and that neither overrides a block.
func TestBlocksOverrideMarketplacesFromOptions(t *testing.T) {
	t.Parallel()
	dir := unpack(t, digitsJob("./market"))
	loaded, diags := Load(Options{
		Path: dir, Marketplaces: []string{"a=/option"},
		Environ: []string{"OPENPAI_MARKETPLACE=a=/environment, b=https://127.0.0.1/api"},
	})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	var got []string
	for _, m := range loaded.Workspace.Marketplaces {
		got = append(got, m.Name+"="+m.Source)
	}
	if want := "team=./market b=https://127.0.0.1/api a=/option"; strings.Join(got, " ") != want {
		t.Errorf("the marketplaces are %v, want %s", got, want)
	}
	for input, want := range map[string]string{"team=/other": "is already declared", "team": "must have the form", "=x": "must have the form"} {
		_, diags := Load(Options{Path: dir, Marketplaces: []string{input}})
		onlyDiagnostic(t, diags, hclspec.InvalidMarketplaceArgument, want)
	}
}
