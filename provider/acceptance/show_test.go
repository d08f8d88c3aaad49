// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestAPlanOfTerraformIsShownByCause passes the output of "show -json" to the
// openpai CLI.
func TestAPlanOfTerraformIsShownByCause(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, program string) {
		p := newProject(t, program)
		p.configure(localEnvironment(t, p.dir).provider, trained)
		if got, want := p.shown("-var", "word=hello"), "+ openpai_job.train[0-2] (3 jobs): create on cluster local\n"; !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
		p.apply()
		defer p.must("destroy", "-auto-approve", "-input=false")
		tests := map[string]struct {
			args, want []string
		}{
			"nothing": {nil, []string{"No changes of jobs. Nothing to do for 3 jobs."}},
			"a word": {[]string{"-var", "word=bye"}, []string{
				"prerequisite.script.base changed → 3 jobs are replaced, up to 3 running tasks end\n", "- echo hello world\n", "+ echo bye world\n",
			}},
			"a secret":  {[]string{"-var", "token=second"}, []string{"(3 jobs): replace", "a secret changed\n", "secrets: TOKEN (changed)"}},
			"instances": {[]string{"-var", "instances=2"}, []string{"~ openpai_job.train[0]: update", "instances: 1 -> 2", "1 task of worker is added", "3 -> 4 tasks (+1)"}},
			"a destroy": {[]string{"-destroy"}, []string{"(3 jobs): delete", "up to 3 running tasks end", "prerequisites and items: 2 to destroy"}},
		}
		for name, tt := range tests {
			got := p.shown(tt.args...)
			for _, want := range tt.want {
				if !strings.Contains(got, want) {
					t.Errorf("%s: no %q in:\n%s", name, want, got)
				}
			}
			for _, value := range []string{"first", "second"} { // of the write-only secret
				if strings.Contains(got, value) {
					t.Errorf("%s: it shows a secret:\n%s", name, got)
				}
			}
		}
	})
}

// shown returns a new plan in the format of openpai show.
func (p *project) shown(args ...string) string {
	p.t.Helper()
	file := filepath.Join(p.t.TempDir(), "plan")
	p.must(append([]string{"plan", "-input=false", "-out=" + file}, args...)...)
	show := exec.CommandContext(p.t.Context(), p.program, "show", "-json", file)
	show.Dir, show.Env = p.dir, p.env
	text, err := show.Output()
	if err != nil {
		p.t.Fatalf("show the plan: %v", err)
	}
	cmd := exec.CommandContext(p.t.Context(), filepath.Join(build.dir, "openpai"), "show", "-", "--terraform")
	cmd.Stdin = strings.NewReader(string(text))
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("openpai show: %v\n%s", err, out)
	}
	return string(out)
}
