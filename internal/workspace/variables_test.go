// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestValuesByRank sets one variable in more and more places; the last one takes
// precedence.
func TestValuesByRank(t *testing.T) {
	t.Parallel()
	files := `
-- main.pai.hcl --
variable "who" {
  type    = string
  default = "default"
}
job "train" {
  description = var.who
  task_role "worker" {
    image    = "busybox"
    commands = ["true"]
    resources {
      gpu       = 0
      cpu       = 1
      memory_mb = 64
    }
  }
}
-- more/extra.paivars.hcl --
who = "given file"
`
	environ := []string{"PAI_VAR_who=environment", "PAI_VAR_other=of another workspace"}
	for name, c := range map[string]struct {
		files string
		o     Options
		want  string
	}{
		"nothing":                           {want: "default"},
		"environment":                       {o: Options{Environ: environ}, want: "environment"},
		"files by name":                     {files: "-- b.paivars.hcl --\nwho = \"b\"\n-- a.paivars.hcl --\nwho = \"a\"\n", o: Options{Environ: environ}, want: "b"},
		"a file of an option over the rest": {files: "-- b.paivars.hcl --\nwho = \"b\"\n", o: Options{VarFiles: []string{"more/extra.paivars.hcl"}}, want: "given file"},
		"options over files":                {o: Options{VarFiles: []string{"more/extra.paivars.hcl"}, Vars: []string{"who=x", "who=a=b"}}, want: "a=b"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := unpack(t, files+c.files)
			c.o.Path = dir
			for i, f := range c.o.VarFiles {
				c.o.VarFiles[i] = filepath.Join(dir, f)
			}
			loaded, diags := Load(c.o)
			if len(diags) > 0 {
				t.Fatal(diags)
			}
			if got := loaded.Workspace.Job("train").Description; got != c.want {
				t.Errorf("the value is %q, want %q", got, c.want)
			}
		})
	}
}

func TestMistakesInFilesOfValues(t *testing.T) {
	t.Parallel()
	dir := unpack(t, "-- main.pai.hcl --"+jobHCL+"-- a.paivars.hcl --\nwho = \"x\"\n")
	_, diags := Load(Options{Path: dir, VarFiles: []string{filepath.Join(dir, "gone.paivars.hcl")}})
	want := []string{"undeclared-variable a.paivars.hcl:1", "unreadable-file gone.paivars.hcl:1"}
	if diff := cmp.Diff(want, codes(dir, diags)); diff != "" {
		t.Errorf("diagnostics (-want +got)\n%s", diff)
	}
}
