// SPDX-License-Identifier: MPL-2.0

package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

var hump = regexp.MustCompile(`([a-z0-9])([A-Z])`)

// snakeCase returns the HCL name of a protocol name by the naming rule.
func snakeCase(name string) string {
	return strings.ToLower(hump.ReplaceAllString(name, "${1}_${2}"))
}

// exceptions maps protocol names to the HCL names that do not follow the naming
// rule.
func exceptions() map[string]string {
	found, seen := map[string]string{}, map[*hclspec.Block]bool{}
	var visit func(b *hclspec.Block)
	visit = func(b *hclspec.Block) {
		if seen[b] {
			return
		}
		seen[b] = true
		for i := range b.Fields {
			f := &b.Fields[i]
			if f.Protocol != "" && snakeCase(f.Protocol) != f.Name {
				found[f.Protocol] = f.Name
			}
			if f.Block != nil {
				visit(f.Block)
			}
		}
	}
	for _, b := range hclspec.RootBlocks {
		visit(b)
	}
	return found
}

func TestTheLanguagePageHasEveryExceptionOfNames(t *testing.T) {
	page, err := os.ReadFile("../../../docs/guides/language.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(page), "## Names")
	if !found {
		t.Fatal("the page has no section on names")
	}
	table, _, _ = strings.Cut(table, "\n## ")
	all := exceptions()
	for protocol, name := range all {
		if !strings.Contains(table, "`"+protocol+"`") || !strings.Contains(table, "`"+name+"`") {
			t.Errorf("the table does not contain %s, which is %s in HCL", protocol, name)
		}
	}
	if len(all) < 10 {
		t.Errorf("only %d exceptions were checked", len(all))
	}
}
