// SPDX-License-Identifier: MPL-2.0

package view_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/openpai/terraform-provider-openpai/internal/tools/golden"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// drawnJobs returns jobs with every kind of node and edge.
func drawnJobs() []*resolve.Job {
	train, other := trainJob(), changedJob()
	for _, job := range []*resolve.Job{train, other} {
		steps := job.TaskRoles[0].Steps
		steps[1].Requires = []string{steps[0].Address}
		steps[1].With = map[string]string{"dataPath": "/a/directory/with/a/name/that/is/much/too/long/for/any/box/mnist"}
		steps[1].Fetch[0].Auth = "Bearer <% $secrets.token %>"
	}
	other.Address, other.Name = "job.other", "other"
	other.TaskRoles[1].Steps = []*resolve.Step{other.TaskRoles[0].Steps[1], other.TaskRoles[0].Steps[0]}
	return []*resolve.Job{train, other}
}

func TestGraphsAreDrawnAsInTestdata(t *testing.T) {
	t.Parallel()
	jobs := drawnJobs()
	got := &txtar.Archive{Files: []txtar.File{
		{Name: "dot", Data: []byte(view.DOT(jobs))},
		{Name: "mermaid", Data: []byte(view.Mermaid(jobs))},
		{Name: "svg", Data: view.SVG(jobs)},
	}}
	golden.File(t, "testdata/graph.txtar", txtar.Format(got))
	for range 100 {
		if again := view.SVG(drawnJobs()); !bytes.Equal(again, got.Files[2].Data) {
			t.Fatal("the same jobs produce another drawing")
		}
	}
}

func TestAnSVGIsValidXMLForAnyName(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "<script>alert(1)</script>", `"&'`, "a\x00b\x1b[31m", "\u202e\ufffe", "\xff", strings.Repeat("数", 400), "]]>"} {
		jobs := drawnJobs()
		jobs[0].Name, jobs[0].TaskRoles[0].Name, jobs[0].TaskRoles[0].Mounts[0].Storage = name, name, name
		jobs[0].TaskRoles[0].Steps[1].Name = name
		jobs[0].TaskRoles[0].Steps[1].With = map[string]string{"a": name}
		for d := xml.NewDecoder(bytes.NewReader(view.SVG(jobs))); ; {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%q: %v", name, err)
			}
			if e, isStart := token.(xml.StartElement); isStart && e.Name.Local == "script" {
				t.Fatalf("%q became an element", name)
			}
		}
	}
}

func BenchmarkSVG(b *testing.B) {
	job := trainJob()
	role := job.TaskRoles[0]
	for i := range 1000 {
		step := *role.Steps[0]
		step.Address = fmt.Sprint("prerequisite.script.", i)
		if i > 0 {
			step.Requires = []string{fmt.Sprint("prerequisite.script.", i/2)}
		}
		role.Steps = append(role.Steps, &step)
	}
	for b.Loop() {
		view.SVG([]*resolve.Job{job})
	}
}

// A template variable of maximum size must not cause quadratic time or widen
// all lines.
func TestLongValuesAreDrawn(t *testing.T) {
	t.Parallel()
	job := trainJob()
	step := job.TaskRoles[0].Steps[0]
	step.With = map[string]string{"long": strings.Repeat("x", 1<<20)}
	step.Address += "{long=" + step.With["long"] + "}"
	if n := len(view.SVG([]*resolve.Job{job})); n > 3<<20 {
		t.Errorf("the picture has %d bytes", n)
	}
	var out bytes.Buffer
	if err := view.Graph(&out, []*resolve.Job{job}, view.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(out.String(), "\n") {
		if len(line) > 300 && !strings.Contains(line, step.Address) {
			t.Errorf("a line has %d bytes: %.60s", len(line), line)
		}
	}
}
