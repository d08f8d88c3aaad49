// SPDX-License-Identifier: MPL-2.0

package view_test

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/internal/tools/golden"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// views lists, in order, the files in each archive in testdata.
var views = []struct {
	name string
	show func(*planner.Plan) ([]byte, error)
}{
	{"text", func(p *planner.Plan) ([]byte, error) {
		var b bytes.Buffer
		err := view.Text(&b, p, view.TextOptions{Phrase: phrase.Of, Width: 80})
		return b.Bytes(), err
	}},
	{"markdown", func(p *planner.Plan) ([]byte, error) {
		var b bytes.Buffer
		err := view.Markdown(&b, p, view.MarkdownOptions{Phrase: phrase.Of})
		return b.Bytes(), err
	}},
	{"json", func(p *planner.Plan) ([]byte, error) { return view.JSON(p, phrase.Of) }},
}

// TestPlansAreShownAsInTestdata checks that the plan views match the golden files in
// testdata. UPDATE=1 writes the files.
func TestPlansAreShownAsInTestdata(t *testing.T) {
	t.Parallel()
	for name, plan := range plans() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := &txtar.Archive{}
			for _, v := range views {
				shown, err := v.show(plan)
				if err != nil {
					t.Fatal(err)
				}
				if bytes.Contains(shown, []byte("hunter2")) {
					t.Errorf("%s shows the value of a secret", v.name)
				}
				got.Files = append(got.Files, txtar.File{Name: v.name, Data: shown})
			}
			golden.File(t, filepath.Join("testdata", name+".txtar"), txtar.Format(got))
		})
	}
}

// TestGraphsAreShownAsInTestdata compares the text graphs of resolved jobs with
// testdata.
func TestGraphsAreShownAsInTestdata(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := view.Graph(&b, []*resolve.Job{trainJob(), changedJob()}, view.TextOptions{Phrase: phrase.Of, Detail: true}); err != nil {
		t.Fatal(err)
	}
	golden.File(t, "testdata/graph.txt", b.Bytes())
}

// TestColorOnlyAdds checks that removing the colors from a colored plan produces
// the plain plan.
func TestColorOnlyAdds(t *testing.T) {
	t.Parallel()
	escapes := regexp.MustCompile("\x1b\\[[0-9;]+m")
	for name, plan := range plans() {
		var plain, colored bytes.Buffer
		if err := view.Text(&plain, plan, view.TextOptions{Phrase: phrase.Of, Width: 60, Detail: true}); err != nil {
			t.Fatal(err)
		}
		if err := view.Text(&colored, plan, view.TextOptions{Phrase: phrase.Of, Width: 60, Detail: true, Color: true}); err != nil {
			t.Fatal(err)
		}
		if plain.String() == colored.String() {
			t.Errorf("%s has no color", name)
		}
		if diff := cmp.Diff(plain.String(), escapes.ReplaceAllString(colored.String(), "")); diff != "" {
			t.Errorf("%s (-plain +colored without color):\n%s", name, diff)
		}
	}
}

// TestMarkdownCannotBeBrokenOut checks that text in a declaration cannot add
// markup.
func TestMarkdownCannotBeBrokenOut(t *testing.T) {
	t.Parallel()
	job := trainJob()
	job.Secrets, job.Cluster = nil, "<b>|@all"
	job.TaskRoles[0].Commands = []string{"````", "</details><script>"}
	p := planner.New(planner.Options{Workspace: "team", Jobs: []*resolve.Job{job}, Live: map[string]*planner.Snapshot{job.Cluster: {}}})
	var b bytes.Buffer
	if err := view.Markdown(&b, p, view.MarkdownOptions{Phrase: phrase.Of}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| &lt;b&gt;\\|&#64;all |", "\n`````text\n", "\n`````\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in:\n%s", want, b.String())
		}
	}
}
