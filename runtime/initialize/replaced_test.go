// SPDX-License-Identifier: MPL-2.0

//go:build unix

package initialize

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// originalList is the plugin list from the openpai-runtime design. The images of
// this project do not have Python, and a plain Pod has neither framework.json nor
// a list of ports.
const originalList = `initPlugins:
- name: frameworkBarrier
  command: 'frameworkBarrier framework.json'
- name: frameworkParser
  command: 'python frameworkParser.py framework.json'
- name: imageChecker
  command: 'python imageChecker.py'
- name: portChecker
  command: 'python portChecker.py portListFile'
- name: userCommandRender
  command: 'python command_render.py'
`

func TestTheScriptsOfTheOriginalAreTheBuiltinPlugins(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	b.env["RUNTIME_CONFIG"], b.env["INIT_CONFIG"] = "commands: [a]", originalList
	b.run(0)
	b.expect("frameworkParser: no framework.json to read", "portChecker: portListFile does not exist; checking this task's ports")
	if got := b.spec().Commands; len(got) != 1 || got[0] != "a" {
		t.Errorf("commands %v", got)
	}
}

func TestAScriptThatTheImageBringsRunsItself(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	b.env["RUNTIME_CONFIG"], b.env["INIT_CONFIG"] = "commands: [a]", "initPlugins: [{name: mine, command: imageChecker.py now}, {name: userCommandRender}]"
	b.write("image/init.d/imageChecker.py", "#!/bin/sh\necho \"my own, $1\"\n")
	b.run(0)
	b.expect("my own, now")
}

func TestReplacedProgramsAreRecognized(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"imageChecker": "imageChecker", "./imageChecker x": "imageChecker", "python imageChecker.py": "imageChecker", "python3 image_checker.py": "imageChecker",
		"framework_parser.py framework.json": "frameworkParser", "python": "", "image_checker": "", "python mine.py": "", "": "",
	} {
		if got := (&plugin{Command: command}).builtin(); got != want {
			t.Errorf("%q: %q, want %q", command, got, want)
		}
	}
}

// The example in the design uses a folded YAML value, which loses its line breaks
// in any parser.
func TestAFoldedConfigurationIsExplained(t *testing.T) {
	t.Parallel()
	const hint = "The lines of the value were folded into one: in the Pod, write the value with | instead of >"
	for name, env := range map[string]map[string]string{
		"RUNTIME_CONFIG": {"RUNTIME_CONFIG": "commands: [\"ls  -al\",  \"echo hi\"] runtimePlugin: - plugin: ssh\n  parameters:\n    jobssh: true\n- plugin: teamwise_storage"},
		"INIT_CONFIG":    {"RUNTIME_CONFIG": "commands: [a]", "INIT_CONFIG": "initPlugins: - name: frameworkParser\n  command: frameworkParser.py framework.json"},
	} {
		b := newBox(t)
		for k, v := range env {
			b.env[k] = v
		}
		b.run(240)
		b.expect(name+": ", hint)
	}
	b := newBox(t)
	b.env["RUNTIME_CONFIG"] = "commands: {}"
	b.run(240)
	if text, err := os.ReadFile(filepath.Join(b.dir, "termination")); err != nil || len(text) == 0 {
		t.Errorf("termination message %q, error %v", text, err)
	}
	if got := b.out.String(); strings.Contains(got, hint) {
		t.Errorf("a mistake of another kind has the hint\n%s", got)
	}
}
