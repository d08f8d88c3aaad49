// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"testing"

	"github.com/hashicorp/hcl/v2"
)

func TestTheParentOfAPathOmitsItsLastElement(t *testing.T) {
	t.Parallel()
	for path, want := range map[Path]Path{
		Path("job").Attr("x").Key("a.b[0]").Attr("uri").Index(2): `job.x["a.b[0]"].uri`,
		Path("job").Attr("x").Key(`say "hi"`):                    "job.x",
		Path("job").Attr("x").Key(`ends with \`):                 "job.x",
		"job.x.fetch[0]":                                         "job.x.fetch",
		"job.x":                                                  "job",
		"job":                                                    "",
		"":                                                       "",
	} {
		if got := path.Parent(); got != want {
			t.Errorf("parent of %s is %q, want %q", path, got, want)
		}
	}
}

func TestTheFirstLabeledBlockHasNoIndex(t *testing.T) {
	t.Parallel()
	p := Path("job.x")
	for want, got := range map[Path]Path{
		`job.x.plugin["ssh"]`:                 p.Attr("plugin").Element([]string{"ssh"}, 0),
		`job.x.plugin["ssh"][1]`:              p.Attr("plugin").Element([]string{"ssh"}, 1),
		`job.x.prerequisite["data"]["mnist"]`: p.Attr("prerequisite").Element([]string{"data", "mnist"}, 0),
		`job.x.fetch[0]`:                      p.Attr("fetch").Element(nil, 0),
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestSourceMapFallsBackToTheNearestKnownPath(t *testing.T) {
	t.Parallel()
	at := func(line int) hcl.Range { return hcl.Range{Filename: "f", Start: hcl.Pos{Line: line}} }
	m := SourceMap{"job.x": at(1)}
	m.Merge(SourceMap{`job.x.task_role["w"].commands`: at(7)})
	for path, line := range map[Path]int{
		`job.x.task_role["w"].commands[0]`: 7,
		`job.x.task_role["w"].image`:       1,
		"job.x.name":                       1,
		"job.y.name":                       0,
	} {
		if got := m.Range(path).Start.Line; got != line {
			t.Errorf("%s is at line %d, want %d", path, got, line)
		}
	}
}

func FuzzPathSteps(f *testing.F) {
	for _, s := range []string{`job.x["a"][0].b`, `[`, `["`, `..`, `["a"`, `[0`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		Lookup(Path(text))
		JobBlock.Lookup(Path(text))
		steps := Path("a").Key(text).steps()
		if len(steps) != 2 || steps[1] != (step{stepKey, text}) {
			// strconv.Quote replaces bytes that are not valid UTF-8.
			if string([]rune(text)) == text {
				t.Fatalf("the key %q reads as %v", text, steps)
			}
		}
	})
}
