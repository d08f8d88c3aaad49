// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const canary = "canary-7f3a9c5e"

func TestWriteOnlySecretsReachTheTaskAndNothingElse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	i := start(t, dir).resource("openpai_job")
	out := filepath.Join(dir, "got")
	config := job([]string{"printf %s '<% $secrets.token %>' > " + out}, tree{"wait_for": "completed", "secrets_wo": tree{"token": canary}})
	p := i.plan(config)
	i.mustApply(config, "create")
	if got, _ := os.ReadFile(out); string(got) != canary {
		t.Errorf("the task got %q", got)
	}
	for name, text := range map[string]string{"plan": p.state.String(), "state": i.state.String(), "private state": string(i.private)} {
		if strings.Contains(text, canary) {
			t.Errorf("the %s holds the value", name)
		}
	}
	if p := i.plan(config); p.action(i.state) != "none" {
		t.Errorf("second plan: %s\n%s%s", p.action(i.state), p.diagnostics, diff(i.state, p.state))
	}
}

func TestAChangedSecretReplacesAJobThatRuns(t *testing.T) {
	t.Parallel()
	i, config := running(t, t.TempDir(), tree{"environment": tree{"TOKEN": "<% $secrets.token %>"}, "secrets_wo": tree{"token": canary}})
	config["secrets_wo"] = tree{"token": canary + "2"}
	p := i.plan(config)
	if p.action(i.state) != "replace" || !strings.Contains(p.diagnostics, "a secret changed") || strings.Contains(p.diagnostics, canary) {
		t.Errorf("%s\n%s", p.action(i.state), p.diagnostics)
	}
}

func TestWithAVersionOnlyTheVersionCounts(t *testing.T) {
	t.Parallel()
	with := func(value, version string) tree {
		return tree{"environment": tree{"TOKEN": "<% $secrets.token %>"}, "secrets_wo": tree{"token": value}, "secrets_wo_version": version}
	}
	i, config := running(t, t.TempDir(), with(canary, "1"))
	for version, want := range map[string]string{"1": "none", "2": "replace"} {
		c := clone(config)
		for k, v := range with(canary+"2", version) {
			c[k] = v
		}
		if p := i.plan(c); p.action(i.state) != want {
			t.Errorf("version %s: %s\n%s%s", version, p.action(i.state), p.diagnostics, diff(i.state, p.state))
		}
	}
}

func TestAChangedSecretMakesAFinishedJobOutdatedOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	i := start(t, dir).resource("openpai_job")
	config := job([]string{"true"}, tree{"wait_for": "completed", "environment": tree{"TOKEN": "<% $secrets.token %>"}, "secrets_wo": tree{"token": canary}})
	i.mustApply(config, "create")
	config["secrets_wo"] = tree{"token": canary + "2"}
	if action, text := i.apply(config); action != "update" || !strings.Contains(text, "not run again") {
		t.Errorf("%s\n%s", action, text)
	}
	for range 2 {
		i = i.afresh(dir)
		i.refresh()
		if p := i.plan(config); p.action(i.state) != "none" || !isTrue(attributesOf(p.state)["outdated"]) {
			t.Errorf("%s\n%s%s", p.action(i.state), p.diagnostics, diff(i.state, p.state))
		}
	}
}

func TestASecretOfTheEnvironmentIsReadAtApply(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TOKEN_OF_TEST", canary)
	i := start(t, dir).resource("openpai_job")
	out := filepath.Join(dir, "got")
	config := job([]string{"printf %s '<% $secrets.token %>' > " + out}, tree{"wait_for": "completed", "secrets": tree{"token": tree{"env": "TOKEN_OF_TEST"}}})
	i.mustApply(config, "create")
	if got, _ := os.ReadFile(out); string(got) != canary {
		t.Errorf("the task got %q", got)
	}
	if p := i.plan(config); p.action(i.state) != "none" {
		t.Errorf("second plan: %s", p.action(i.state))
	}
}
