// SPDX-License-Identifier: MPL-2.0

//go:build acc && unix

package acceptance

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

// workspace gives the openpai CLI access to the directory of a Terraform
// project. The CLI and the project manage the same jobs in the same
// workspace.
type workspace struct {
	t   *testing.T
	dir string
	// head contains the openpai block and, on Kubernetes, the cluster block.
	head, cluster string
}

func (p *project) workspace(t *testing.T, at *environment, name string) *workspace {
	t.Helper()
	w := &workspace{t: t, dir: p.dir, head: "openpai {\n  workspace = \"terraform\"\n}\n"}
	if name == "kubernetes" {
		w.head = fmt.Sprintf(`openpai {
  workspace = "team"
}
cluster "kubernetes" {
  kubeconfig = %q
  namespace  = %q
  user       = "alice"
  runtime {
    image = "registry.example.org/runtime:1"
  }
}
`, apiServer(t).Kubeconfig, namespaceOf(at))
		w.cluster = "  cluster = \"kubernetes\"\n"
	}
	return w
}

// declare writes the job mnist, or no job if command is "".
func (w *workspace) declare(command string) {
	w.t.Helper()
	text := w.head
	if command != "" {
		text += fmt.Sprintf(`job "mnist" {
%s  stop_grace = "1s"
  task_role "worker" {
    image    = "ubuntu:22.04"
    commands = [%q]
    resources {
      gpu       = 0
      cpu       = 1
      memory_mb = 64
    }
  }
}
`, w.cluster, command)
	}
	write(w.t, filepath.Join(w.dir, "main.pai.hcl"), text)
}

func (w *workspace) openpai(code int, args ...string) string {
	w.t.Helper()
	cmd := exec.CommandContext(w.t.Context(), filepath.Join(build.dir, "openpai"), args...)
	cmd.Dir, cmd.Env = w.dir, append(os.Environ(), "NO_COLOR=1")
	out, err := cmd.CombinedOutput()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) || cmd.ProcessState.ExitCode() != code {
		w.t.Fatalf("openpai %s: %v, want exit code %d\n%s", strings.Join(args, " "), err, code, out)
	}
	return string(out)
}

// TestTheCommandLineLeavesTheJobsOfTerraformAlone uses a workspace that both
// front ends share.
func TestTheCommandLineLeavesTheJobsOfTerraformAlone(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		for name, open := range environments {
			t.Run(name, func(t *testing.T) {
				p := newProject(t, program)
				at := open(t, p.dir)
				provider := strings.Replace(at.provider, `local { user = "alice" }`, "local {}", 1)
				w := p.workspace(t, at, name)
				p.configure(provider, job("sleep 1000", 1, `wait_for = "accepted"`))
				p.apply()
				if out := w.openpai(0, "status"); strings.Contains(out, `Terraform declares jobs of the workspace "terraform"`) != (name == "local") {
					t.Errorf("status without a file\n%s", out)
				}
				w.declare("")
				for _, args := range [][]string{{"plan", "--detailed-exitcode"}, {"apply", "--auto-approve"}, {"destroy", "--auto-approve"}} {
					if out := w.openpai(0, args...); !strings.Contains(out, "Terraform declares") {
						t.Errorf("%v\n%s", args, out)
					}
				}
				for _, args := range [][]string{{}, {"job.mnist"}} {
					out := w.openpai(0, append([]string{"destroy", "--auto-approve", "--forget"}, args...)...)
					if !strings.Contains(out, "The history of job.mnist is kept, because Terraform declares it.\n") || !strings.Contains(w.openpai(0, "runs"), "job.mnist@1") {
						t.Errorf("%v\n%s", args, out)
					}
				}
				w.declare("sleep 1001")
				if out := w.openpai(0, "plan", "--detailed-exitcode"); strings.Count(out, "declared by Terraform with different content") != 1 || !strings.Contains(out, "openpai adopt job.mnist") {
					t.Errorf("%s", out)
				}
				p.mustBeEmpty()

				w.openpai(0, "adopt", "job.mnist", "--auto-approve")
				if out := w.openpai(0, "runs"); !strings.Contains(out, "job.mnist@1") || strings.Contains(out, "job.mnist@2") {
					t.Errorf("adopt did not keep the run of Terraform\n%s", out)
				}
				w.openpai(2, "plan", "--detailed-exitcode") // the content differs now
				if out := p.must("plan", "-input=false", "-detailed-exitcode"); strings.Count(out, "The openpai CLI declares the job") != 1 {
					t.Errorf("%s", out)
				}
				for _, args := range [][]string{{"-refresh=false"}, {"-replace=openpai_job.mnist"}, {"-refresh=true"}} {
					p.configure(provider, job("sleep 1002", 1, ""))
					p.refused("The openpai CLI declares the job", append([]string{"plan", "-input=false"}, args...)...)
				}
				p.configure(provider, job("sleep 1000", 1, `wait_for = "accepted"`))
				if out := p.must("destroy", "-auto-approve", "-input=false"); !strings.Contains(out, "The openpai CLI declares the job") {
					t.Errorf("%s", out)
				}
				p.refused("The openpai CLI declares the job", "plan", "-input=false") // otherwise apply would create it
				if out := w.openpai(0, "status"); strings.Contains(out, "STOPP") || !strings.Contains(out, "job.mnist") {
					t.Errorf("%s", out)
				}
				w.openpai(0, "destroy", "--auto-approve")
			})
		}
	})
}

