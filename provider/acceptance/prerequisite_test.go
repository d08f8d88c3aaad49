// SPDX-License-Identifier: MPL-2.0

//go:build acc

package acceptance

import (
	"fmt"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

// prerequisite returns a script prerequisite for the job mnist.
func prerequisite(name, command string) string {
	return fmt.Sprintf(`
resource "openpai_prerequisite" "greet" {
  type      = "script"
  name      = %q
  callbacks = [{ event = "taskStarts", commands = [%q] }]
}
`, name, command)
}

func TestTheProviderManagesTheLifecycleOfAPrerequisite(t *testing.T) {
	each(t, func(t *testing.T, program string) {
		for name, open := range environments {
			t.Run(name, func(t *testing.T) {
				p := newProject(t, program)
				prerequisiteLifecycle(t, p, open(t, p.dir))
			})
		}
	})
}

// prerequisiteLifecycle uses the prerequisite in a running job. Changes to the
// prerequisite appear as changes to the job.
func prerequisiteLifecycle(t *testing.T, p *project, at *environment) {
	const address = "openpai_prerequisite.greet"
	use := jobAlone("sleep 1000", 1, "")
	changes := func(action, ofTheJob string) {
		t.Helper()
		actions, text := p.actions()
		if actions[address] != action || actions["openpai_job.mnist"] != ofTheJob {
			t.Fatalf("%v, want %q and of the job %q\n%s", actions, action, ofTheJob, text)
		}
		p.apply()
		p.mustBeEmpty()
		if err := at.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		waitFor(t, at, cluster.Running)
		p.apply("-refresh-only")
		p.mustBeEmpty()
	}
	p.configure(at.provider, prerequisite("greet", "echo hello"), use)
	changes("create", "create")
	p.configure(at.provider, prerequisite("greet", "echo changed"), use)
	changes("update", "delete create")
	p.configure(at.provider, prerequisite("welcome", "echo changed"), use)
	changes("update", "delete create")

	if out := p.apply("-replace=" + address); !strings.Contains(out, "1 added, 0 changed, 1 destroyed") {
		t.Errorf("replacing a prerequisite with an equal one changed more than the prerequisite: %s", out)
	}
	p.mustBeEmpty()

	p.must("state", "rm", address)
	p.must("import", address, "script.welcome")
	p.mustBeEmpty()
	p.must("destroy", "-auto-approve", "-input=false")
	if live, err := at.outside.(cluster.Finder).Find(t.Context(), mnist); err != nil || live != nil {
		t.Errorf("after destroy: %+v %v", live, err)
	}
}
