// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func nothingKnown(string) (*Known, error) { return nil, nil }

// TestRequirementsAreFoundAcrossMarketplaces checks references between two
// marketplaces, names within a file, and cycles.
func TestRequirementsAreFoundAcrossMarketplaces(t *testing.T) {
	t.Parallel()
	dir := unpack(t, `
-- a/set.yaml --
- {name: set, type: data, require: [tools, "marketplace://name/shell"]}
- {name: tools, type: script, require: ["marketplace://script/shell?from=b"]}
- {name: unused, type: script, uri: x}
-- b/shell.yaml --
{name: shell, type: script, require: ["marketplace://name/round?from=b"]}
-- b/round.yaml --
{name: round, type: script, require: ["marketplace://data/set"]}
`)
	set := newSet(Options{Dir: dir}, market("a", "a"), market("b", "b"))
	c := set.Closure(context.Background(), []string{"marketplace://name/set"}, Prerequisite, nothingKnown)
	var addresses []string
	for _, f := range c.Items {
		addresses = append(addresses, f.Address)
	}
	const data, tools, shell, round = "marketplace://data/set?from=a", "marketplace://script/tools?from=a", "marketplace://script/shell?from=b", "marketplace://script/round?from=b"
	if diff := cmp.Diff([]string{data, tools, shell, round}, addresses); diff != "" {
		t.Errorf("items (-want +got)\n%s", diff)
	}
	want := map[string][]string{data: {tools, shell}, tools: {shell}, shell: {round}, round: {data}}
	if diff := cmp.Diff(want, c.Requires); diff != "" {
		t.Errorf("requires (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(map[string]map[string]string{data: {"tools": tools}}, c.Siblings); diff != "" {
		t.Errorf("siblings (-want +got)\n%s", diff)
	}
	if len(c.Failures) > 0 {
		t.Errorf("failures: %v", c.Failures)
	}
}

func TestClosureContinuesAfterFailures(t *testing.T) {
	t.Parallel()
	dir := unpack(t, "-- x.yaml --\n- {name: x, require: [tols, \"marketplace://name/gone\", y]}\n- {name: tools, uri: x}\n- {name: y, uri: x}\n")
	set := newSet(Options{Dir: dir}, market("a", "."))
	c := set.Closure(context.Background(), []string{"marketplace://name/x", "marketplace://name/nobody", "marketplace://name/gone"}, Prerequisite, nothingKnown)
	var got []string
	for _, f := range c.Failures {
		if !Is(f.Err, hclspec.ItemNotFound) {
			t.Errorf("%s: %v", f.Reference, f.Err)
		}
		got = append(got, f.Reference+" by "+f.By)
	}
	const x = "marketplace://script/x?from=a"
	if diff := cmp.Diff([]string{"tols by " + x, "marketplace://name/gone by " + x, "marketplace://name/nobody by "}, got); diff != "" {
		t.Errorf("failures (-want +got)\n%s", diff)
	}
	if c.Item("marketplace://script/y?from=a") == nil {
		t.Error("the items after a failure are missing")
	}
}

// TestClosureKeepsWhatIsKnown checks that Closure does not look up known items
// again, but follows their references.
func TestClosureKeepsWhatIsKnown(t *testing.T) {
	t.Parallel()
	dir := unpack(t, "-- x.yaml --\n{name: fresh, uri: x}\n")
	set := newSet(Options{Dir: dir}, market("a", "."))
	known := map[string]*Known{
		"marketplace://name/old": {Address: "old", Requires: []string{"part", "marketplace://name/fresh"}, Siblings: map[string]string{"part": "part-of-old"}},
		"part-of-old":            {Address: "part-of-old"},
	}
	c := set.Closure(context.Background(), []string{"marketplace://name/old"}, Prerequisite, func(ref string) (*Known, error) { return known[ref], nil })
	if diff := cmp.Diff([]string{"old", "part-of-old"}, c.Kept); diff != "" {
		t.Errorf("kept (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(map[string][]string{"old": {"part-of-old", "marketplace://script/fresh?from=a"}}, c.Requires); diff != "" {
		t.Errorf("requires (-want +got)\n%s", diff)
	}
}

// TestLookupsOfRequiredItemsAreLimited checks an endless chain of generated files.
func TestLookupsOfRequiredItemsAreLimited(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	var url string
	url = serve(t, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, "name: x\nrequire: [%s/%d.yaml]\n", url, asked.Add(1))
	})
	limits := quick()
	limits.Items = 20
	c := newSet(Options{Limits: limits}).Closure(context.Background(), []string{url + "/0.yaml"}, Prerequisite, nothingKnown)
	if len(c.Failures) != 1 || !Is(c.Failures[0].Err, hclspec.ItemTooLarge) || asked.Load() > 21 {
		t.Errorf("%d requests with the failures %v; want one failure for too many items", asked.Load(), c.Failures)
	}
}

// TestRequirementsOfAnItemAreLimited checks that Closure fails for an item with
// more requirements than the limit.
func TestRequirementsOfAnItemAreLimited(t *testing.T) {
	t.Parallel()
	const limit, many = 20, 200
	for name, c := range map[string]struct {
		require  string
		siblings bool
	}{
		"references that do not exist":         {"marketplace://name/gone%d", false},
		"names that the file does not contain": {"gone%d", false},
		"items of the same file":               {"s%d", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var require, siblings strings.Builder
			for n := range many {
				fmt.Fprintf(&require, "%q, ", fmt.Sprintf(c.require, n))
				if c.siblings {
					fmt.Fprintf(&siblings, "- {name: s%d, uri: x}\n", n)
				}
			}
			dir := unpack(t, "-- x.yaml --\n- {name: x, require: ["+require.String()+"]}\n"+siblings.String())
			limits := quick()
			limits.Items = limit
			set := newSet(Options{Dir: dir, Limits: limits}, market("a", "."))
			got := set.Closure(context.Background(), []string{"marketplace://name/x"}, Prerequisite, nothingKnown)
			if n := len(got.Items) + len(got.Failures); n != limit+1 {
				t.Fatalf("%d items and %d failures, want a total of %d", len(got.Items), len(got.Failures), limit+1)
			}
			if last := got.Failures[len(got.Failures)-1]; !Is(last.Err, hclspec.ItemTooLarge) {
				t.Errorf("the last failure is %v", last.Err)
			}
		})
	}
}
