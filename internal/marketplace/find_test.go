// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/hclspec"
)

const two = `
-- a/mnist.yaml --
- {name: mnist, type: data, version: "1.2", callbacks: [{event: taskStarts, commands: [echo 1.2]}]}
- {name: mnist, type: data, version: "1.10", callbacks: [{event: taskStarts, commands: [echo 1.10]}]}
- {name: mnist, type: script, callbacks: [{event: taskStarts, commands: [echo script]}]}
- {name: only, type: script, callbacks: [{event: taskStarts, commands: [echo a]}]}
-- a/twice.yaml --
- {name: twice, type: script, version: "1", callbacks: [{event: taskStarts, commands: [echo 1]}]}
- {name: twice, type: script, version: "1", callbacks: [{event: taskStarts, commands: [echo 2]}]}
-- a/copy1.yaml --
{name: copy, type: script, callbacks: [{event: taskStarts, commands: [echo same]}]}
-- a/copy2.yaml --
{name: copy, type: script, callbacks: [{event: taskStarts, commands: [echo same]}]}
-- a/old.yaml --
{name: aged, type: script, version: "1", callbacks: [{event: taskStarts, commands: [echo 1]}]}
-- a/young.yaml --
{name: aged, type: script, version: "2", callbacks: [{event: taskStarts, commands: [echo 2]}]}
-- b/only.yaml --
{name: only, type: script, callbacks: [{event: taskStarts, commands: [echo b]}]}
-- b/train.yaml --
`

func TestAReferenceFindsOneItem(t *testing.T) {
	t.Parallel()
	dir := unpack(t, two+jobText("train"))
	set := newSet(Options{Dir: dir}, market("a", "a"), market("b", "b"))
	for ref, c := range map[string]struct {
		want    Want
		address string
		kind    *hclspec.Entry
		text    string
	}{
		"marketplace://data/mnist":                        {address: "marketplace://data/mnist?from=a"},
		"marketplace://data/mnist?version=1.10":           {address: "marketplace://data/mnist?from=a"},
		"marketplace://data/mnist?version=1.2":            {address: "marketplace://data/mnist?from=a&version=1.2"},
		"marketplace://script/only?from=b":                {address: "marketplace://script/only?from=b"},
		"marketplace://name/copy":                         {address: "marketplace://script/copy?from=a"},
		"marketplace://prerequisites/itemId/only":         {address: "marketplace://script/only?from=b"},
		"marketplace://prerequisites/itemId/mnist%2Fonly": {address: "marketplace://script/only?from=a"},
		"marketplace://prerequisites/itemId/old":          {address: "marketplace://script/aged?from=a&version=1"},
		"marketplace://prerequisites/itemId/young":        {address: "marketplace://script/aged?from=a"},
		"marketplace://name/train":                        {want: Job, address: "marketplace://job/train?from=b"},

		"marketplace://name/mnist":             {kind: AmbiguousItem, text: "marketplace://data/mnist?from=a or marketplace://script/mnist?from=a"},
		"marketplace://name/only":              {kind: AmbiguousItem, text: "marketplace://script/only?from=a or marketplace://script/only?from=b"},
		"marketplace://name/twice":             {kind: AmbiguousItem, text: "remove one item"},
		"marketplace://name/mnst":              {kind: hclspec.ItemNotFound, text: `Did you mean "mnist"?`},
		"marketplace://name/only?from=c":       {kind: hclspec.ItemNotFound, text: `the marketplace "c" is not declared; declared marketplaces: "a", "b"`},
		"marketplace://data/mnist?version=1.3": {kind: hclspec.ItemNotFound, text: "available versions are 1.2, 1.10"},
		"marketplace://data/only?from=a":       {kind: hclspec.ItemNotFound, text: `does not contain the item with the type data. Write marketplace://script/only?from=a`},
		" marketplace://name/train":            {want: Prerequisite, kind: hclspec.ItemNotPrerequisite, text: "openpai run marketplace://job/train"},
		"marketplace://script/only?from=a":     {want: Job, kind: hclspec.ItemNotAJob, text: "type script"},
	} {
		found, err := set.Find(context.Background(), strings.TrimSpace(ref), c.want)
		switch {
		case c.kind == nil && (err != nil || found.Address != c.address):
			t.Errorf("%s gives %v, %v, want %s", ref, found, err, c.address)
		case c.kind != nil && (!Is(err, c.kind) || !strings.Contains(phrase.Error(err), c.text)):
			t.Errorf("%s: the error is %v, want %s with %q", ref, err, c.kind.Code, c.text)
		}
	}
	if _, err := newSet(Options{}).Find(context.Background(), "marketplace://name/x", Any); !Is(err, hclspec.ItemNotFound) || !strings.Contains(phrase.Error(err), "--marketplace") {
		t.Errorf("without marketplaces the error is %v", err)
	}
}

