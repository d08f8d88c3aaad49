// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func minutes(n int) hclspec.Duration { return hclspec.Duration(time.Duration(n) * time.Minute) }

func TestCallbacksInheritRetryAndFailurePolicy(t *testing.T) {
	t.Parallel()
	p := script("p")
	p.Plugin, p.FailurePolicy, p.Retry = "com.microsoft.pai.runtimeplugin.cmd", "ignore", &hclspec.Retry{Attempts: 3, Backoff: hclspec.Duration(1500 * time.Millisecond)}
	p.Callbacks = []*hclspec.Callback{
		{Event: "taskStarts", Commands: []string{"  a \n", "", "b \\"}},
		{Event: "taskFails", Commands: []string{"c"}, FailurePolicy: "fail", Timeout: "30m", Retry: &hclspec.Retry{Attempts: 1}},
		{Event: "containerExits", Commands: []string{"d"}},
	}
	jobs, diags := All(Input{Workspace: workspace([]*hclspec.Prerequisite{p}, jobOf(protocol, uses("p")))})
	want := &Step{
		Address: "prerequisite.script.p", Name: "p", Type: "script", Plugin: "cmd", FailurePolicy: "ignore", Retry: &Retry{3, 2},
		Callbacks: []*Callback{
			{Event: "taskStarts", Commands: []string{"a", "b \\"}, FailurePolicy: "ignore", Retry: &Retry{3, 2}},
			{Event: "taskFails", Commands: []string{"c"}, FailurePolicy: "fail", TimeoutSeconds: 1800, Retry: &Retry{1, 0}},
			{Event: "taskExits", Commands: []string{"d"}, FailurePolicy: "ignore", Retry: &Retry{3, 2}},
		},
	}
	if diff := cmp.Diff([]*Step{want}, jobs[0].TaskRoles[0].Steps); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := firstCode(diagnostics(diags)); got != "older-event-name" || diags.HasErrors() {
		t.Errorf("diagnostics:\n%s", diagnostics(diags))
	}
}

