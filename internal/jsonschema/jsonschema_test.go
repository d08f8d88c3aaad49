// SPDX-License-Identifier: MPL-2.0

package jsonschema

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

type color string

type head struct {
	Version string `json:"version" doc:"Version of the format"`
	Hidden  string `json:"-"`
	Shared  string `json:"shared"`
}

type tree struct {
	head
	Kind     string           `json:"kind" const:"tree"`
	Shared   int              `json:"shared"` // hides head.Shared
	Color    color            `json:"color,omitempty"`
	At       time.Time        `json:"at,omitzero"`
	Parent   *tree            `json:"parent"`
	Children []tree           `json:"children"`
	Sizes    map[string]int   `json:"sizes,omitempty"`
	Any      any              `json:"any,omitempty"`
	Raw      *json.RawMessage `json:"raw,omitempty"`
	private  int
}

func document(closed bool, types ...reflect.Type) Document {
	return Document{ID: "https://example.org/tree.json", Title: "Tree", Types: types, Closed: closed,
		Enums: map[reflect.Type][]string{reflect.TypeFor[color](): {"red", "green"}}}
}

func compile(t *testing.T, d Document) *jsonschema.Schema {
	t.Helper()
	parsed, err := jsonschema.UnmarshalJSON(strings.NewReader(string(Write(d))))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(d.ID, parsed); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile(d.ID)
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

func TestASchemaAcceptsOnlyValidDocuments(t *testing.T) {
	const whole = `{"version":"1","kind":"tree","shared":1,"parent":null,"children":[]}`
	add := func(more string) string { return strings.TrimSuffix(whole, "}") + "," + more + "}" }
	for name, c := range map[string]struct {
		text         string
		open, closed bool
	}{
		"the required fields":        {whole, true, true},
		"a null in a raw field":      {add(`"raw":null`), true, true},
		"a value of the enumeration": {add(`"color":"red"`), true, true},
		"another value":              {add(`"color":"blue"`), false, false},
		"a time":                     {add(`"at":"2026-11-23T01:02:03Z"`), true, true},
		"a tree in a tree":           {`{"version":"1","kind":"tree","shared":1,"children":[],"parent":` + whole + `}`, true, true},
		"a map of strings":           {add(`"sizes":{"a":"b"}`), false, false},
		"an unknown field":           {add(`"new":1`), true, false},
		"a missing field":            {`{"version":"1","kind":"tree","shared":1,"parent":null}`, false, false},
		"null for a list":            {strings.Replace(whole, "[]", "null", 1), false, false},
		"another constant":           {strings.Replace(whole, `"tree"`, `"bush"`, 1), false, false},
		"the type of the outer field": {
			strings.Replace(whole, `"shared":1`, `"shared":"one"`, 1), false, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			value, err := jsonschema.UnmarshalJSON(strings.NewReader(c.text))
			if err != nil {
				t.Fatal(err)
			}
			for closed, want := range map[bool]bool{false: c.open, true: c.closed} {
				err := compile(t, document(closed, reflect.TypeFor[tree]())).Validate(value)
				if (err == nil) != want {
					t.Errorf("closed %v: %v, want valid %v", closed, err, want)
				}
			}
		})
	}
}

func TestAValueOfGoIsValid(t *testing.T) {
	leaf := tree{Kind: "tree", Children: []tree{}}
	text, err := json.Marshal(tree{Kind: "tree", Children: []tree{leaf}, Parent: &leaf, Sizes: map[string]int{"a": 1}, At: time.Now(), Any: []int{1}, private: 1})
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if err := compile(t, document(true, reflect.TypeFor[tree]())).Validate(value); err != nil {
		t.Error(err)
	}
}

type bush struct {
	Kind string `json:"kind" const:"bush"`
}

func TestASchemaAcceptsOneOfSeveralTypes(t *testing.T) {
	d := document(true, reflect.TypeFor[tree](), reflect.TypeFor[bush]())
	if err := compile(t, d).Validate(map[string]any{"kind": "bush"}); err != nil {
		t.Error(err)
	}
	if err := compile(t, d).Validate(map[string]any{"kind": "shrub"}); err == nil {
		t.Error("an unknown kind is accepted")
	}
	if diff := cmp.Diff(string(Write(d)), string(Write(d))); diff != "" {
		t.Errorf("not the same bytes:\n%s", diff)
	}
}

func TestATypeWithoutJSONPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	Write(document(false, reflect.TypeFor[struct{ C chan int }]()))
}
