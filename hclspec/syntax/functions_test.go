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
	page, err := os.ReadFile("../../docs/guides/language.md")
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
	if diff := cmp.Diff(slices.Sorted(maps.Keys(functions(confined{dir: t.TempDir(), what: "workspace"}))), listed); diff != "" {
		t.Errorf("(-functions +page)\n%s", diff)
	}
}

// TestIndexReturnsAPosition checks that index works as in Terraform. The index
// function in cty's standard library works differently.
func TestIndexReturnsAPosition(t *testing.T) {
	t.Parallel()
	a, b := cty.StringVal("a"), cty.StringVal("b")
	tests := map[string]struct {
		list, value, want cty.Value
		message           string
	}{
		"the first of equal elements":     {cty.ListVal([]cty.Value{a, b, b}), b, cty.NumberIntVal(1), ""},
		"elements of several types":       {cty.TupleVal([]cty.Value{cty.True, b}), b, cty.NumberIntVal(1), ""},
		"an unknown element before it":    {cty.ListVal([]cty.Value{cty.UnknownVal(cty.String), b}), b, cty.UnknownVal(cty.Number), ""},
		"an unknown element after it":     {cty.ListVal([]cty.Value{b, cty.UnknownVal(cty.String)}), b, cty.NumberIntVal(0), ""},
		"a value that is not an element":  {cty.ListVal([]cty.Value{a}), b, cty.NilVal, "the list does not contain the value"},
		"an empty list":                   {cty.ListValEmpty(cty.String), b, cty.NilVal, "the list does not contain the value"},
		"a map, whose elements have keys": {cty.MapVal(map[string]cty.Value{"a": b}), b, cty.NilVal, "the first argument must be a list"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := index.Call([]cty.Value{tt.list, tt.value})
			if tt.message != "" {
				if err == nil || err.Error() != tt.message {
					t.Errorf("error %v, want %q", err, tt.message)
				}
				return
			}
			if err != nil || !got.Range().TypeConstraint().Equals(cty.Number) || got.IsKnown() != tt.want.IsKnown() || got.IsKnown() && !got.RawEquals(tt.want) {
				t.Errorf("%#v, %v; want %#v", got, err, tt.want)
			}
		})
	}
}
