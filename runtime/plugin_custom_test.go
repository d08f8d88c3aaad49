// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// thirdParty installs a plugin with the given init script.
func (r *rig) thirdParty(name, description, script string) {
	r.t.Helper()
	r.config.PluginDir = filepath.Join(r.dir, "plugins")
	dir := filepath.Join(r.config.PluginDir, name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		r.t.Fatal(err)
	}
	for file, text := range map[string]string{"desc.yaml": description, "init": "#!/bin/sh\n" + script} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o755); err != nil {
			r.t.Fatal(err)
		}
	}
}

const probeDescription = "# of a team\nname: 'probe'\ninit-script: init # the program\n"

func TestAThirdPartyPluginAddsStartAndEndScripts(t *testing.T) {
	t.Parallel()
	r := newRig(t, `echo "user $PROBE"`)
	r.secret("token", "pa's \"wort\"")
	r.thirdParty("probe", probeDescription, `
cat >"$PWD/stdin"; cmp "$PWD/stdin" "$1" && cp "$1" "$PWD/config"; ls -l "$1" | cut -c1-10
echo 'export PROBE=on; echo pre' >"$2"
echo 'echo "post <% $PROBE"' >"$3"
`)
	r.step("before", on("taskStarts", "echo before"), on("taskSucceeds", "echo after"))
	step := r.plugin("custom/probe", map[string]any{"level": 3.0, "secret": []any{"<% $secrets.token %>"}})
	step.Callbacks = append(step.Callbacks, on("taskStarts", "echo own $PROBE"))
	if record := r.run(); record.Code != 0 || r.output() != "user on\n" {
		t.Errorf("output %q, record %+v\n%s", r.output(), record, r.log())
	}
	want := lines("[INFO] Starting to exec precommands", "[INFO] Running prerequisite.script.before", "before", "[INFO] Running plugin.custom/probe", "-rw-------", "pre", "own on", "[INFO] Precommands finished",
		"[INFO] USER COMMAND START", "[INFO] USER COMMAND END", "[INFO] Running taskSucceeds of plugin.custom/probe", "post <% on",
		"[INFO] Running taskSucceeds of prerequisite.script.before", "after")
	if r.log() != want {
		t.Errorf("log\n%s\nwant\n%s", r.log(), want)
	}
	config := `{"plugin":"probe","name":"custom/probe","failurePolicy":"fail","parameters":{"level":3,"secret":["pa's \"wort\""]}}`
	if got := r.read("work/config"); got != config {
		t.Errorf("configuration %s, want %s", got, config)
	}
	if remaining, _ := filepath.Glob(filepath.Join(r.config.Root, "plugin-*")); remaining != nil {
		t.Errorf("%v is left", remaining)
	}
}

func TestFailuresOfThirdPartyPluginsAreLogged(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		description, script, policy string
		log                         string
		fails                       bool
	}{
		"the program fails":                 {probeDescription, "exit 5", "fail", "plugin custom/probe of plugin.custom/probe exited with code 5", true},
		"an ignored failure of the program": {probeDescription, "exit 5", "ignore", "ignored because of its failure policy", false},
		"no program":                        {"name: probe\ninit-script: other\n", "", "fail", "is not an executable file", true},
		"a program outside":                 {"name: probe\ninit-script: ../init\n", "", "fail", "is outside the plugin's directory", true},
		"nothing to start":                  {"name: probe\n", "exit 5", "fail", "Precommands finished", false},
		"a description with an unknown key": {"name: probe\nversion: 1\n", "", "fail", `desc.yaml: line 2 is neither "name: …" nor "init-script: …"`, true},
		"a description with a list":         {"name:\n  - probe\n", "", "fail", "line 2 is neither", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, "true")
			r.thirdParty("probe", c.description, c.script)
			r.plugin("custom/probe", nil).FailurePolicy = c.policy
			if record := r.run(); (record.Code != 0) != c.fails || !strings.Contains(r.log(), c.log) {
				t.Errorf("record %+v\n%s", record, r.log())
			}
		})
	}
}
