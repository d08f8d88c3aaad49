// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"cmp"
	"context"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
	"github.com/openpai/terraform-provider-openpai/internal/ssh"
	"github.com/openpai/terraform-provider-openpai/runtime/logs"
	"github.com/openpai/terraform-provider-openpai/runtime/plugin"
)

// startPlugin runs a step's plugin. The step's callbacks run after the
// plugin.
func (t *task) startPlugin(ctx context.Context, step *runspec.Step) outcome {
	if !plugin.HasAction(step.Plugin) {
		return outcome{}
	}
	t.markStarted()
	until, cancel := t.untilStop(ctx)
	defer cancel()
	r := t.plugins.Start(until, &pluginTask{t, ctx}, step)
	out := outcome{code: r.Code, reason: did("%s", r.Reason), lines: r.Lines, stopped: r.Stopped, record: r.Spec, hint: r.Hint}
	switch {
	case r.Stopped && ctx.Err() != nil:
		out.stopped, out.expired, out.code = false, true, exitTimeout
	case !out.ok():
		out.record = cmp.Or(out.record, exitspec.CodePlugin)
	}
	return out
}

// pluginTask implements plugin.Task.
type pluginTask struct {
	t *task
	// ctx expires at the task's time limit.
	ctx context.Context
}

// Attempt implements plugin.Task.
func (p *pluginTask) Attempt() plugin.Attempt {
	t := p.t
	return plugin.Attempt{
		Spec: t.Spec, Index: t.Index, PodUID: t.PodUID, Self: t.self, Hosts: t.peers(),
		Root: t.Root, WorkDir: t.WorkDir, PluginDir: t.PluginDir, Listen: t.Listen, Shell: t.shell.path, SSHConfig: t.SSHConfig,
	}
}

// Text implements plugin.Task.
func (p *pluginTask) Text(text string) (string, error) {
	return p.t.secrets.render(text, p.t.env.lookup)
}

// Secret implements plugin.Task.
func (p *pluginTask) Secret(name string) (string, bool) {
	value, ok := p.t.secrets[name]
	return value, ok
}

// Variable implements plugin.Task.
func (p *pluginTask) Variable(name string) (string, bool) { return p.t.env.lookup(name) }

// SetVariable implements plugin.Task.
func (p *pluginTask) SetVariable(name, value string) { p.t.env.set(name, value) }

// PrependPath implements plugin.Task.
func (p *pluginTask) PrependPath(dir string) { p.t.env.prependPath(dir) }

// Environ implements plugin.Task.
func (p *pluginTask) Environ() []string { return p.t.env.list(nil) }

// Info implements plugin.Task.
func (p *pluginTask) Info(text string) { p.t.log.Info(text) }

// Warn implements plugin.Task.
func (p *pluginTask) Warn(text string) { p.t.log.Warning(text) }

// Pause implements plugin.Task.
func (p *pluginTask) Pause(reason string, d time.Duration) bool {
	p.t.stages.wait(reason, p.t.Now().Add(d))
	defer p.t.stages.wait("", time.Time{})
	return p.t.sleep(p.ctx, d, nil)
}

// Run implements plugin.Task.
func (p *pluginTask) Run(text string) plugin.Result {
	last := &logs.Tail{}
	out, _ := p.t.run(p.ctx, script{
		commands: []string{text}, environ: p.t.env.list(nil), service: true, stdout: p.t.log.Callback(last),
	})
	return plugin.Result{Code: out.code, Reason: out.reason.String(), Lines: last.Lines(), Stopped: out.stopped || out.expired}
}

// Serve implements plugin.Task.
func (p *pluginTask) Serve(name, text string) { p.t.background.serve(p.t, name, text) }

// Session starts a process of the ssh service. The process does not outlive the
// task.
func (p *pluginTask) Session(c ssh.Command) (ssh.Process, error) {
	return p.t.openSession(c)
}

// AddCleanup implements plugin.Task.
func (p *pluginTask) AddCleanup(action func()) { p.t.cleanups = append(p.t.cleanups, action) }
