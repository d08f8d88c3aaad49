// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// plugin adds a plugin as if the job declared it in extras.
func (r *rig) plugin(name string, parameters map[string]any) *runspec.Step {
	r.spec.Steps = append(r.spec.Steps, runspec.Step{Address: "plugin." + name, Name: name, Plugin: name, FailurePolicy: "fail", Parameters: parameters})
	return &r.spec.Steps[len(r.spec.Steps)-1]
}

func TestNoPluginIsPassedOverInSilence(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		plugin     string
		parameters map[string]any
		log        string
		fails      bool
	}{
		"ssh without a key":                          {"ssh", map[string]any{"jobssh": true}, "[INFO] start ssh service", false},
		"ssh with a wrong parameter":                 {"ssh", map[string]any{"jobssh": "perhaps"}, "[WARNING] ssh ignores the parameter jobssh: must be a bool", false},
		"ssh with unknown keys":                      {"ssh", map[string]any{"userssh": map[string]any{"type": "cutsom"}}, `[WARNING] ssh ignores the parameter userssh.type: must be "custom", "system" or "none"`, false},
		"ssh with keys that are not provided":        {"ssh", map[string]any{"userssh": map[string]any{"type": "system", "value": "admin"}}, "userssh: open ", true},
		"a third-party plugin that does not exist":   {"custom/teleport", nil, "there is no", true},
		"a third-party plugin outside the directory": {"custom/../teleport", nil, "use a path below the plugin root", true},
		"a storage without a mount":                  {"teamwise_storage", nil, "does not mount a storage", false},
		"tensorboard without parameters":             {"tensorboard", nil, "[WARNING] TensorBoard is not started: the parameter logdir does not contain any directories", false},
		"tensorboard that does not exist":            {"tensorboard", map[string]any{"port": 8080.0, "logdir": map[string]any{"a": "/tmp"}}, "the image does not contain the program tensorboard", false},
		"git without a repository":                   {"git", nil, "repo_uri is not given", true},
		"git with a missing repository":              {"git", map[string]any{"repo_uri": "/no/such/repository"}, "plugin git of plugin.git exited with code 128", true},
		"an unknown one":                             {"teleport", nil, "the plugin teleport is not supported by this runtime", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, "echo user >>trace")
			r.sshPort()
			r.plugin(c.plugin, c.parameters)
			record := r.run()
			if !strings.Contains(r.log(), c.log) {
				t.Errorf("%q is not in\n%s", c.log, r.log())
			}
			if (record.Code != 0) != c.fails || (r.trace() == "user") == c.fails {
				t.Errorf("trace %q, record %+v", r.trace(), record)
			}
		})
	}
}

// In OpenPAI's original runtime, the job fails if a log directory or the TensorBoard
// program is missing.
func TestTensorBoardThatCannotStartIsAWarning(t *testing.T) {
	t.Parallel()
	for name, parameters := range map[string]map[string]any{
		"nothing is given": nil, "no program": {"port": 8080.0, "logdir": map[string]any{"a": "/no/such"}}, "a wrong port": {"port": "many", "logdir": map[string]any{"a": "/tmp"}},
	} {
		r := newRig(t, "true")
		r.config.Environ[0] = "PATH=/usr/bin:/bin"
		r.plugin("tensorboard", parameters)
		if record := r.run(); record.Code != 0 || !strings.Contains(r.log(), "[WARNING] TensorBoard is not started: ") {
			t.Errorf("%s: record %+v\n%s", name, record, r.log())
		}
	}
}

func TestMountsAreCheckedBeforeAnythingStarts(t *testing.T) {
	t.Parallel()
	r := newRig(t, "echo user >>trace")
	file := r.source("file", nil)
	r.spec.Mounts = []runspec.Mount{
		{Storage: "good", Path: r.dir}, {Storage: "gone", Path: filepath.Join(r.dir, "gone")}, {Storage: "flat", Path: file}, {Storage: "sys", Path: "/proc", ReadOnly: true},
	}
	record := r.run()
	for _, want := range []string{"storage gone is not mounted at", "storage flat: " + file + " is not a directory"} {
		if !strings.Contains(record.Reason, want) {
			t.Errorf("%q is not in %q", want, record.Reason)
		}
	}
	if record.Code == 0 || record.Stage != "init" || r.trace() != "" || strings.Contains(record.Reason, "good") {
		t.Errorf("trace %q, record %+v", r.trace(), record)
	}
}
