//go:build acc && unix

package acceptance

import (
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

// TestAReplacementThatCannotBeCreatedIsRefused changes a job that runs, then one
// that ended, without the values of its secrets.
func TestAReplacementThatCannotBeCreatedIsRefused(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		for name, open := range environments {
			t.Run(name, func(t *testing.T) {
				p := newProject(t, program)
				at := open(t, p.dir)
				secret := func(command string) string {
					return strings.Replace(job(command, 1, `secrets = { a = { env = "TF_SEC_A" }, b = { env = "TF_SEC_B" } }`),
						`MODE = "test"`, `MODE = "<% $secrets.a %><% $secrets.b %>"`, 1)
				}
				p.env = append(p.env, "TF_SEC_A=1", "TF_SEC_B=2")
				p.configure(at.provider, secret("sleep 1000"))
				p.apply()
				if err := at.run(t.Context()); err != nil {
					t.Fatal(err)
				}
				waitFor(t, at, cluster.Running)
				p.env = p.env[:len(p.env)-2]
				p.configure(at.provider, secret("sleep 1001"))
				for _, args := range [][]string{{"plan", "-input=false"}, {"apply", "-auto-approve", "-input=false"}} {
					out := p.refused("cannot be created without the value of the secret", args...)
					if !strings.Contains(out, "TF_SEC_A") || !strings.Contains(out, "TF_SEC_B") {
						t.Errorf("not all secrets at once:\n%s", out)
					}
				}
				waitFor(t, at, cluster.Running)
				p.must("destroy", "-auto-approve", "-input=false", "-refresh=false") // with a refresh it plans the change first
				expect(t, p, "create", "Value of a secret is not available")         // a warning
			})
		}
	})
}

// TestASavedPlanDoesNotEndAJobThatRunsAgain applies the plan to replace a
// finished job after another state had run it again.
func TestASavedPlanDoesNotEndAJobThatRunsAgain(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		for name, open := range environments {
			t.Run(name, func(t *testing.T) {
				p, other := newProject(t, program), newProject(t, program)
				at := open(t, p.dir)
				block := "import {\n  to = openpai_job.mnist\n  id = \"alice~mnist\"\n}\n"
				p.configure(at.provider, job("true", 1, ""))
				p.apply()
				if at.complete != nil {
					if err := at.run(t.Context()); err != nil {
						t.Fatal(err)
					}
					if err := at.complete(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
				waitFor(t, at, cluster.Finished)
				p.configure(at.provider, job("echo again", 1, `rerun = "on_change"`))
				saved := p.dir + "/plan"
				p.must("plan", "-input=false", "-out="+saved)
				other.configure(at.beside(p), job("sleep 1000", 1, `rerun = "on_change"`), block)
				other.apply()
				if err := at.run(t.Context()); err != nil {
					t.Fatal(err)
				}
				waitFor(t, at, cluster.Running)
				p.refused("created again outside of Terraform", "apply", "-input=false", saved)
				waitFor(t, at, cluster.Running)
				other.must("destroy", "-auto-approve", "-input=false")
			})
		}
	})
}

func TestTheOutcomeIsReadAfterTheTimeout(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		for name, open := range environments {
			t.Run(name, func(t *testing.T) {
				p := newProject(t, program)
				at := open(t, p.dir)
				p.configure(at.provider, job("sleep 1000", 1, "wait_for = \"completed\"\n  timeouts = { create = \"6s\" }"))
				out := p.apply()
				if !strings.Contains(out, "6s of timeouts.create have passed") || strings.Contains(out, "The cluster was not asked") {
					t.Errorf("%s", out)
				}
				p.mustBeEmpty()
				if err := at.outside.Delete(t.Context(), mnist); err != nil {
					t.Fatal(err)
				}
				p.must("destroy", "-auto-approve", "-input=false")
			})
		}
	})
}
