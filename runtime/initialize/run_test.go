// SPDX-License-Identifier: MPL-2.0

//go:build unix

package initialize

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// Init runs in a manually written Pod, without OpenPAI and FrameworkController.
func TestInitRunsInAPlainPod(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	b.env["RUNTIME_CONFIG"] = `commands: ["ls  -al", "echo hi <% $secrets.registry.token %>"]
runtimePlugin:
- plugin: ssh
  parameters:
    jobssh: true
- plugin: com.microsoft.pai.runtimeplugin.cmd
  failurePolicy: ignore
  parameters:
    callbacks:
    - event: containerStart
      commands: [echo start]
    postCommands: [echo post]
`
	b.write("config/secret.yaml", "registry: {token: top-secret-1}\nnumber: 222\nlist: [a-secret-2]\n")
	b.run(0)
	want := &runspec.Spec{
		Version: 1, Framework: "job", Job: "job", Role: "task", Commands: []string{"ls  -al", "echo hi <% $secrets.registry.token %>"},
		Secrets: []string{"list.0", "number", "registry.token"}, PortStart: 15000, PortEnd: 40000, StopGraceSeconds: 25,
		Roles: []runspec.Role{{Name: "task", Written: "task", Tasks: 1, MinFailed: 1, MinSucceeded: 1, Ports: []runspec.Port{{Label: "ssh", Count: 1}, {Label: "http", Count: 1}}}},
		Steps: []runspec.Step{
			{Address: "plugin.ssh[0]", Name: "ssh", Plugin: "ssh", FailurePolicy: "fail", Parameters: map[string]any{"jobssh": true}},
			{Address: "plugin.cmd[1]", Name: "cmd", Plugin: "cmd", FailurePolicy: "ignore", Callbacks: []runspec.Callback{
				{Event: "taskSucceeds", Commands: []string{"echo post"}}, {Event: "taskStarts", Commands: []string{"echo start"}}}},
		},
	}
	if diff := cmp.Diff(want, b.spec()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if value := b.read("pai/secrets/registry.token"); value != "top-secret-1" {
		t.Errorf("secret %q", value)
	}
	info, err := os.Stat(filepath.Join(b.dir, "pai/secrets/number"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, error %v", info.Mode(), err)
	}
	if !strings.Contains(b.read("pai/runtime.d/runtime_env.sh"), "export PAI_CONTAINER_SSH_PORT=") || !strings.Contains(b.read("pai/hosts.json"), `"role":"task"`) {
		t.Error("variables or hosts are missing")
	}
}

// init reports mistakes in the configuration as user errors that contain the
// position.
func TestUserErrorsAreReportedWithTheirPosition(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		env   map[string]string
		files map[string]string
		text  string
	}{
		"nothing to run":                          {nil, nil, "no commands to run"},
		"no commands":                             {map[string]string{"RUNTIME_CONFIG": "runtimePlugin: []"}, nil, "RUNTIME_CONFIG: commands must not be empty"},
		"an unknown key":                          {map[string]string{"RUNTIME_CONFIG": "commands: [a]\ncomands: [b]"}, nil, "RUNTIME_CONFIG: line 2: comands is not understood\n"},
		"a string instead of a list":              {map[string]string{"RUNTIME_CONFIG": "commands: echo hi"}, nil, "RUNTIME_CONFIG: line 1: `echo hi` is not a list of strings\n"},
		"a list instead of a plugin":              {map[string]string{"RUNTIME_CONFIG": "commands: [a]\nruntimePlugin: [[ssh]]"}, nil, "RUNTIME_CONFIG: line 2: a list is not a mapping\n"},
		"two of them":                             {map[string]string{"RUNTIME_CONFIG": "commands: {a: b}\nstopGraceSeconds: soon"}, nil, "line 1: a mapping is not a list of strings; line 2: `soon` is not an integer\n"},
		"no YAML":                                 {nil, map[string]string{"runtime_plugin.yaml": "a: [b"}, "runtime_plugin.yaml: yaml: line 1"},
		"a plugin without name":                   {map[string]string{"RUNTIME_CONFIG": "commands: [a]\nruntimePlugin: [{parameters: {}}]"}, nil, "runtimePlugin[0]: plugin is not given"},
		"an unknown event":                        {map[string]string{"RUNTIME_CONFIG": "commands: [a]\nruntimePlugin: [{plugin: cmd, parameters: {callbacks: [{event: taskStart}]}}]"}, nil, `callbacks[0].event is "taskStart"; it must be one of taskStarts`},
		"an unknown plugin":                       {map[string]string{"RUNTIME_CONFIG": "commands: [a]\nruntimePlugin: [{plugin: probe}]"}, nil, `runtimePlugin[0]: unknown plugin "probe"; use cmd,`},
		"an unknown key in a callback":            {map[string]string{"RUNTIME_CONFIG": "commands: [a]\nruntimePlugin: [{plugin: cmd, parameters: {callbacks: [{event: taskStarts, comands: [b]}]}}]"}, nil, "callbacks[0].comands is not valid"},
		"no commands there":                       {map[string]string{"RUNTIME_CONFIG": "commands: [a]\nruntimePlugin: [{plugin: cmd, parameters: {callbacks: [{event: taskStarts}]}}]"}, nil, "callbacks[0].commands is not given"},
		"a number as command":                     {map[string]string{"RUNTIME_CONFIG": "commands: [a]\nruntimePlugin: [{plugin: cmd, parameters: {callbacks: [{event: taskStarts, commands: [1]}]}}]"}, nil, "callbacks[0].commands[0] is not a string"},
		"another policy there":                    {map[string]string{"RUNTIME_CONFIG": "commands: [a]\nruntimePlugin: [{plugin: cmd, parameters: {callbacks: [{event: taskStarts, failurePolicy: retry}]}}]"}, nil, "callbacks[0].failurePolicy is retry; it must be fail or ignore"},
		"a time without a unit":                   {map[string]string{"RUNTIME_CONFIG": "commands: [a]\nruntimePlugin: [{plugin: cmd, parameters: {callbacks: [{event: taskStarts, timeout: 5}]}}]"}, nil, `callbacks[0].timeout is "5"; it must be a duration such as 90s`},
		"a retry without number":                  {map[string]string{"RUNTIME_CONFIG": "commands: [a]\nruntimePlugin: [{plugin: cmd, parameters: {callbacks: [{event: taskStarts, retry: {backoff: 1s}}]}}]"}, nil, "callbacks[0].retry must contain attempts (at least 1)"},
		"an unknown policy":                       {map[string]string{"RUNTIME_CONFIG": "commands: [a]\nruntimePlugin: [{plugin: ssh, failurePolicy: retry}]"}, nil, `failurePolicy is "retry"`},
		"a secret that does not exist":            {map[string]string{"RUNTIME_CONFIG": "commands: ['echo <% $secrets.y %>']"}, map[string]string{"secrets.yaml": "x: 1"}, "<% $secrets.y %> has no value"},
		"a file that is not a mapping of secrets": {map[string]string{"RUNTIME_CONFIG": "commands: [a]"}, map[string]string{"secret.yaml": "- hidden-value"}, "must map secret names to values"},
		"an invalid index":                        {map[string]string{"RUNTIME_CONFIG": "commands: [a]", "FC_TASK_INDEX": "x"}, nil, `FC_TASK_INDEX is "x"; it must be an integer`},
		"an init plugin without":                  {map[string]string{"RUNTIME_CONFIG": "commands: [a]", "INIT_CONFIG": "initPlugins: [{args: [x]}]"}, nil, "initPlugins[0] has neither name nor command"},
		"an invalid end":                          {map[string]string{"RUNTIME_CONFIG": "commands: [a]", "INIT_CONFIG": "initPlugins: [{name: a, errors: [{name: x, originErrorCode: 3}]}]"}, nil, "initPlugins[0]: errors[0].mappedErrorCode is 0; it must be between 1 and 255"},
		"no such init plugin":                     {map[string]string{"RUNTIME_CONFIG": "commands: [a]", "INIT_CONFIG": "initPlugins: [{name: frameworkBarier}]"}, nil, `the program "frameworkBarier" does not exist`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBox(t)
			for k, v := range c.env {
				b.env[k] = v
			}
			for k, v := range c.files {
				b.write("config/"+k, v)
			}
			b.run(240)
			b.expect(c.text)
			if message := b.read("termination"); !strings.HasPrefix(message, "[PAI_RUNTIME_ERROR_START]\nexitCode: 240\n") || !strings.Contains(message, "reason: ") {
				t.Errorf("termination message\n%s", message)
			}
			if strings.Contains(b.out.String(), "hidden-value") {
				t.Error("a value is shown")
			}
		})
	}
}

