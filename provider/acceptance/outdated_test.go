// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
)

// TestAFinishedJobBecomesOutdatedOnce changes the content of a job that has
// ended. Only the first plan must contain the change. After apply, all plans must
// be empty.
func TestAFinishedJobBecomesOutdatedOnce(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		for name, open := range environments {
			t.Run(name, func(t *testing.T) {
				p := newProject(t, program)
				at := open(t, p.dir)
				finishedJob(t, p, at)
				if got := p.attribute("outdated"); got != false {
					t.Errorf("outdated is %v", got)
				}
				p.configure(at.provider, job("echo changed", 1, ""))
				expect(t, p, "update", "false -> true")
				p.apply()
				if got := p.attribute("outdated"); got != true {
					t.Errorf("outdated is %v", got)
				}
				if out := p.must("plan", "-detailed-exitcode", "-input=false"); strings.Contains(out, "not run again") {
					t.Errorf("the warning is repeated\n%s", out)
				}
				p.configure(at.provider, job("true", 1, ""))
				expect(t, p, "update", "true -> false")
				p.apply()
				p.mustBeEmpty()
				p.must("destroy", "-auto-approve", "-input=false")
			})
		}
	})
}

func finishedJob(t *testing.T, p *project, at *environment) {
	t.Helper()
	wait := ""
	if at.complete == nil {
		wait = `wait_for = "completed"`
	}
	p.configure(at.provider, job("true", 1, wait))
	p.apply()
	if at.complete == nil {
		p.configure(at.provider, job("true", 1, ""))
	} else {
		for _, step := range []func(context.Context) error{at.run, at.complete} {
			if err := step(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	p.apply()
	p.mustBeEmpty()
	if got := p.attribute("state"); got != "SUCCEEDED" {
		t.Fatalf("the job is %v", got)
	}
}

// TestAnUnknownDirectoryIsRefused configures a missing directory for the
// local cluster.
func TestAnUnknownDirectoryIsRefused(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		p := newProject(t, program)
		dir := filepath.Join(p.dir, "missing")
		p.configure("provider \"openpai\" {\n  local {\n    user      = \"alice\"\n    directory = \""+filepath.ToSlash(dir)+"\"\n  }\n}", job("true", 1, ""))
		out, code := p.run("plan", "-input=false")
		if code == 0 || !strings.Contains(out, "Error: Directory not found") || !strings.Contains(out, "directory = ") {
			t.Errorf("exit code %d\n%s", code, out)
		}
	})
}