// TestErrorsDoNotContainAnUnknownName checks errors for a marketplace whose
// name is unknown to users.
func TestErrorsDoNotContainAnUnknownName(t *testing.T) {
	t.Parallel()
	set := newSet(Options{Dir: unpack(t, two), Unnamed: true}, market("internal", "a"))
	none := newSet(Options{Dir: t.TempDir(), Unnamed: true}, market("internal", "nowhere"))
	for name, c := range map[string]struct {
		set       *Set
		ref, text string
	}{
		"an item that does not exist":     {set, "marketplace://name/nobody?from=internal", "the marketplace does not contain the item"},
		"another version":                 {set, "marketplace://data/mnist?from=internal&version=9", `the marketplace does not contain the item in version "9"`},
		"another type":                    {set, "marketplace://data/only?from=internal", "the marketplace does not contain the item with the type data. Choose the type script"},
		"two types":                       {set, "marketplace://name/mnist?from=internal", "Choose the type data or script"},
		"a marketplace that is not there": {none, "marketplace://name/x?from=internal", "the marketplace: "},
	} {
		_, err := c.set.Find(t.Context(), c.ref, Any)
		if err == nil || !strings.Contains(err.Error(), c.text) || strings.Contains(err.Error(), "internal") {
			t.Errorf("%s: %v, want %q without the name", name, err, c.text)
		}
	}
}

func TestFindSelectsAnItemInAFileByName(t *testing.T) {
	t.Parallel()
	url := serve(t, status(200, "- {name: a, uri: x}\n- {name: b, uri: x}\n"))
	set := newSet(Options{})
	ctx := context.Background()
	if f, err := set.Find(ctx, url+"/items.yml#b", Prerequisite); err != nil || f.Address != url+"/items.yml#b" {
		t.Errorf("%v, %v", f, err)
	}
	if _, err := set.Find(ctx, url+"/items.yml", Prerequisite); !Is(err, AmbiguousItem) || !strings.Contains(err.Error(), url+"/items.yml#a") {
		t.Errorf("without a name the error is %v", err)
	}
	if _, err := set.Find(ctx, url+"/items.yml#c", Prerequisite); !Is(err, hclspec.ItemNotFound) {
		t.Errorf("a name that the file does not contain: %v", err)
	}
}

func TestVersionsAreOrderedByTheirNumbers(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{{"1.10", "1.9"}, {"1.0", ""}, {"2", "1.9.9"}, {"1.0", "1.0-beta"}, {"1.0", "spring"}, {"b", "a"}} {
		if !newer(c[0], c[1]) || newer(c[1], c[0]) {
			t.Errorf("%q is not newer than %q", c[0], c[1])
		}
	}
}

// TestUnreadableItemsDoNotHideReadableOnes checks lookups in a directory with unreadable
// files. The lookup must still find an existing item and report a missing item.
func TestUnreadableItemsDoNotHideReadableOnes(t *testing.T) {
	t.Parallel()
	good := "name: good\ntype: script\ncallbacks: [{event: taskStarts, commands: [echo]}]\n"
	dir := unpack(t, "-- a/broken.yaml --\n{name: [\n-- a/block.pai.hcl --\njob {\n-- a/good.yaml --\n"+good)
	if err := os.Symlink(filepath.Join(dir, "a", "good.yaml"), filepath.Join(dir, "a", "link.yaml")); err != nil {
		t.Fatal(err)
	}
	rows, err := json.Marshal([]map[string]any{
		{"id": "1", "name": "broken", "type": "script", "protocol": "{name: ["},
		{"id": "2", "name": "huge", "type": "script", "protocol": strings.Repeat("#", 8192)},
		{"id": "3", "name": "empty", "type": "script", "protocol": ""},
		{"id": "4", "name": "good", "type": "script", "protocol": good},
	})
	if err != nil {
		t.Fatal(err)
	}
	small := quick()
	small.FileBytes = 4096
	for name, c := range map[string]struct {
		source     string
		unreadable string
	}{
		"a directory": {"a", "3 files could not be read"},
		"a server":    {"rest::" + serve(t, status(200, string(rows))), "3 files could not be read"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set := newSet(Options{Dir: dir, Limits: small}, market("m", c.source))
			if found, err := set.Find(t.Context(), "marketplace://script/good", Prerequisite); err != nil || found.Name != "good" {
				t.Errorf("found %v, %v", found, err)
			}
			_, err := set.Find(t.Context(), "marketplace://script/gone", Prerequisite)
			if !Is(err, hclspec.ItemNotFound) || !strings.Contains(err.Error(), c.unreadable) {
				t.Errorf("an item that does not exist: %v", err)
			}
		})
	}
}
