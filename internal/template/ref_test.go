// SPDX-License-Identifier: MPL-2.0

package template

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAReferenceIsReadFromATemplate(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		in   string
		root string
		path []any
	}{
		"a name":                            {"$parameters.batch", "parameters", []any{"batch"}},
		"blanks around it":                  {" \t$secrets.y\n", "secrets", []any{"y"}},
		"an index":                          {"$data.uri[0]", "data", []any{"uri", 0}},
		"the index form of mustache":        {"$data.uri.0", "data", []any{"uri", "0"}},
		"nested keys":                       {"$parameters.a.b.c", "parameters", []any{"a", "b", "c"}},
		"a key with a dot":                  {`$parameters["a.b"].c`, "parameters", []any{"a.b", "c"}},
		"a key in single quotes":            {"$parameters['a b']", "parameters", []any{"a b"}},
		"this":                              {"this.mountPoint", "this", []any{"mountPoint"}},
		"this alone":                        {"this", "this", nil},
		"a key with dashes and underscores": {"$parameters.learning-rate_1", "parameters", []any{"learning-rate_1"}},
		"letters of other alphabets":        {"$parameters.größe", "parameters", []any{"größe"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ref, err := parseRef(c.in)
			if err != nil {
				t.Fatalf("%q %v", c.in, err)
			}
			if diff := cmp.Diff(c.path, ref.Path); diff != "" || ref.Root != c.root {
				t.Errorf("root %q (-want +got)\n%s", ref.Root, diff)
			}
		})
	}
}

func TestInvalidReferencesAreErrors(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                   "is empty",
		"parameters.x":       "does not start with $parameters, $secrets, $data, $script, $output or this",
		"= x":                "does not start with $parameters, $secrets, $data, $script, $output or this",
		"# $parameters.x":    "does not start with $parameters, $secrets, $data, $script, $output or this",
		"$":                  "has no name after the $",
		"$parameters.":       "has no name after a dot",
		"$parameters x":      `does not have the form $parameters.name, $data.uri[0] or $parameters["a.b"]`,
		"$data.uri[0":        "has an unclosed bracket",
		`$parameters["a`:     "has an unclosed bracket",
		"$data.uri[-1]":      "has an invalid index: must be a nonnegative integer or a quoted key",
		"$data.uri[first]":   "has an invalid index: must be a nonnegative integer or a quoted key",
		"$data.uri[0].a b.c": `does not have the form $parameters.name, $data.uri[0] or $parameters["a.b"]`,
	} {
		if _, err := parseRef(in); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %q", in, err, want)
		}
	}
}
