// SPDX-License-Identifier: MPL-2.0

package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestPassages(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		file, content string
		want          []string
	}{
		"comments, and literals of several words": {
			"a.go", "// Package a does it.\npackage a\n\nimport \"some path\"\n\n//go:embed x\nvar x = \"two words\" + \" and more\"\nvar y = \"one\"\n",
			[]string{"Package a does it.", "two words and more"},
		},
		"paragraphs of a comment without its code": {
			"a.go", "package a\n\n// One is\n// first.\n//\n//\tcode here\n//\n// Two is second.\nvar x int\n",
			[]string{"One is first.", "Two is second."},
		},
		"paragraphs and items of a page, without code": {
			"a.md", "# A title\n\nSome text\nof two lines.\n- an item\n- another\n\n```\ncode is code\n```\n\nThe end.\n",
			[]string{"# A title", "Some text of two lines.", "- an item", "- another", "The end."},
		},
		"the cells of a table": {
			"a.md", "Before:\n\n| a | b \\| c |\n| --- | --- |\n|| one cell |\nafter it.\n",
			[]string{"Before:", "a", "b \\| c", "one cell", "after it."},
		},
		"nothing of data of tests": {"testdata/a.md", "Some text", nil},
		"the comments of a script": {
			"testdata/script/a.txtar", "# A command\n# of two lines.\nexec a\n# Next.\n-- a.md --\n# A title\n", []string{"A command of two lines.", "Next."},
		},
		"nothing of hidden folders":     {".ci/a.md", "Some text", nil},
		"nothing of other kinds":        {"a.txt", "Some text", nil},
		"nothing of a generated page":   {"docs/errors.md", "Some text", nil},
		"nothing of a generated folder": {"docs/language/job.md", "Some text", nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			passages, err := read(fstest.MapFS{tt.file: {Data: []byte(tt.content)}})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range passages {
				got = append(got, p.text)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("passages (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ text, want string }{
		"a verb of people":         {"The help tells the exit codes.", `"tells"`},
		"the passive of it":        {"The user is told so.", `"is told"`},
		"a separate file":          {"Put it into a file of its own.", `"of its own."`},
		"its own file":             {"It reads the end of its own file.", ""},
		"a program that continues": {"The job goes on.", `"goes on"`},
		"a required wording":       {"20s of timeouts.create have passed; the job goes on.", ""},
		"a stand-in":               {"The server stands in for the engine.", ""},
		"a value in a place":       {"The value stands at its key.", `"stands at"`},
		"a bool":                   {"A whole number is an integer.", `"whole number"`},
		"a British spelling":       {"The colour of the catalogue.", `"catalogue"`},
		"a required code":          {"See items-not-initialised.", ""},
		"a sentence of 30 words":   {strings.Repeat("word ", 29) + "end. Next.", ""},
		"a sentence of 31 words":   {strings.Repeat("word ", 30) + "end. Next.", "31 words without a stop"},
		"a list of 32 words":       {strings.Repeat("word ", 15) + "one; " + strings.Repeat("word ", 15) + "end. Next.", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			err := check([]passage{{file: "a.md", line: 3, text: tt.text}}, &out)
			if found := err != nil; found != (tt.want != "") || !strings.Contains(out.String(), tt.want) {
				t.Errorf("check reports %q, error %v; want %s", out.String(), err, tt.want)
			}
		})
	}
}

func TestDrawnSentences(t *testing.T) {
	t.Parallel()
	passages := []passage{{file: "a.md", line: 1, text: "The first one has six words. Too short. Is the third one long enough? It says e.g. this."}}
	drawn := func(seed uint64) string {
		var out bytes.Buffer
		if err := draw(passages, 2, seed, &out); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	if diff := cmp.Diff(drawn(1), drawn(1)); diff != "" {
		t.Errorf("one seed draws two samples:\n%s", diff)
	}
	if err := draw(passages, 9, 1, &bytes.Buffer{}); err == nil {
		t.Error("more sentences are drawn than there are")
	}
	if got := drawn(3); strings.Contains(got, "Too short") || !strings.Contains(got, "seed 3") {
		t.Errorf("drawn:\n%s", got)
	}
}

func TestStringsOfTestsAreNotDrawn(t *testing.T) {
	t.Parallel()
	content := "// Package a has a comment.\npackage a\n\nvar x = \"a string of five words\"\n"
	drawn := func(file string, number int) error {
		passages, err := read(fstest.MapFS{file: {Data: []byte(content)}})
		if err != nil {
			t.Fatal(err)
		}
		return draw(passages, number, 1, io.Discard)
	}
	if err := drawn("a.go", 2); err != nil {
		t.Errorf("the comment and the string of a package: %v", err)
	}
	if err := drawn("a_test.go", 1); err != nil {
		t.Errorf("the comment of a test: %v", err)
	}
	if err := drawn("a_test.go", 2); err == nil {
		t.Error("the string of a test was drawn")
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"read"}, {"check", "now"}, {"draw", "-n", "0"}, {"draw", "-n", "many"}} {
		if err := run(args, t.TempDir(), &bytes.Buffer{}); err == nil {
			t.Errorf("%q is accepted", args)
		}
	}
}
