// SPDX-License-Identifier: MPL-2.0

package shape

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestObjectsAreFlattenedAndBack(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ nested, flat string }{
		"nothing":                        {`{}`, `{}`},
		"scalars":                        {`{"a":"x","b":1.50,"c":true,"d":null}`, `{"a":"x","b":1.50,"c":true,"d":null}`},
		"lists of objects":               {`{"a":[{"b":["x","y"]},{"b":["z"]}]}`, `{"a[0].b[0]":"x","a[0].b[1]":"y","a[1].b[0]":"z"}`},
		"keys that are not words":        {`{"e":{"A.B":"1","":"2","x[0]":"3","C":"4","\"":"5"}}`, `{"e.C":"4","e[\"A.B\"]":"1","e[\"\"]":"2","e[\"\\\"\"]":"5","e[\"x[0]\"]":"3"}`},
		"an outermost key":               {`{"a b":{"c":1}}`, `{"[\"a b\"].c":1}`},
		"empty lists and objects":        {`{"a":[],"b":{},"c":[[],{}]}`, `{"a":[],"b":{},"c[0]":[],"c[1]":{}}`},
		"lists of more than ten":         {`{"a":[0,1,2,3,4,5,6,7,8,9,10]}`, `{"a[0]":0,"a[10]":10,"a[1]":1,"a[2]":2,"a[3]":3,"a[4]":4,"a[5]":5,"a[6]":6,"a[7]":7,"a[8]":8,"a[9]":9}`},
		"a key that looks like an index": {`{"0":{"1":"x"}}`, `{"[\"0\"][\"1\"]":"x"}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			nested, flat := parsed(t, tt.nested), parsed(t, tt.flat)
			if diff := cmp.Diff(flat, Flatten(nested)); diff != "" {
				t.Errorf("flat (-want +got):\n%s", diff)
			}
			got, err := Unflatten(flat)
			if diff := cmp.Diff(nested, got); err != nil || diff != "" {
				t.Errorf("%v, nested (-want +got):\n%s", err, diff)
			}
		})
	}
}

func parsed(t *testing.T, text string) map[string]any {
	t.Helper()
	tree, err := ParseJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return tree.(map[string]any)
}

func TestPathsThatDoNotFitAreErrors(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ flat, want string }{
		"an empty path":          {`{"":1}`, `path "": it is empty`},
		"an unclosed bracket":    {`{"a[0":1}`, `expected ]`},
		"no index":               {`{"a[x]":1}`, `expected an index`},
		"a negative index":       {`{"a[-1]":1}`, `-1 is not an index`},
		"a fraction":             {`{"a[0.5]":1}`, `0.5 is not an index`},
		"a bool as an index":     {`{"a[true]":1}`, `true is not an index`},
		"no dot":                 {`{"a[0]b":1}`, `expected . or [`},
		"two dots":               {`{"a..b":1}`, `expected a word`},
		"a missing index":        {`{"a[0]":1,"a[2]":1}`, `no index 1`},
		"a list without a start": {`{"a[1]":1}`, `index 1 is set, but not index 0`},
		"a list with a key":      {`{"a[0]":1,"a.b":1}`, `no index 1`},
		"a value in a string":    {`{"a":1,"a.b":1}`, `path "a.b" conflicts`},
		"a list":                 {`{"[0]":1}`, `the outermost value must be an object, but it is a list`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := Unflatten(parsed(t, tt.flat))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, error %v, want %q", got, err, tt.want)
			}
		})
	}
}

// FuzzUnflatten checks that Flatten and Unflatten do not change a tree from
// Unflatten.
func FuzzUnflatten(f *testing.F) {
	f.Add([]byte(`{"a[0].b[\"c.d\"]":1,"a[1]":[],"e":{}}`))
	f.Add([]byte(`{"[\"\"]":null,"a[999999999]":1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		tree, err := ParseJSON(text)
		flat, ok := tree.(map[string]any)
		if err != nil || !ok {
			return
		}
		nested, err := Unflatten(flat)
		if err != nil {
			return
		}
		again, err := Unflatten(Flatten(nested))
		if diff := cmp.Diff(nested, again); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	})
}
