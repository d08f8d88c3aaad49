// SPDX-License-Identifier: MPL-2.0

//go:build unix

package initialize

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

func TestAnInvalidRuntimeConfigIsRejected(t *testing.T) {
	t.Parallel()
	plugin := func(text string) string { return "commands: [a]\nruntimePlugin: [" + text + "]" }
	for name, c := range map[string]struct{ config, want string }{
		"a second document":               {"commands: [a]\n---\ncommands: [b]", "RUNTIME_CONFIG: it contains more than one document"},
		"a document after the end":        {"commands: [a]\n---\n{{{", "RUNTIME_CONFIG: it contains more than one document"},
		"a negative grace period":         {"commands: [a]\nstopGraceSeconds: -5", "RUNTIME_CONFIG: stopGraceSeconds is -5; it must be between 1 and 31536000"},
		"a grace period that is too long": {"commands: [a]\nstopGraceSeconds: 9223372036854775807", "stopGraceSeconds is 9223372036854775807; it must be between 1 and"},
		"a number that is not valid":      {plugin("{plugin: git, parameters: {repo_uri: a, options: [x, {depth: .nan}]}}"), "runtimePlugin[0]: parameters.options[1].depth must be a finite number"},
		"a key that is a list":            {plugin("{plugin: tensorboard, parameters: {logdir: {[a]: /x}}}"), "RUNTIME_CONFIG: a key must not be a list or a mapping"},
		"a timeout that is too long":      {plugin("{plugin: cmd, parameters: {callbacks: [{event: taskStarts, commands: [b], timeout: 65535d2562047h}]}}"), `timeout is "65535d2562047h"; it must be a duration`},
		"a plugin that does not exist":    {plugin("{plugin: com.microsoft.pai.runtimeplugin.storage}"), `unknown plugin "com.microsoft.pai.runtimeplugin.storage"`},
		"a plugin outside":                {plugin("{plugin: custom/../ssh}"), `unknown plugin "custom/../ssh"`},
		"the prefix of a plugin":          {plugin("{plugin: com.microsoft.pai.runtimeplugin.}"), `unknown plugin "com.microsoft.pai.runtimeplugin."`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBox(t)
			b.env["RUNTIME_CONFIG"] = c.config
			b.run(240)
			b.expect(c.want)
		})
	}
}

func TestNamesOfParametersNeedNoQuotes(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	b.env["RUNTIME_CONFIG"] = "commands: [a]\nruntimePlugin: [{plugin: tensorboard, parameters: {logdir: {1: /a, on: /b}, port: 6006}}]"
	b.env["INIT_CONFIG"] = "initPlugins: [{name: userCommandRender}]"
	b.run(0)
	want := map[string]any{"logdir": map[string]any{"1": "/a", "on": "/b"}, "port": 6006.0}
	if diff := cmp.Diff(want, b.spec().Steps[0].Parameters); diff != "" {
		t.Errorf("parameters (-want +got)\n%s", diff)
	}
}

// The plugin cmd follows the same rules as in a job. preCommands and
// postCommands precede callbacks, and a single command is treated as a list
// with one element.
func TestACommandPluginIsReadAsInAJob(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	b.env["RUNTIME_CONFIG"] = "commands: [a]\nruntimePlugin: [{plugin: cmd, parameters: {callbacks: [{event: taskStarts, commands: c}], preCommands: b}}]"
	spec, err := b.opts.configuredSpec(nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []runspec.Callback{{Event: "taskStarts", Commands: []string{"b"}}, {Event: "taskStarts", Commands: []string{"c"}}}
	if diff := cmp.Diff(want, spec.Steps[0].Callbacks); diff != "" {
		t.Errorf("callbacks (-want +got)\n%s", diff)
	}
}

func TestInvalidSecretsAreRejectedWithoutShowingValues(t *testing.T) {
	t.Parallel()
	laughs := "a: &a [hidden-value, x, x, x, x, x, x, x, x]\n"
	for _, pair := range []string{"ba", "cb", "dc", "ed", "fe", "gf", "hg"} {
		laughs += pair[:1] + ": &" + pair[:1] + " [" + strings.TrimSuffix(strings.Repeat("*"+pair[1:]+", ", 9), ", ") + "]\n"
	}
	for name, c := range map[string]struct{ secrets, want string }{
		"a name that is a directory":             {"'..': hidden-value", `invalid secret name ".."`},
		"a name with a NUL":                      {`"a\0b": hidden-value`, `invalid secret name "a\x00b"`},
		"a name with a slash":                    {"a/b: hidden-value", `invalid secret name "a/b"`},
		"a name that is very long":               {strings.Repeat("k", 256) + ": hidden-value", `invalid secret name "kkk`},
		"a name twice":                           {"a: hidden-value\na: other", `two secrets have the name "a"`},
		"two paths with the same name":           {"a.b: hidden-value\na: {b: other}", `two secrets have the name "a.b"`},
		"a value that contains itself":           {"a: &x {b: *x}", "the values are nested more than"},
		"aliases that expand to too many values": {laughs, "the file has more than"},
		"a second document":                      {"a: hidden-value\n---\nb: other", "it contains more than one document"},
		"a name that is not a scalar":            {"{[a]: hidden-value}", `invalid secret name ""`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBox(t)
			b.env["RUNTIME_CONFIG"] = "commands: [a]"
			b.write("config/secrets.yaml", c.secrets)
			b.run(240)
			b.expect("secrets.yaml: " + c.want)
			if strings.Contains(b.out.String(), "hidden-value") {
				t.Error("a value is shown")
			}
		})
	}
}

func TestSecretsThatAreTooShortToBeMaskedAreWarnedAbout(t *testing.T) {
	t.Parallel()
	b := newBox(t)
	b.env["RUNTIME_CONFIG"] = "commands: [a]"
	b.write("config/secrets.yaml", "short: 密码\npin: 123\nempty: ''\nlong: abcd\n")
	b.run(0)
	b.expect("[WARNING] the secrets pin, short have fewer than 4 characters and are not masked in logs\n")
}

func TestSecretsThatNobodyGaveAreFoundWhereverTheyAreReferredTo(t *testing.T) {
	t.Parallel()
	for name, plugin := range map[string]string{
		"in a callback":  "{plugin: cmd, parameters: {callbacks: [{event: taskFails, commands: ['echo <% $secrets.none %>']}]}}",
		"in a parameter": "{plugin: git, parameters: {repo_uri: 'https://x/y', options: [a, '--config=http.extraHeader=<% $secrets.none %>']}}",
		"deep in one":    "{plugin: ssh, parameters: {userssh: {type: custom, value: '<% $secrets.none %>'}}}",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBox(t)
			b.env["RUNTIME_CONFIG"] = "commands: [a]\nruntimePlugin: [" + plugin + "]"
			b.run(240)
			b.expect("<% $secrets.none %> has no value")
		})
	}
}

func TestAnInitPluginEndsWithItsMainProcess(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		script string
		code   int
		want   string
	}{
		"a background process that keeps the output open": {"sleep 60 &\necho begun\n", 0, "] begun\n"},
		"a signal": {"kill -KILL $$\n", 137, "init plugin mine: signal: killed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBox(t)
			b.env["RUNTIME_CONFIG"], b.env["INIT_CONFIG"] = "commands: [a]", "initPlugins: [{name: mine}]"
			b.write("image/init.d/mine", "#!/bin/sh\n"+c.script)
			b.run(c.code)
			b.expect(c.want)
		})
	}
}
