// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"
)

func TestProductsAreBoundedBeforeTheyAreMade(t *testing.T) {
	t.Parallel()
	many := make([]cty.Value, 1000)
	for i := range many {
		many[i] = cty.NumberIntVal(int64(i))
	}
	list, two := cty.ListVal(many), cty.ListVal(many[:2])
	if _, err := setProduct.Call([]cty.Value{list, list, list}); err == nil || !strings.Contains(err.Error(), "more than 10000 elements") {
		t.Errorf("got %v", err)
	}
	got, err := setProduct.Call([]cty.Value{two, two})
	if err != nil || got.LengthInt() != 4 {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := setProduct.Call([]cty.Value{two, cty.UnknownVal(two.Type())}); err != nil || got.IsKnown() {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestTheLanguagePageListsTheFunctions(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/language.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## Functions\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var listed []string
	for _, m := range regexp.MustCompile("`([a-z0-9]+)`").FindAllStringSubmatch(section, -1) {
		listed = append(listed, m[1])
	}
	slices.Sort(listed)
	listed = slices.Compact(listed)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(functions(confined{t.TempDir(), "workspace"}))), listed); diff != "" {
		t.Errorf("(-functions +page)\n%s", diff)
	}
}
