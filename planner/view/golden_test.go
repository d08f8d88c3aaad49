package view_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// views are the files of each archive in testdata, in order.
var views = []struct {
	name string
	show func(*planner.Plan) ([]byte, error)
}{
	{"text", func(p *planner.Plan) ([]byte, error) {
		var b bytes.Buffer
		err := view.Text(&b, p, view.TextOptions{Width: 80})
		return b.Bytes(), err
	}},
	{"markdown", func(p *planner.Plan) ([]byte, error) {
		var b bytes.Buffer
		err := view.Markdown(&b, p)
		return b.Bytes(), err
	}},
	{"json", view.JSON},
}

// TestGolden compares the views of plans with testdata. go test -update
// rewrites the files; the difference is reviewed like code.
func TestGolden(t *testing.T) {
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
			compare(t, filepath.Join("testdata", name+".txtar"), txtar.Format(got))
		})
	}
}

func compare(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}
