// SPDX-License-Identifier: MPL-2.0

package render

import (
	"encoding/json"
	"testing"

	"go.yaml.in/yaml/v3"
)

func TestStringsOfYAMLStayStrings(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		value any
		want  string
	}{
		"a plain text":                           {"debian/12", "debian/12\n"},
		"a string that YAML 1.1 reads as a bool": {"yes", "\"yes\"\n"},
		"a string that looks like a number":      {"10", "\"10\"\n"},
		"a string with a colon":                  {"a: b", "\"a: b\"\n"},
		"an empty text":                          {"", "\"\"\n"},
		"a string with a trailing space":         {"a ", "\"a \"\n"},
		"a string of several lines":              {"a\nb\n", "|\n  a\n  b\n"},
		"a number keeps its spelling":            {map[string]any{"size": 1.5}, "size: 1.5\n"},
		"an empty object and an empty list":      {map[string]any{"a": map[string]any{}, "b": []any{}}, "a: {}\nb: []\n"},
		"null and booleans":                      {[]any{nil, true}, "- null\n- true\n"},
		"angle brackets are not escaped":         {"<% $secrets.x %>", "\"<% $secrets.x %>\"\n"},
		"letters of every script are unchanged":  {"数据", "\"数据\"\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := string(yamlText(tt.value)); got != tt.want {
				t.Errorf("YAML %q, want %q", got, tt.want)
			}
		})
	}
}

func FuzzYAMLStringReadsBack(f *testing.F) {
	for _, s := range []string{"", "yes", "a\nb", "\x00", "a\r\nb", "\u2028", "\u0085", " lead\n tail ", "\u007f\n", "-", "a\n\n\n", "\n", "\t\nx", "𝄞"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want := ""
		if err := json.Unmarshal([]byte(canonical(s)), &want); err != nil {
			t.Fatal(err)
		}
		var got string
		if err := yaml.Unmarshal(yamlText(s), &got); err != nil {
			t.Fatalf("%q does not read back: %v\n%q", s, err, yamlText(s))
		}
		if got != want {
			t.Fatalf("%q reads back as %q from %q", want, got, yamlText(s))
		}
	})
}