func TestThirdPartyInitPluginsRunAndSetVariables(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	b.env["RUNTIME_CONFIG"] = "commands: [a]"
	b.write("config/secrets.yaml", "key: canary-value-77\n")
	b.write("image/init.d/20-mine", "#!/bin/sh\necho \"in $(basename \"$PWD\") with $1 $2\"\nprintf 'canary-value-77\\n' >&2\nprintf 'A=1\\nexport B=\"two words\"\\nPAI_JOB_NAME=no\\n' >\"$PAI_RUNTIME_DIR/env\"\n")
	b.write("image/init.d/notes.txt", "not a program")
	if err := os.Chmod(filepath.Join(b.dir, "image/init.d/notes.txt"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(b.dir, "image/init.d/20-mine"), 0o755); err != nil {
		t.Fatal(err)
	}
	b.env["INIT_CONFIG"] = `initPlugins:
- name: shell text
  command: 'userCommandRender && echo "piped $((1+1))" | tr d D'
- name: plain
  command: 20-mine 'one word' "two"
- name: arguments
  command: ./20-mine
  args: [$HOME, "a b"]
`
	b.link(t)
	b.run(0)
	b.expect("] [openpai-runtime] pipeD 2\n", "] [openpai-runtime] in init.d with one word two\n", "] [openpai-runtime] in init.d with $HOME a b\n", "] [openpai-runtime] ***\n")
	if strings.Contains(b.out.String()+b.read("pai/logs/uid-7/init.log"), "canary-value") {
		t.Error("a secret is in the log")
	}
	env, err := Environment(filepath.Join(b.dir, "pai/runtime.d"), []string{"A=0", "PAI_JOB_NAME=x", "C=3"})
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(env, "|")
	for _, want := range []string{"A=1", "B=two words", "C=3", "PAI_JOB_NAME=x"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in %s", want, got)
		}
	}
	if strings.Contains(got, "=no") || strings.Contains(got, "A=0") {
		t.Error(got)
	}
}

