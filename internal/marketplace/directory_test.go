// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func TestADirectoryListsItsItems(t *testing.T) {
	t.Parallel()
	dir := unpack(t, "-- a/x.yaml --\n"+oneItem+"-- .git/y.yaml --\n"+oneItem+"-- b.yml --\n"+jobText("train")+
		"-- secret.pai.hcl --\nsecret \"s\" { env = \"S\" }\n-- bad.yaml --\nname: [\n-- notes.txt --\nno item\n-- big.yaml --\n"+strings.Repeat("# much\n", 2000)+
		"-- old.yaml --\nprotocol_version: v2\nname: cifar\ntype: data\ncontributor: ada\nversion: 1.0.0\nuri: http://127.0.0.1:1/cifar.tgz\n")
	if err := os.Symlink("/etc/hostname", filepath.Join(dir, "link.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc", filepath.Join(dir, "out")); err != nil {
		t.Fatal(err)
	}
	limits := quick()
	limits.FileBytes = 10000
	l := list(t, dir, Options{Limits: limits})
	var got []string
	for _, i := range l.Items {
		got = append(got, i.ID+" "+i.Type+" "+i.Definition()+" "+i.Version)
	}
	if diff := cmp.Diff([]string{"a/x script x ", "b job train ", "old data cifar 1.0.0"}, got); diff != "" {
		t.Errorf("items (-want +got)\n%s", diff)
	}
	for _, want := range []string{"unsafe-item link.yaml", "unsafe-item out", "item-not-parseable bad.yaml", "item-too-large big.yaml", "item-not-parseable secret.pai.hcl"} {
		if !strings.Contains(problems(l), want) {
			t.Errorf("no problem %q in\n%s", want, problems(l))
		}
	}
}

func TestAnUnreadableOrTooLargeDirectoryIsAnError(t *testing.T) {
	t.Parallel()
	dir := unpack(t, "-- x.yaml --\n"+oneItem)
	if err := listError(filepath.Join(dir, "gone"), Options{}); !Is(err, hclspec.MarketplaceUnreachable) {
		t.Errorf("a missing directory: %v", err)
	}
	if err := listError(filepath.Join(dir, "x.yaml"), Options{}); !Is(err, hclspec.MarketplaceUnreachable) {
		t.Errorf("a file: %v", err)
	}
	limits := quick()
	limits.Files = 0
	if err := listError(dir, Options{Limits: limits}); !Is(err, hclspec.ItemTooLarge) {
		t.Errorf("too many files: %v", err)
	}
	limits = quick()
	limits.ListBytes = int64(len(oneItem)) - 1
	if err := listError(dir, Options{Limits: limits}); !Is(err, hclspec.ItemTooLarge) {
		t.Errorf("item files above the size limit: %v", err)
	}
}

func TestPrivateItemsAreForTheirAuthor(t *testing.T) {
	t.Parallel()
	items := []*Item{{Name: "open"}, {Name: "hers", Visibility: "private", Author: "alice"}, {Name: "nobody's", Visibility: "private"}, {Name: "shared", Visibility: "protected", Author: "alice"}}
	for user, want := range map[string]int{"alice": 0, "bob": 1} {
		if got, others := (&Listing{Items: items}).For(user); others != want || len(got) != len(items)-want {
			t.Errorf("%s sees %d items, want %d", user, len(got), others)
		}
	}
	if _, others := (&Listing{Items: items, Personal: true}).For("bob"); others != 0 {
		t.Errorf("%d items of a server are omitted, want none: the server already filters by user", others)
	}
}
