// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"crypto/rand"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/ssh"
)

// sessions contains the process groups that ssh sessions have started. Like a
// start callback's background processes, a group can outlive its session.
type sessions struct {
	mu     sync.Mutex
	groups []*running
}

func (t *task) startSession(c ssh.Command) (*sessionProcess, error) {
	attr := &os.ProcAttr{Dir: c.Dir, Env: c.Environ, Files: c.Files, Sys: c.Attributes()}
	setParentDeathSignal(attr.Sys)
	p, err := t.children.startWith(c.Argv, attr)
	if err != nil {
		return nil, err
	}
	t.sessions.mu.Lock()
	defer t.sessions.mu.Unlock()
	t.sessions.groups = slices.DeleteFunc(t.sessions.groups, func(r *running) bool { return !r.alive() })
	t.sessions.groups = append(t.sessions.groups, &running{process: p})
	return &sessionProcess{p}, nil
}

// sessionTime is the time between SIGHUP and SIGKILL for sessions at the end of
// the task.
const sessionTime = time.Second

// serveSessions lets the local user open sessions if SessionDir is set. An
// error does not fail the task.
func (t *task) serveSessions() {
	if t.SessionDir == "" {
		return
	}
	server, err := ssh.ListenPrivate(t.SessionDir, rand.Reader, ssh.Options{
		Dir: t.WorkDir, Shell: t.shell.path, Log: t.log.Info,
		Environ: func() []string { return t.env.list(nil) },
		Start:   t.openSession,
	})
	if err != nil {
		t.log.Warning("cannot serve sessions in this task: " + err.Error())
		return
	}
	t.cleanups = append(t.cleanups, func() { server.Close(sessionTime) })
}

// openSession starts the process of a session. The process ends at the latest
// when the task ends.
func (t *task) openSession(c ssh.Command) (ssh.Process, error) {
	started, err := t.startSession(c)
	if err != nil {
		return nil, err
	}
	return started, nil
}

// end ends the processes that sessions left running.
func (s *sessions) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	terminateGroups(s.groups)
}

// sessionProcess is the first process of a session.
type sessionProcess struct{ p *process }

// Wait implements ssh.Process.
func (s *sessionProcess) Wait() (int, syscall.Signal) {
	<-s.p.done
	if s.p.status.Signaled() {
		return 0, s.p.status.Signal()
	}
	return s.p.status.ExitStatus(), 0
}

// Signal implements ssh.Process.
func (s *sessionProcess) Signal(number syscall.Signal) { s.p.signal(number) }
