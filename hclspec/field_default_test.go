// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"reflect"
	"testing"
	"time"
)

func TestABlockThatIsNotWrittenHasItsDefaults(t *testing.T) {
	t.Parallel()
	type inner struct{ Wait Duration }
	var into struct {
		Text  string
		Flag  bool
		Count int
		None  *int
		Inner inner
	}
	b := &Block{Fields: []Field{
		{Name: "text", Go: "Text", Default: "usual"},
		{Name: "flag", Go: "Flag", Kind: Bool, Default: true},
		{Name: "count", Go: "Count", Kind: Int, Default: 3},
		{Name: "none", Go: "None", Kind: OptionalInt},
		{Name: "inner", Go: "Inner", Kind: Object, Block: &Block{Fields: []Field{{Name: "wait", Go: "Wait", Kind: Dur, Default: "90s"}}}},
		{Name: "elsewhere", Default: "of a resource"},
	}}
	b.SetDefaults(reflect.ValueOf(&into).Elem())
	if into.Text != "usual" || !into.Flag || into.Count != 3 || into.None != nil || time.Duration(into.Inner.Wait) != 90*time.Second {
		t.Errorf("%+v", into)
	}
}

func TestAnInvalidDefaultIsAnErrorInTheTable(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]*Field{
		"no duration":    {Name: "wait", Kind: Dur, Default: "soon"},
		"an unknown one": {Name: "ratio", Default: 0.5},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			var d Duration
			f.SetDefault(reflect.ValueOf(&d).Elem())
		}()
	}
}
