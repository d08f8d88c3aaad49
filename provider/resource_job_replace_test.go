// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// requested contains the plan calls of Terraform for each way to request a
// replacement.
var requested = map[string]func(*instance, tree) *planned{
	"-replace": func(i *instance, config tree) *planned {
		first := i.plan(config)
		second := i.planFrom(config, i.null(), first.private)
		second.diagnostics = first.diagnostics + second.diagnostics
		return second
	},
	"taint": func(i *instance, config tree) *planned {
		i.tf.configure(i.tf.block)
		i.readState()
		return i.planFrom(config, i.null(), nil)
	},
}

// withToken creates a secret file and declares the secret.
func withToken(t *testing.T, file string) tree {
	t.Helper()
	if err := os.WriteFile(file, []byte("first-value"), 0o600); err != nil {
		t.Fatal(err)
	}
	return tree{"environment": tree{"TOKEN": "<% $secrets.token %>"}, "secrets": tree{"token": tree{"file": file}}}
}

func TestARequestedReplacementWarnsOnceAboutItsImpact(t *testing.T) {
	t.Parallel()
	for name, plan := range requested {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			first, config := running(t, dir)
			p := plan(first.afresh(dir), config)
			want := "warning: job.mnist is replaced: 1 running task ends: Reason: replacement requested."
			if n := strings.Count(p.diagnostics, want); n != 1 || strings.Contains(p.diagnostics, "error: ") {
				t.Errorf("%d warnings\n%s", n, p.diagnostics)
			}
		})
	}
}

// TestARequiredReplacementIsReportedOnce requests a replacement that a changed
// job attribute already requires.
func TestARequiredReplacementIsReportedOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, config := running(t, dir)
	worker(config, tree{"commands": []string{"sleep 1001"}})
	p := requested["-replace"](first.afresh(dir), config)
	if n := strings.Count(p.diagnostics, "is replaced: 1 running task ends"); n != 1 {
		t.Errorf("%d warnings\n%s", n, p.diagnostics)
	}
}

func TestARequestedReplacementWithoutItsSecretIsReportedOnce(t *testing.T) {
	t.Parallel()
	for name, plan := range requested {
		for state, refused := range map[string]bool{"RUNNING": true, "SUCCEEDED": false} {
			t.Run(name+" of a job that is "+state, func(t *testing.T) {
				t.Parallel()
				dir := t.TempDir()
				first, config := withState(t, dir, state)
				if err := os.Remove(filepath.Join(dir, "token")); err != nil {
					t.Fatal(err)
				}
				p := plan(first.afresh(dir), config)
				if n := strings.Count(p.diagnostics, "Value of a secret is not available"); n != 1 || strings.Contains(p.diagnostics, "error: ") != refused {
					t.Errorf("%d diagnostics, refused must be %t\n%s", n, refused, p.diagnostics)
				}
			})
		}
	}
}

// withState applies a job with a secret, and waits for the given state.
func withState(t *testing.T, dir, state string) (*instance, tree) {
	t.Helper()
	secret := withToken(t, filepath.Join(dir, "token"))
	if state == "RUNNING" {
		return running(t, dir, secret)
	}
	i := start(t, dir).resource("openpai_job")
	config := job([]string{"true"}, secret, tree{"wait_for": "completed"})
	i.mustApply(config, "create")
	return i, config
}
