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

// script is one run of the shell.
type script struct {
	commands []string
	environ  []string
	timeout  time.Duration // 0: none
	// service leaves processes alone that the script started in the
	// background; they end with the task.
	service bool
	// exports asks for the exported variables at the end.
	exports bool
	// shielded: a request to stop is not passed on.
	shielded bool
	stdout   pipe.Sink
	stderr   pipe.Sink // nil: the same pipe as stdout
}

// running is a script with its pipes.
type running struct {
	*process
	sources []*pipe.Source
	exports *exports.Reader
}

// exitKilled is the code of SIGKILL: also what a shell ends with when a program
// of the script was killed.
const exitKilled = 128 + int(syscall.SIGKILL)

// run runs the script and returns when its first process has ended and what it
// printed is in the logs. vars is nil when no exports came.
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
		out.reason = was("killed because the task used more memory than it may")
		t.oomKilled = true
	}
	if s.exports {
		vars = r.exports.Read()
	}
	return out, vars
}

// startScriptShell starts the shell; nil without an error means that a stop came first.
func (t *task) startScriptShell(s script) (*running, error) {
	r, err := t.startShell(s, func(start func() (*process, error)) (*process, error) { return t.stop.start(s.shielded, start) })
	if r != nil {
		t.markStarted()
		t.journal.group(r.pid)
	}
	return r, err
}

// startShell makes the pipes of a script and starts the shell by means of run, which
// may decide not to.
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
	if files[1], err = r.pipe(s.stdout); err != nil {
		return nil, err
	}
	files[2] = files[1]
	if s.stderr != nil {
		if files[2], err = r.pipe(s.stderr); err != nil {
			return nil, err
		}
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

func (r *running) pipe(to pipe.Sink) (*os.File, error) {
	src, w, err := pipe.NewSource(to)
	if err == nil {
		r.sources = append(r.sources, src)
	}
	return w, err
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

// wait returns when the first process has ended, and ends it when its time,
// that of the task or that of a stop is over.
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

// exitOutcome adds to what is known already what the process ended with.
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

// renderCommands renders the commands of a script: secrets are filled in here, in
// memory, and nowhere else.
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
