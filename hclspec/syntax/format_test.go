// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

func TestFilesAreFormattedInTheStandardStyle(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ src, want string }{
		"equals signs are aligned":                       {"a {\nx=1\nlonger  =  2\n}", "a {\n  x      = 1\n  longer = 2\n}\n"},
		"labels get quotes":                              {"job train {}\njob \"x\" {\n}\n", "job \"train\" {}\njob \"x\" {\n}\n"},
		"a whole interpolation is unwrapped":             {"x = \"${var.a}\"\n", "x = var.a\n"},
		"an interpolation in a string is unchanged":      {"x = \"${var.a}b\"\ny = \"${a}${b}\"\n", "x = \"${var.a}b\"\ny = \"${a}${b}\"\n"},
		"nested interpolations stay":                     {"x = \"${\"${a}b\"}\"\n", "x = \"${a}b\"\n"},
		"an interpolation on several lines is unchanged": {"x = \"${\n a\n}\"\n", "x = \"${\n  a\n}\"\n"},
		"comments stay where they are":                   {"# top\n\nx = 1 # right\n/* y */\n", "# top\n\nx = 1 # right\n/* y */\n"},
		"blank lines at the ends are removed":            {"\n\nx = 1\n\n\n", "x = 1\n"},
		"heredocs are not touched":                       {"x = <<EOT\n  a\n b\nEOT\n", "x = <<EOT\n  a\n b\nEOT\n"},
		"an empty file remains empty":                    {"", ""},
		"only blank lines become an empty file":          {"\n\n", ""},
		"an invalid file is unchanged":                   {"x = = 1\n  y", "x = = 1\n  y"},
		"a file beyond the limits is unchanged":          {"x=" + strings.Repeat("[", 600), "x=" + strings.Repeat("[", 600)},
		"a nested block is indented":                     {"a {\nb {\nx=[\n1,\n]\n}\n}\n", "a {\n  b {\n    x = [\n      1,\n    ]\n  }\n}\n"},
		"unquoted and quoted labels of one block":        {"prerequisite data \"x\" {}\n", "prerequisite \"data\" \"x\" {}\n"},
	}
	for sentence, c := range cases {
		t.Run(sentence, func(t *testing.T) {
			t.Parallel()
			got := string(Format([]byte(c.src)))
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if again := string(Format([]byte(got))); again != got {
				t.Errorf("formatting twice gives %q", again)
			}
		})
	}
}

func TestFormatKeepsTheMeaning(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		in, _ := inputs(t, archive)
		before, diags := Decode(in)
		if diags.HasErrors() {
			continue // invalid sources have no meaning that Format must preserve
		}
		for file, src := range in.Files {
			if !isJSON(file) {
				in.Files[file] = Format(src)
			}
		}
		after, diags := Decode(in)
		if diags.HasErrors() {
			t.Fatalf("%s has errors after formatting: %s", name, listing(diags))
		}
		if diff := cmp.Diff(string(dump(t, before)), string(dump(t, after))); diff != "" {
			t.Errorf("%s means something else (-before +after):\n%s", name, diff)
		}
	}
}

func FuzzFormat(f *testing.F) {
	f.Add("job a {\n x=\"${b}\"\n}\n")
	f.Add("x = \"${\"${a}\"}\"\n\n")
	f.Add("x = \"${a /* c */}\" // d")
	f.Add("\r\nx = 1\r\n")
	f.Fuzz(func(t *testing.T, src string) {
		once := Format([]byte(src))
		if twice := Format(once); string(twice) != string(once) {
			t.Fatalf("%q becomes %q and then %q", src, once, twice)
		}
	})
}