// link ensures that the test binary exits successfully when init runs it under the
// name of a built-in plugin.
func (b *box) link(t *testing.T) {
	t.Helper()
	b.env[helperEnv] = "1"
}

// helperEnv is the variable that makes the test binary exit successfully.
const helperEnv = "OPENPAI_TEST_PLUGIN"

func TestMain(m *testing.M) {
	if os.Getenv(helperEnv) != "" {
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestWithTheDefaultListTheImagesPluginsRunToo(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	b.env["RUNTIME_CONFIG"] = "commands: [a]"
	b.write("image/init.d/mine", "#!/bin/sh\necho mine\nexit 7\n")
	b.run(1)
	b.expect("] mine\n", "init plugin mine: exited with code 7")
}

func TestExitCodesOfInitPluginsAreMapped(t *testing.T) {
	t.Parallel()
	for config, want := range map[string]int{
		"{name: a, command: sh -c 'exit 12'}": 1,
		"{name: a, command: sh -c 'exit 12', errors: [{name: x, originErrorCode: 12, mappedErrorCode: 251}]}": 251,
		"{name: a, command: sh -c 'exit 233'}":                             233,
		"{name: a, command: sh -c 'exit 143'}":                             143,
		"{name: portChecker, command: portChecker nowhere}":                1,
		"{name: frameworkParser, command: frameworkParser framework.json}": 1,
	} {
		b := newBox(t)
		b.env["RUNTIME_CONFIG"], b.env["INIT_CONFIG"] = "commands: [a]", "initPlugins: ["+config+"]"
		b.run(want)
	}
}

func TestTheNameOfAnInitPluginErrorIsReported(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	b.env["RUNTIME_CONFIG"] = "commands: [a]"
	b.env["INIT_CONFIG"] = "initPlugins: [{name: license, command: sh -c 'exit 3', errors: [{name: no license left, originErrorCode: 3, mappedErrorCode: 251}]}]"
	b.run(251)
	b.expect("init plugin license: no license left: exited with code 3\n")
}

// A second run of init in a Pod must keep the logs. It must not change the files
// of a task that has started.
func TestInitMayRunAgain(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	b.env["RUNTIME_CONFIG"] = "commands: [a]"
	b.run(0)
	b.write("pai/logs/uid-7/barrier.log", "first")
	b.run(0)
	b.write("pai/logs/uid-7/barrier.log", "second")
	b.run(0)
	for name, want := range map[string]string{"prelog_0/barrier.log": "first", "prelog_1/barrier.log": "second"} {
		if got := b.read("pai/logs/uid-7/" + name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if n := strings.Count(b.read("pai/logs/uid-7/init.log"), "the volume is prepared"); n != 3 {
		t.Errorf("init.log has %d runs", n)
	}
	b.write("pai/journal.jsonl", `{"stage":"prerequisites","pod_uid":"uid-7"}`+"\n")
	b.write("pai/logs/uid-7/runtime.log", "the task")
	b.run(0)
	if got := b.read("pai/logs/uid-7/runtime.log"); got != "the task" {
		t.Errorf("runtime.log %q", got)
	}
	if _, err := os.Stat(filepath.Join(b.dir, "pai/journal.jsonl")); err != nil {
		t.Error(err)
	}
}

func TestTheCodeOfAPortConflictIsThatOfOpenPAI(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	port := l.Addr().(*net.TCPAddr).Port
	spec := runspec.Spec{Version: 1, Role: "w", Commands: []string{"a"}, PortStart: port, PortEnd: port + 1,
		Roles: []runspec.Role{{Name: "w", Tasks: 1, Ports: []runspec.Port{{Label: "http", Count: 1}}}}}
	text, err := json.Marshal(spec)
	if err != nil {
		t.Fatal(err)
	}
	b.write("config/run.json", string(text))
	b.run(253)
	b.expect(fmt.Sprintf("port %d is in use on this node", port))
}

// As in the original parser, an existing Framework defines roles, hosts and
// ports.
func TestAFrameworkOfOthersGivesThePorts(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	b.env["RUNTIME_CONFIG"], b.env["FC_TASKROLE_NAME"], b.env["FC_TASK_INDEX"] = "commands: [a]", "master", "1"
	b.env["INIT_CONFIG"] = "initPlugins: [{name: frameworkParser, command: frameworkParser framework.json}]"
	b.env["FC_POD_UID"] = "f102a4a7-9bda-11ea-830b-000d3ab25bb6"
	if err := os.MkdirAll(filepath.Join(b.dir, "pai"), 0o755); err != nil {
		t.Fatal(err)
	}
	b.write("pai/framework.json", `{"spec":{"taskRoles":[
	  {"name":"worker","taskNumber":1,"task":{"pod":{"metadata":{"annotations":{"rest-server/port-scheduling-spec":"{\"schedulePortStart\":20000,\"schedulePortEnd\":40000,\"ports\":{\"tcp\":{\"count\":3},\"ssh\":{\"count\":1}}}"}}}}},
	  {"name":"master","taskNumber":2,"task":{"pod":{"metadata":{"annotations":{"rest-server/port-scheduling-spec":"{\"schedulePortStart\":20000,\"schedulePortEnd\":40000,\"ports\":{\"http\":{\"count\":1},\"ssh\":{\"count\":1}}}"}}}}}]},
	 "status":{"attemptStatus":{"taskRoleStatuses":[
	  {"name":"worker","taskStatuses":[{"index":0,"attemptStatus":{"podUID":"f1020521-9bda-11ea-830b-000d3ab25bb6","podIP":"10.0.0.1","podHostIP":"10.0.0.1"}}]},
	  {"name":"master","taskStatuses":[{"index":0,"attemptStatus":{}},{"index":1,"attemptStatus":{"podUID":"f102a4a7-9bda-11ea-830b-000d3ab25bb6","podIP":"10.0.0.2"}}]}]}}}`)
	b.run(0)
	env := b.read("pai/runtime.d/runtime_env.sh")
	for _, want := range []string{
		"export PAI_PORT_LIST_worker_0_tcp='29877,22353,29076'", "export PAI_worker_0_ssh_PORT='39080'", "export PAI_CONTAINER_SSH_PORT='26411'",
		"export PAI_HOST_IP_worker_0='10.0.0.1'", "export PAI_TASK_ROLE_master_HOST_LIST='10.0.0.2:36213'", "export PAI_TASK_ROLE_INSTANCES='worker:0,master:0,master:1'",
	} {
		if !strings.Contains(env, want+"\n") {
			t.Errorf("%s is not in\n%s", want, env)
		}
	}
	if strings.Contains(env, "PAI_HOST_IP_master_0") || strings.Contains(env, "None") {
		t.Errorf("a variable contains an address for a task that has none:\n%s", env)
	}
}

func TestFieldsOfTheExitSpecificationAreThoseOfOpenPAI(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	b.env["RUNTIME_CONFIG"] = "commands: [a]"
	b.write("config/runtime-exit-spec.yaml", "- containerExitCode: 241\n  patterns:\n  - userLogRegex: '(?i)license'\n    exitCode: 3\n  - userLogRegex: '('\n")
	b.run(0)
	b.expect("pattern 1: error parsing regexp")
	if got := b.read("pai/runtime.d/exit-spec.json"); !strings.Contains(got, `"containerExitCode":241`) {
		t.Error(got)
	}
	b.write("config/runtime-exit-spec.yaml", "- code: 1\n")
	b.run(0) // an invalid cluster specification does not stop the task
	b.expect("ignoring the cluster's exit specification", "line 1: code is not understood")
}

func TestTheImageBringsAnExitSpecification(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	b.env["RUNTIME_CONFIG"] = "commands: [a]"
	b.write("image/runtime-exit-spec.yaml", "- containerExitCode: 241\n  phrase: LicenseServerDown\n  patterns: [{ exitCode: 3 }]\n")
	b.run(0)
	if got := b.read("pai/runtime.d/exit-spec.json"); !strings.Contains(got, "LicenseServerDown") {
		t.Error(got)
	}
	b.write("config/runtime-exit-spec.yaml", "- containerExitCode: 242\n  patterns: [{ exitCode: 3 }]\n")
	b.run(0)
	if got := b.read("pai/runtime.d/exit-spec.json"); !strings.Contains(got, "242") || strings.Contains(got, "241") {
		t.Errorf("the specification in the configuration must replace the image's specification: %s", got)
	}
}

func TestCommandsAreSplitLikeAShell(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		`a b  c`: "a|b|c", `a 'b c' "d e"`: "a|b c|d e", `a\ b`: "a b", `''`: "", "": "",
		`a | b`: errNeedsShell.Error(), `a $X`: errNeedsShell.Error(), `a "$X"`: errNeedsShell.Error(), `a > f`: errNeedsShell.Error(), `a *`: errNeedsShell.Error(),
		`a 'b`: errOpenQuote.Error(),
	} {
		words, err := splitWords(command)
		got := strings.Join(words, "|")
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", command, got, want)
		}
	}
	if !errorsIsNil(t, "'$X' a") {
		t.Error("a dollar sign in single quotes is literal")
	}
}

func errorsIsNil(t *testing.T, command string) bool {
	t.Helper()
	_, err := splitWords(command)
	return err == nil
}

func TestInvalidInitCommandsAreConfigurationErrors(t *testing.T) {
	t.Parallel()
	if got := findShell("relative:"); got != "" && !strings.HasPrefix(got, "/") {
		t.Errorf("found %q", got)
	}
	c := &container{Options: Options{Root: t.TempDir(), Getenv: func(string) string { return "" }}}
	if _, err := c.argv(&plugin{Name: "p", Command: "nothing-of-that-name"}, []string{"nothing-of-that-name"}, nil); codeOf(err) != 240 {
		t.Errorf("%v", err)
	}
	if _, err := c.argv(&plugin{Name: "p", Command: "a 'b"}, nil, errOpenQuote); codeOf(err) != 240 {
		t.Errorf("%v", err)
	}
}

// Any user in the task's image can write to the volume.
func TestDirectoriesAreWritableForEverybody(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	b.env["RUNTIME_CONFIG"] = "commands: [a]"
	b.run(0)
	for _, dir := range []string{contract.Root, contract.RuntimeDir, contract.InitDir} {
		info, err := os.Stat(b.opts.path(dir))
		if err != nil || info.Mode().Perm() != 0o777 {
			t.Errorf("%s: %v, error %v", dir, info.Mode(), err)
		}
	}
	info, err := os.Stat(filepath.Join(b.opts.Root, "runtime"))
	if err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("runtime: %v, error %v", info.Mode(), err)
	}
}
