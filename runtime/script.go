// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"context"
	"errors"
	"os"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/openpai/terraform-provider-openpai/runtime/exports"
	"github.com/openpai/terraform-provider-openpai/runtime/pipe"
)

// script is one run of commands in a shell.
type script struct {
	commands []string
	environ  []string
	timeout  time.Duration // 0: none
	// service is set if the background processes of the script may run until the
	// end of the task.
	service bool
	// exports is set if the shell writes the exported variables to a pipe at the
	// end of the script.
	exports bool
	// shielded is set if the runtime does not forward stop requests to the
	// script.
	shielded bool
	stdout   pipe.Sink
	stderr   pipe.Sink // nil if the script writes standard error to the pipe of stdout
}

// running is a running script and its pipes.
type running struct {
	*process
	sources []*pipe.Source
	exports *exports.Reader
}

// exitKilled is the exit code for SIGKILL. A shell also exits with this code
// if SIGKILL ended a program in the script.
const exitKilled = 128 + int(syscall.SIGKILL)

// run returns when the script's first process has exited and the output is in the
// logs. vars is nil if the script did not export variables through the pipe.
func (t *task) run(ctx context.Context, s script) (out outcome, vars map[string]string) {
	oom := t.oomKills()
	r, err := t.startScriptShell(s)
	switch {
	case err != nil:
		return failed(126, "could not be started: %v", err), nil
	case r == nil:
		return notStarted, nil
	}
	out = t.wait(ctx, s, r.process)
	t.stop.release()
	t.drain(s, r)
	if out.code == exitKilled && t.oomKills() > oom {
		out.reason = was("killed because the task exceeded its memory limit")
		t.oomKilled = true
	}
	if s.exports {
		vars = r.exports.Read()
	}
	return out, vars
}

// startScriptShell starts the shell of a script. After a stop request, it
// returns nil and no error.
func (t *task) startScriptShell(s script) (*running, error) {
	r, err := t.startShell(s, func(start func() (*process, error)) (*process, error) { return t.stop.start(s.shielded, start) })
	if r != nil {
		t.markStarted()
		t.journal.group(r.pid)
	}
	return r, err
}

// startShell calls run() to start the shell. If run() does not return a
// process, startShell returns nil.
func (t *task) startShell(s script, run func(start func() (*process, error)) (*process, error)) (r *running, err error) {
	r = &running{}
	text, err := scriptFile(t.shell.script(s.commands, s.exports))
	if err != nil {
		return nil, err
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		return nil, err
	}
	files := []*os.File{null, nil, nil, text}
	defer func() {
		for _, f := range unique(files) {
			_ = f.Close()
		}
	}()
	if files[1], files[2], err = r.pipes(s); err != nil {
		return nil, err
	}
	if s.exports {
		var w *os.File
		if r.exports, w, err = exports.NewReader(); err != nil {
			return nil, err
		}
		files = append(files, w)
	}
	r.process, err = run(func() (*process, error) {
		return t.children.start(t.shell.argv(), s.environ, t.WorkDir, files)
	})
	if r.process == nil {
		return nil, err
	}
	return r, nil
}

func (r *running) pipes(s script) (stdout, stderr *os.File, err error) {
	sinks := []pipe.Sink{s.stdout}
	if s.stderr != nil {
		sinks = append(sinks, s.stderr)
	}
	sources, writers, err := pipe.NewOrdered(sinks...)
	if err != nil {
		return nil, nil, err
	}
	r.sources = sources
	return writers[0], writers[len(writers)-1], nil
}

func unique(files []*os.File) []*os.File {
	var all []*os.File
	seen := map[*os.File]bool{nil: true}
	for _, f := range files {
		if !seen[f] {
			all, seen[f] = append(all, f), true
		}
	}
	return all
}

// wait waits until the first process has ended. It ends the process at the time
// limit of the script or task, or after the grace period of a stop.
func (t *task) wait(ctx context.Context, s script, p *process) outcome {
	var limit <-chan time.Time
	if s.timeout > 0 {
		limit = time.After(s.timeout)
	}
	stopping, expired := t.stop.requested, ctx.Done()
	var out outcome
	var kill deadline
	for {
		select {
		case <-p.done:
			return t.exitOutcome(p.status, out)
		case <-limit:
			limit = nil
			out.timedOut(did("did not end within its timeout of %s", s.timeout))
			p.signal(syscall.SIGTERM)
			kill.noLaterThan(time.Now().Add(killDelay))
		case <-expired:
			expired, out.expired = nil, true
			out.timedOut(expiredAfter(t.maxRun()))
			p.signal(syscall.SIGTERM)
			kill.noLaterThan(time.Now().Add(t.grace()))
		case <-stopping:
			stopping = nil
			out.stopped = !s.shielded
			kill.noLaterThan(t.killTime(s))
		case <-kill.over:
			if s.shielded && out.ok() {
				out.timedOut(did("did not end within its part of the grace period"))
			}
			p.signal(syscall.SIGKILL)
		}
	}
}

func (t *task) exitOutcome(status syscall.WaitStatus, out outcome) outcome {
	code := status.ExitStatus()
	if status.Signaled() {
		code = 128 + int(status.Signal())
		out.signal = unix.SignalName(status.Signal())
	}
	if out.reason != (predicate{}) {
		return out
	}
	out.code = code
	switch {
	case out.signal != "":
		out.reason = was("ended by %s", out.signal)
	case code != 0:
		out.reason = did("exited with code %d", code)
	}
	return out
}

// renderCommands is the only function that replaces references to secrets in
// commands. The replacement is in memory.
func (t *task) renderCommands(commands []string) ([]string, error) {
	out := make([]string, len(commands))
	var errs []error
	for i, c := range commands {
		text, err := t.secrets.render(c, t.env.lookup)
		out[i] = strings.TrimRight(text, "\n")
		errs = append(errs, err)
	}
	return out, errors.Join(errs...)
}
