// SPDX-License-Identifier: MPL-2.0

//go:build acc && unix

package acceptance

import (
	"fmt"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

// requestedReplacements are the ways to replace a job that has not changed. Each
// prepares the project and returns additional arguments for plan and apply.
var requestedReplacements = map[string]func(p *project, configure func(trigger string)) []string{
	"-replace": func(*project, func(string)) []string { return []string{"-replace=openpai_job.mnist"} },
	"taint": func(p *project, _ func(string)) []string {
		p.must("taint", "openpai_job.mnist")
		return nil
	},
	"taint without refresh": func(p *project, _ func(string)) []string {
		p.must("taint", "openpai_job.mnist")
		return []string{"-refresh=false"}
	},
	"replace_triggered_by": func(_ *project, configure func(string)) []string {
		configure("second")
		return nil
	},
}

// TestARequestedReplacementIsChecked requests the replacement of a running
// job. The plan must succeed only if the job's secret has a value.
func TestARequestedReplacementIsChecked(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		for name, open := range environments {
			t.Run(name, func(t *testing.T) {
				p := newProject(t, program)
				at := open(t, p.dir)
				configure := func(trigger string) {
					resource := job("sleep 1000", 1, `secrets = { a = { env = "TF_SEC_REPLACE" } }
  lifecycle { replace_triggered_by = [terraform_data.trigger] }`)
					p.configure(at.provider, strings.Replace(resource, `MODE = "test"`, `MODE = "<% $secrets.a %>"`, 1),
						fmt.Sprintf("resource \"terraform_data\" \"trigger\" {\n  input = %q\n}\n", trigger))
				}
				configure("first")
				env := p.env
				p.env = append(p.env, "TF_SEC_REPLACE=first")
				p.apply()
				if err := at.run(t.Context()); err != nil {
					t.Fatal(err)
				}
				waitFor(t, at, cluster.Running)
				for how, request := range requestedReplacements {
					arguments := append(request(p, configure), "-input=false")
					p.env = append(env, "TF_SEC_REPLACE=first")
					out, tainted := p.must(append([]string{"plan"}, arguments...)...), strings.HasPrefix(how, "taint")
					if warned := strings.Contains(out, "job.mnist is replaced: 1 running task ends"); tainted && !warned { // otherwise, Terraform does not print a warning
						t.Errorf("%s: no warning:\n%s", how, out)
					}
					p.env = env
					for _, args := range [][]string{{"plan"}, {"apply", "-auto-approve"}} {
						p.refused("cannot be created without the value of the secret", append(args, arguments...)...)
					}
					waitFor(t, at, cluster.Running)
					if tainted {
						p.must("untaint", "openpai_job.mnist")
					}
					configure("first")
				}
				p.must("destroy", "-auto-approve", "-input=false", "-refresh=false")
			})
		}
	})
}

// TestANewNameIsCheckedBeforeTheJobEnds renames a running job while the value
// of its secret is missing. The apply must fail before the job ends, with and
// without create_before_destroy.
func TestANewNameIsCheckedBeforeTheJobEnds(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		for name, open := range environments {
			t.Run(name, func(t *testing.T) {
				p := newProject(t, program)
				at := open(t, p.dir)
				named := func(name string, before bool) string {
					resource := job("sleep 1000", 1, fmt.Sprintf("secrets = { a = { env = \"TF_SEC_NAME\" } }\n  lifecycle { create_before_destroy = %t }", before))
					return strings.NewReplacer(`MODE = "test"`, `MODE = "<% $secrets.a %>"`, `= "mnist"`, fmt.Sprintf("= %q", name)).Replace(resource)
				}
				env := p.env
				p.env = append(p.env, "TF_SEC_NAME=first")
				p.configure(at.provider, named("mnist", false))
				p.apply()
				if err := at.run(t.Context()); err != nil {
					t.Fatal(err)
				}
				waitFor(t, at, cluster.Running)
				p.env = env
				for _, before := range []bool{false, true} {
					p.configure(at.provider, named("other", before))
					p.refused("cannot be created without the value of the secret", "apply", "-auto-approve", "-input=false")
				}
				waitFor(t, at, cluster.Running)
				p.env = append(env, "TF_SEC_NAME=first")
				p.apply()
				p.mustBeEmpty()
				p.must("destroy", "-auto-approve", "-input=false")
			})
		}
	})
}

// TestAJobIsNotCreatedBeforeItEnds replaces a running job with
// create_before_destroy under the same name.
func TestAJobIsNotCreatedBeforeItEnds(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		for name, open := range environments {
			t.Run(name, func(t *testing.T) {
				p := newProject(t, program)
				at := open(t, p.dir)
				p.configure(at.provider, job("sleep 1000", 1, "lifecycle { create_before_destroy = true }"))
				p.apply()
				if err := at.run(t.Context()); err != nil {
					t.Fatal(err)
				}
				waitFor(t, at, cluster.Running)
				p.refused("With create_before_destroy, a replacement always requires a different name", "apply", "-auto-approve", "-input=false", "-replace=openpai_job.mnist")
				for _, args := range [][]string{{"plan", "-input=false"}, {"destroy", "-auto-approve", "-input=false"}} {
					p.refused("remove the resource from the state with `terraform state rm`", args...)
				}
				p.must("state", "rm", "openpai_job.mnist")
				p.configure(at.provider, job("sleep 1000", 1, ""))
				p.must("import", "openpai_job.mnist", "alice~mnist")
				p.mustBeEmpty()
				waitFor(t, at, cluster.Running)
				p.must("destroy", "-auto-approve", "-input=false")
			})
		}
	})
}
