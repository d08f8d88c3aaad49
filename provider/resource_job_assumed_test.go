// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// inState returns a job that is running or finished in the Terraform state. The
// cluster cannot be accessed yet.
func inState(t *testing.T, config tree, state string) *instance {
	t.Helper()
	i := finishedState(t, startWith(t, unknownBlocks["host"]), config)
	if state == "RUNNING" {
		i.state = withAttributes(i.state, map[string]tftypes.Value{"state": stringValue(state), "exit_code": tftypes.NewValue(tftypes.Number, nil)})
	}
	return i
}

// TestAReplacementIsCheckedWhileTheClusterIsNotKnown replaces a job whose
// secret has no value. The plan fails if the job may be running. It prints a
// warning if the job has ended.
func TestAReplacementIsCheckedWhileTheClusterIsNotKnown(t *testing.T) {
	t.Parallel()
	secret := tree{"rerun": "on_change", "environment": tree{"TOKEN": "<% $secrets.token %>"}, "secrets": tree{"token": tree{"file": "/nonexistent/token"}}}
	config := job([]string{"sleep 1000"}, secret)
	changes := map[string]func(*instance) *planned{
		"another command": func(i *instance) *planned { return i.plan(job([]string{"sleep 1001"}, secret)) },
		"another name":    func(i *instance) *planned { return i.plan(job([]string{"sleep 1000"}, secret, tree{"name": "other"})) },
		"-replace": func(i *instance) *planned {
			i.readState()
			return i.planFrom(config, i.null(), i.planBeside(config).private)
		},
		"taint": func(i *instance) *planned { return requested["taint"](i, config) },
	}
	for name, plan := range changes {
		for state, refused := range map[string]bool{"RUNNING": true, "SUCCEEDED": false} {
			t.Run(name+" of a job in the state "+state, func(t *testing.T) {
				t.Parallel()
				p := plan(inState(t, config, state))
				if n := strings.Count(p.diagnostics, "Value of a secret is not available"); n != 1 || strings.Contains(p.diagnostics, "error: ") != refused {
					t.Errorf("%d diagnostics, refused must be %t\n%s", n, refused, p.diagnostics)
				}
			})
		}
	}
}

// TestAReplacementWarnsWhileTheClusterIsNotKnown checks that replacing or
// destroying a job causes a warning if the last known state is RUNNING, but
// not if it is SUCCEEDED.
func TestAReplacementWarnsWhileTheClusterIsNotKnown(t *testing.T) {
	t.Parallel()
	config := job([]string{"sleep 1000"}, tree{"rerun": "on_change"})
	other := job([]string{"sleep 1001"}, tree{"rerun": "on_change"})
	changes := map[string]func(*instance) *planned{
		"is replaced":  func(i *instance) *planned { return i.plan(other) },
		"is destroyed": func(i *instance) *planned { return i.plan(nil) },
	}
	for what, plan := range changes {
		for state, want := range map[string]int{"RUNNING": 1, "SUCCEEDED": 0} {
			t.Run(what+" and was "+state, func(t *testing.T) {
				t.Parallel()
				p := plan(inState(t, config, state))
				if n := strings.Count(p.diagnostics, "warning: job.mnist "+what+": any running tasks end"); n != want || strings.Contains(p.diagnostics, "error: ") {
					t.Errorf("%d warnings, want %d\n%s", n, want, p.diagnostics)
				}
			})
		}
	}
}

// readState passes the state to the provider, like Terraform before a plan.
func (i *instance) readState() {
	i.tf.t.Helper()
	if text := i.upgrade(jobSchemaVersion, i.tf.json(i.state)); text != "" {
		i.tf.t.Fatal(text)
	}
}
