// SPDX-License-Identifier: MPL-2.0

//go:build acc && unix

package acceptance

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

// beside returns a provider block for another project that uses the same
// local cluster as p.
func (at *environment) beside(p *project) string {
	there := strings.Replace(at.provider, "local {", fmt.Sprintf("local {\n    directory = %q\n   ", p.dir), 1)
	return strings.Replace(there, ` user = "alice" }`, ` user = "alice"`+"\n  }", 1)
}

// refused runs a command that must fail. The output without line breaks must
// contain want.
func (p *project) refused(want string, args ...string) string {
	p.t.Helper()
	out, code := p.run(args...)
	flat := strings.Join(strings.Fields(strings.NewReplacer("│", "", "╷", "", "╵", "").Replace(out)), " ")
	if code == 0 || !strings.Contains(flat, want) {
		p.t.Fatalf("%s: exit code %d, want %q\n%s", strings.Join(args, " "), code, want, out)
	}
	return out
}

// finish completes a killed apply. Jobs created just before the kill still
// belong to the killed apply and must be imported.
func (p *project) finish(args ...string) {
	p.t.Helper()
	apply := append([]string{"apply", "-auto-approve", "-input=false"}, args...)
	out, code := p.run(apply...)
	for _, found := range regexp.MustCompile(`id = "alice~many-(\d+)"`).FindAllStringSubmatch(out, -1) {
		p.must("import", "openpai_job.many["+found[1]+"]", "many-"+found[1])
	}
	if code != 0 {
		p.must(apply...)
	}
}

func TestTwoResourcesOfOneConfigurationAreNotOneJob(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		for name, open := range environments {
			t.Run(name, func(t *testing.T) {
				p := newProject(t, program)
				at := open(t, p.dir)
				p.configure(at.provider, job("sleep 1000", 1, "count = 2"))
				p.refused(`Another openpai_job has the name "mnist"`, "plan", "-input=false")
				p.configure(at.provider, job("sleep 1000", 1, ""))
				p.apply()
				if err := at.run(t.Context()); err != nil {
					t.Fatal(err)
				}
				waitFor(t, at, cluster.Running)
				p.configure(at.provider, strings.Replace(job("sleep 1000", 1, ""), `"openpai_job" "mnist"`, `"openpai_job" "other"`, 1))
				p.refused("add a moved block", "plan", "-input=false")
				p.refused("add a moved block", "plan", "-input=false", "-refresh=false")
				waitFor(t, at, cluster.Running)

				p.configure(at.provider, job("sleep 1001", 1, "")) // the provider must not mistake the second plan call for a replacement for a second job
				p.expectChange("openpai_job.mnist", "delete create")
				p.apply("-refresh=false")
				p.must("taint", "openpai_job.mnist")
				p.expectChange("openpai_job.mnist", "delete create")
				p.apply("-refresh=false")
				p.apply("-replace=openpai_job.mnist")
				p.mustBeEmpty()
				p.must("destroy", "-auto-approve", "-input=false")
			})
		}
	})
}

func TestTheJobOfAnotherStateIsNotCreated(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		for name, open := range environments {
			t.Run(name, func(t *testing.T) {
				p, other := newProject(t, program), newProject(t, program)
				at := open(t, p.dir)
				other.configure(at.beside(p), job("sleep 1000", 1, ""))
				saved := other.dir + "/plan"
				other.must("plan", "-input=false", "-out="+saved)
				p.configure(at.provider, job("sleep 1000", 1, ""))
				p.apply()
				other.refused(`import { to = openpai_job.mnist id = "alice~mnist" }`, "apply", "-input=false", saved)
				if err := at.run(t.Context()); err != nil {
					t.Fatal(err)
				}
				waitFor(t, at, cluster.Running)
				for _, command := range []string{"sleep 1000", "sleep 1001"} {
					other.configure(at.beside(p), job(command, 1, ""))
					other.refused(`import { to = openpai_job.mnist id = "alice~mnist" }`, "plan", "-input=false")
				}
				other.configure(at.beside(p), job("sleep 1000", 1, ""), "import {\n  to = openpai_job.mnist\n  id = \"alice~mnist\"\n}\n")
				other.apply()
				other.mustBeEmpty()
				p.mustBeEmpty()
				p.must("destroy", "-auto-approve", "-input=false")
			})
		}
	})
}

// TestACreationThatWaitsIsNotTakenOver applies the same job from two states
// concurrently.
func TestACreationThatWaitsIsNotTakenOver(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		for name, open := range environments {
			t.Run(name, func(t *testing.T) {
				p, other := newProject(t, program), newProject(t, program)
				at := open(t, p.dir)
				p.configure(at.provider, job("sleep 1000", 1, `wait_for = "completed"`))
				waiting := p.begin("apply", "-auto-approve", "-input=false")
				p.await(func() bool {
					live, err := at.outside.(cluster.Finder).Find(t.Context(), mnist)
					return err == nil && live != nil && !live.Unstarted
				})
				other.configure(at.beside(p), job("sleep 1000", 1, `wait_for = "completed"`))
				other.refused("another process is creating the job", "apply", "-auto-approve", "-input=false")
				waiting.kill()
				next := p.begin("apply", "-auto-approve", "-input=false", "-lock=false")
				if err := at.run(t.Context()); err != nil {
					t.Fatal(err)
				}
				waitFor(t, at, cluster.Running)
				end := at.complete
				if end == nil {
					end = func(ctx context.Context) error { return at.outside.Stop(ctx, mnist) }
				}
				if err := end(t.Context()); err != nil {
					t.Fatal(err)
				}
				if out, code := next.wait(); code != 0 {
					t.Fatalf("exit code %d\n%s", code, out)
				}
				p.mustBeEmpty()
				other.refused("exists on the cluster, but is not in this state", "plan", "-input=false")
				p.must("destroy", "-auto-approve", "-input=false")
			})
		}
	})
}