// TestAnotherUserIsNotAdvisedToAdopt checks that the advice to adopt a job is
// shown only to a user who can adopt it.
func TestAnotherUserIsNotAdvisedToAdopt(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		p := newProject(t, program)
		at := localEnvironment(t, p.dir)
		w := p.workspace(t, at, "local")
		p.configure(at.provider, job("sleep 1000", 1, `wait_for = "accepted"`))
		p.apply()
		w.declare("")
		if out := w.openpai(0, "plan"); !strings.Contains(out, "does not change it.") {
			t.Errorf("%s", out)
		}
		w.declare("sleep 1001")
		if out := w.openpai(0, "plan"); !strings.Contains(out, `for the user "alice"; only that user can adopt it`) || strings.Contains(out, "openpai adopt") {
			t.Errorf("%s", out)
		}
		p.must("destroy", "-auto-approve", "-input=false")
	})
}

// TestAnImportTakesAJobOfTheCommandLineOver checks that a running job can be
// moved between the front ends.
func TestAnImportTakesAJobOfTheCommandLineOver(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		for name, open := range environments {
			t.Run(name, func(t *testing.T) {
				p := newProject(t, program)
				at := open(t, p.dir)
				provider := strings.Replace(at.provider, `local { user = "alice" }`, "local {}", 1)
				w := p.workspace(t, at, name)
				p.configure(provider, job("sleep 1000", 1, ""))
				p.apply()
				w.declare("sleep 1000")
				w.openpai(0, "adopt", "job.mnist", "--auto-approve")
				uid := func() string {
					live, err := at.outside.Read(t.Context(), map[string]string{"local": "terraform", "kubernetes": "team"}[name], nil)
					if err != nil || len(live.Jobs) != 1 {
						t.Fatal(live, err)
					}
					return live.Jobs[0].UID
				}
				before := uid()
				p.must("state", "rm", "openpai_job.mnist")
				p.refused("The openpai CLI declares the job", "apply", "-auto-approve", "-input=false")
				p.must("import", "openpai_job.mnist", "mnist")
				w.declare("")
				p.expectChange("openpai_job.mnist", "update")
				if out := p.apply(); !strings.Contains(out, "Apply takes over the existing job") {
					t.Errorf("%s", out)
				}
				p.mustBeEmpty()
				if after := uid(); after != before {
					t.Errorf("another Framework: %s, not %s", after, before)
				}
				w.openpai(0, "plan", "--detailed-exitcode")
				p.must("destroy", "-auto-approve", "-input=false")
				if _, err := at.outside.Status(t.Context(), mnist); name == "kubernetes" && !errors.Is(err, cluster.ErrNotFound) {
					t.Error(err)
				}
			})
		}
	})
}
