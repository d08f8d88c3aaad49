// SPDX-License-Identifier: MPL-2.0

//go:build unix

package plugin

import (
	"strings"
	"testing"
)

func TestDescriptionsAreReadLikeTheOriginal(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want description
		err  string
	}{
		"as the original's":      {"name: ssh\ninit-script: init.py\n", description{"ssh", "init.py"}, ""},
		"no final newline":       {"name: ssh", description{"ssh", ""}, ""},
		"double quotes":          {`name: "a \"b\" # c"`, description{`a "b" # c`, ""}, ""},
		"single quotes":          {"name: 'it''s'", description{"it's", ""}, ""},
		"a comment":              {"---\n# x\n\nname: a#b # c\n", description{"a#b", ""}, ""},
		"Windows line breaks":    {"name: a\r\ninit-script: b\r\n", description{"a", "b"}, ""},
		"twice":                  {"name: a\nname: b\n", description{}, "line 2 sets name again; remove one of the two lines"},
		"nothing":                {"", description{}, "name is missing"},
		"an empty name":          {"name:\n", description{}, "name is missing"},
		"no blank":               {"name:a", description{}, "the colon is not followed by a space"},
		"a list":                 {"name: [a]", description{}, "not a plain string"},
		"an alias":               {"name: *a", description{}, "not a plain string"},
		"a quote that continues": {"name: 'a' b", description{}, "the quoted string is not closed"},
		"an unclosed quote":      {"name: \"a", description{}, "the quoted string is not closed"},
		"something indented":     {" name: a", description{}, "line 1 is neither"},
		"something else":         {"name: a\nevents: []\n", description{}, "line 2 is neither"},
		"nothing but a sentence": {"hello", description{}, "line 1 is neither"},
	} {
		got, err := parseDescription(c.text)
		switch {
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s: error %v, want %s", name, err, c.err)
		case c.err == "" && (err != nil || got != c.want):
			t.Errorf("%s: %+v, error %v", name, got, err)
		}
	}
}

func FuzzDescription(f *testing.F) {
	f.Add("name: ssh\ninit-script: init.py\n")
	f.Add("name: 'a'\n")
	f.Add("init-script: \"\\x00\"")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := parseDescription(text)
		if err == nil && (d.name == "" || !strings.Contains(text, "name:")) {
			t.Errorf("%q gave %+v", text, d)
		}
	})
}