func TestInvalidStepsAreErrors(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*hclspec.Prerequisite)
		want   string
	}{
		"an unknown event": {
			func(p *hclspec.Prerequisite) { p.Callbacks[0].Event = "taskStart" },
			`unknown-event 1: prerequisite.script.p has a callback for the unknown event "taskStart"; valid events are "taskStarts", "taskSucceeds", "taskFails", "taskExits". Did you mean "taskStarts"?`},
		"an older name in HCL": {
			func(p *hclspec.Prerequisite) { p.Callbacks[0].Event = "containerStart" },
			`unknown-event 1: prerequisite.script.p has a callback for "containerStart", an older name for the event "taskStarts". Write "taskStarts".`},
		"an unknown plugin": {
			func(p *hclspec.Prerequisite) { p.Plugin = "com.microsoft.pai.runtimeplugin.gti" },
			`unknown-plugin 1: prerequisite.script.p uses the unknown plugin "com.microsoft.pai.runtimeplugin.gti"; valid plugins are "cmd", "docker", "git", "pvc_storage", "rest.storage", "ssh", "teamwise_storage", "tensorboard". Did you mean "git"?`},
		"callbacks that are not a list": {
			func(p *hclspec.Prerequisite) { p.Parameters = map[string]any{"callbacks": "zzz"} },
			`invalid-callbacks 1: The callbacks of prerequisite.script.p must be a list.`},
		"a callback without an event": {
			func(p *hclspec.Prerequisite) {
				p.Parameters = map[string]any{"callbacks": []any{map[string]any{"on": "x"}}}
			},
			`invalid-callbacks 1: callbacks[0] of prerequisite.script.p must be an object with "event" and "commands".`},
		"a callback with a misspelled key": {
			func(p *hclspec.Prerequisite) {
				p.Parameters = map[string]any{"callbacks": []any{map[string]any{"event": "taskStarts", "commands": []any{"a"}, "timeuot": "5s"}}}
			},
			`invalid-callbacks 1: callbacks[0] of prerequisite.script.p has the unknown key "timeuot"; valid keys are "event", "commands", "failurePolicy", "timeout", "retry". Did you mean "timeout"?`},
		"a callback with invalid values": {
			func(p *hclspec.Prerequisite) {
				p.Parameters = map[string]any{"callbacks": []any{map[string]any{
					"event": "taskStarts", "commands": []any{"a"}, "timeout": 5, "retry": map[string]any{"times": 3}, "failurePolicy": "retry",
				}}}
			},
			`invalid-callbacks 1: failurePolicy in callbacks[0] of prerequisite.script.p is not valid: it must be "fail" or "ignore".
invalid-callbacks 1: timeout in callbacks[0] of prerequisite.script.p is not valid: a duration consists of integers, each followed by one of the units d, h, m and s, for example "1d12h".
invalid-callbacks 1: retry in callbacks[0] of prerequisite.script.p is not valid: it must be an object with "attempts" (an integer from 1 to 2147483647) and, optionally, "backoff" (a duration).`},
		"commands that are not strings": {
			func(p *hclspec.Prerequisite) { p.Parameters = map[string]any{"preCommands": []any{[]any{}}} },
			`invalid-callbacks 1: preCommands of prerequisite.script.p must be a list of strings.`},
		"a reserved variable": {
			func(p *hclspec.Prerequisite) { p.Environment = map[string]string{"PAI_X": "1"} },
			`reserved-variable 1: prerequisite.script.p sets PAI_X, but names that begin with PAI_ or FC_ are reserved for the runtime. Use another name.`},
		"a variable that no program can receive": {
			func(p *hclspec.Prerequisite) { p.Environment = map[string]string{"A": "x\x00"} },
			`nul-in-variable 1: prerequisite.script.p sets A to a value with a NUL character, which environment variables cannot contain. Remove the character.`},
		"a variable that no shell can set": {
			func(p *hclspec.Prerequisite) { p.Environment = map[string]string{"a-b": "1"} },
			`invalid-variable-name 1: prerequisite.script.p sets "a-b", which is not a valid environment variable name.`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := script("p")
			c.change(p)
			_, diags := All(Input{Workspace: workspace([]*hclspec.Prerequisite{p}, jobOf(uses("p")))})
			if diff := cmp.Diff(c.want, strings.TrimSpace(diagnostics(diags))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestAnOlderEventNameIsAnErrorInTerraform(t *testing.T) {
	t.Parallel()
	p := script("p")
	p.Callbacks[0].Event = "containerStart"
	ws := workspace([]*hclspec.Prerequisite{p}, jobOf(uses("p"), func(j *hclspec.Job, _ *hclspec.TaskRole) { j.Syntax = hclspec.SyntaxTerraform }))
	for at := range ws.Sources {
		ws.Sources[at] = hcl.Range{Filename: string(at)}
	}
	_, diags := All(Input{Workspace: ws})
	if got := firstCode(diagnostics(diags)); got != "unknown-event" {
		t.Errorf("diagnostics:\n%s", diagnostics(diags))
	}
}

func TestPluginsOfExtrasComeAfterPrerequisites(t *testing.T) {
	t.Parallel()
	job := jobOf(uses("p"), parameters(map[string]any{"dir": "/logs"}), func(j *hclspec.Job, r *hclspec.TaskRole) {
		r.Name = "Work_er"
		j.Plugins = []*hclspec.Plugin{
			{Name: "com.microsoft.pai.runtimeplugin.ssh", Parameters: map[string]any{"jobssh": true}, TaskRoles: []string{"worker"}},
			{Name: "tensorboard", Parameters: map[string]any{"logdir": map[string]any{"a": "<% $parameters.dir %>"}}, TaskRoles: []string{"Work_er"}},
			{Name: "cmd", TaskRoles: []string{"other"}},
			{Name: "cmd", FailurePolicy: "ignore", Parameters: map[string]any{
				"preCommands": []any{"pre <% $parameters.dir %>"}, "postCommands": "post",
				"callbacks": []any{map[string]any{"event": "taskFails", "commands": []any{"debug"}, "failurePolicy": "fail", "timeout": "1m30s", "retry": map[string]any{"attempts": hclspec.Number("3"), "backoff": "2s"}}},
			}},
			{Name: "cmd", Parameters: map[string]any{"preCommands": []any{"again"}}},
			{Name: "teamwise_storage", Parameters: map[string]any{"storageConfigNames": []any{"team"}}},
		}
	})
	ws := workspace([]*hclspec.Prerequisite{script("p")}, job)
	ws.Storages = []*hclspec.Storage{{Name: "team"}}
	jobs, diags := All(Input{Workspace: ws})
	want := []*Step{
		{Address: "plugin.ssh", Name: "ssh", Plugin: "ssh", FailurePolicy: "fail", Parameters: map[string]any{"jobssh": true}},
		{Address: "plugin.tensorboard", Name: "tensorboard", Plugin: "tensorboard", FailurePolicy: "fail", Parameters: map[string]any{"logdir": map[string]any{"a": "/logs"}}},
		{Address: "plugin.cmd", Name: "cmd", Plugin: "cmd", FailurePolicy: "ignore", Parameters: map[string]any{}, Callbacks: []*Callback{
			{Event: "taskStarts", Commands: []string{"pre /logs"}, FailurePolicy: "ignore"},
			{Event: "taskSucceeds", Commands: []string{"post"}, FailurePolicy: "ignore"},
			{Event: "taskFails", Commands: []string{"debug"}, FailurePolicy: "fail", TimeoutSeconds: 90, Retry: &Retry{Attempts: 3, BackoffSeconds: 2}},
		}},
		{Address: "plugin.cmd[1]", Name: "cmd", Plugin: "cmd", FailurePolicy: "fail", Parameters: map[string]any{}, Callbacks: []*Callback{
			{Event: "taskStarts", Commands: []string{"again"}, FailurePolicy: "fail"},
		}},
	}
	if diff := cmp.Diff(want, jobs[0].TaskRoles[0].Steps[1:]); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]*Mount{{Storage: "team", Path: "/mnt/team", By: []string{"plugin.teamwise_storage"}, Declared: ws.Storages[0]}}, jobs[0].TaskRoles[0].Mounts); diff != "" {
		t.Errorf("mounts (-want +got)\n%s", diff)
	}
	if got := firstCode(diagnostics(diags)); got != "plugin-for-unknown-role" || diags.HasErrors() {
		t.Errorf("diagnostics:\n%s", diagnostics(diags))
	}
}

func TestEnvironmentIsMergedFromTheJobToTheRole(t *testing.T) {
	t.Parallel()
	a, b := script("a"), script("b")
	a.Environment = map[string]string{"JOB": "a", "STEP": "a", "ROLE": "a"}
	b.Environment = map[string]string{"STEP": "b<% this.x %>"}
	b.Parameters = map[string]any{"x": "!"}
	job := resolveOne(t, workspace([]*hclspec.Prerequisite{a, b}, jobOf(uses("a", "b"), func(j *hclspec.Job, r *hclspec.TaskRole) {
		j.Environment = map[string]string{"JOB": "j", "ONLY": "j"}
		r.Environment = map[string]string{"ROLE": "r"}
	})))
	role := job.TaskRoles[0]
	if diff := cmp.Diff(map[string]string{"JOB": "a", "ONLY": "j", "STEP": "b!", "ROLE": "r"}, role.Environment); diff != "" {
		t.Errorf("role (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"JOB": "a", "STEP": "a"}, role.Steps[0].Environment); diff != "" {
		t.Errorf("step (-want +got)\n%s", diff)
	}
}

func TestDiagnosticsPointIntoTheFileOfAnItem(t *testing.T) {
	t.Parallel()
	p := script("x")
	p.Plugin = "nope"
	items := shelf{"marketplace://name/x": {Definition: p, Sources: hclspec.SourceMap{p.Path.Attr("plugin"): hcl.Range{Filename: "item.yaml", Start: hcl.Pos{Line: 3}}}}}
	_, diags := All(Input{Workspace: workspace(nil, jobOf(uses("marketplace://name/x"))), Items: items})
	if len(diags) != 1 || diags[0].Subject == nil || diags[0].Subject.Filename != "item.yaml" {
		t.Errorf("diagnostics:\n%s", diagnostics(diags))
	}
}

func TestTimeoutsOfCallbacksAreFilledIn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		timeout, minutes string
		want             int
		problem          string
	}{
		"a duration":          {"1h30m", "30", 5400, ""},
		"a template variable": {"{{ min }}m5s", "30", 1805, ""},
		"a template variable between other parts": {"1h{{ min }}m", "15", 4500, ""},
		"zero minutes": {"{{ min }}m", "0", 0, ""},
		"not a duration after rendering": {"{{ min }}m", "soon", 0,
			`invalid-callbacks 0: The taskFails callback of prerequisite.script.p{min="soon"} has the invalid timeout "soonm": a duration consists of integers, each followed by one of the units d, h, m and s, for example "1d12h".`},
		"too long after rendering": {"{{ min }}d", "99999", 0,
			`invalid-callbacks 0: The taskFails callback of prerequisite.script.p{min="99999"} has the invalid timeout "99999d": a duration can be at most 24855d3h14m7s.`},
	} {
		p := script("p")
		p.TemplateVariables = []*hclspec.TemplateVariable{{Name: "min"}}
		p.Callbacks = []*hclspec.Callback{{Event: "taskFails", Commands: []string{"c"}, Timeout: c.timeout}}
		use := usesWith("p", map[string]any{"min": c.minutes})
		jobs, diags := All(Input{Workspace: workspace([]*hclspec.Prerequisite{p}, jobOf(protocol, use))})
		got := jobs[0].TaskRoles[0].Steps[0].Callbacks[0].TimeoutSeconds
		if problem := strings.TrimSpace(diagnostics(diags)); got != c.want && c.problem == "" || problem != c.problem {
			t.Errorf("%s: %d s, want %d, diagnostics\n%s", name, got, c.want, problem)
		}
	}
}
