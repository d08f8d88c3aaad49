// SPDX-License-Identifier: MPL-2.0

package plainjson

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHTMLCharactersAreNotEscaped(t *testing.T) {
	value := map[string]any{"b": "<a> & b", "a": []int{1}}
	for name, c := range map[string]struct {
		marshal func(any) ([]byte, error)
		want    string
	}{
		"one line":  {Marshal, `{"a":[1],"b":"<a> & b"}`},
		"must":      {func(v any) ([]byte, error) { return MustMarshal(v), nil }, `{"a":[1],"b":"<a> & b"}`},
		"an indent": {MarshalIndent, "{\n  \"a\": [\n    1\n  ],\n  \"b\": \"<a> & b\"\n}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := c.marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, string(got)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestMarshalFailsForAValueWithoutJSON(t *testing.T) {
	if _, err := Marshal(make(chan int)); err == nil {
		t.Error("Marshal: no error")
	}
	defer func() {
		if recover() == nil {
			t.Error("MustMarshal: no panic")
		}
	}()
	MustMarshal(make(chan int))
}
