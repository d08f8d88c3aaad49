// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// TestTheLaterPlaceOfAValueTakesPrecedence sets the same variable in several
// places. The value from the place with the highest precedence must apply.
func TestTheLaterPlaceOfAValueTakesPrecedence(t *testing.T) {
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
		"nothing":       {want: "default"},
		"environment":   {o: Options{Environ: environ}, want: "environment"},
		"files by name": {files: "-- b.paivars.hcl --\nwho = \"b\"\n-- a.paivars.hcl --\nwho = \"a\"\n", o: Options{Environ: environ}, want: "b"},
		"a file of an option over the other places": {files: "-- b.paivars.hcl --\nwho = \"b\"\n", o: Options{VarFiles: []string{"more/extra.paivars.hcl"}}, want: "given file"},
		"a recorded value over options":             {o: Options{Vars: []string{"who=x"}, Recorded: hclspec.Inputs{Variables: map[string]json.RawMessage{"who": json.RawMessage(`"${recorded}"`)}}}, want: "${recorded}"},
		"options over files":                        {o: Options{VarFiles: []string{"more/extra.paivars.hcl"}, Vars: []string{"who=x", "who=a=b"}}, want: "a=b"},
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

func TestARecordedValueIsTheOriginalValue(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ typ, value string }{
		"a number":         {"number", "0.5"},
		"a bool":           {"bool", "true"},
		"a string":         {"string", `"a \"b\" $${c}"`},
		"any type":         {"any", `["a", 1]`},
		"a list":           {"list(string)", `["a", "b"]`},
		"an object":        {"object({ a = string, b = optional(number, 2) })", `{ a = "x" }`},
		"a map of objects": {"map(object({ lr = number }))", `{ a = { lr = 0.1 } }`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := unpack(t, "-- main.pai.hcl --"+jobHCL+fmt.Sprintf("\nvariable \"v\" {\n  type = %s\n  default = %s\n}\n", tt.typ, tt.value))
			declared, diags := Load(Options{Path: dir})
			if diags.HasErrors() {
				t.Fatal(diags)
			}
			want := declared.Workspace.Variables[0].Value
			recorded, diags := Load(Options{Path: dir, Recorded: hclspec.Inputs{Variables: map[string]json.RawMessage{"v": json.RawMessage(want)}}})
			if diags.HasErrors() {
				t.Fatal(diags)
			}
			if got := recorded.Workspace.Variables[0].Value; got != want {
				t.Errorf("the value is %s, want %s", got, want)
			}
		})
	}
}

func TestMistakesInFilesOfValuesAreReported(t *testing.T) {
	t.Parallel()
	dir := unpack(t, "-- main.pai.hcl --"+jobHCL+"-- a.paivars.hcl --\nwho = \"x\"\n")
	_, diags := Load(Options{Path: dir, VarFiles: []string{filepath.Join(dir, "gone.paivars.hcl")}})
	want := []string{"undeclared-variable a.paivars.hcl:1", "unreadable-file gone.paivars.hcl:1"}
	if diff := cmp.Diff(want, codes(dir, diags)); diff != "" {
		t.Errorf("diagnostics (-want +got)\n%s", diff)
	}
}
