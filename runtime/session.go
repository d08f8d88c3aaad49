//go:build unix

package runtime

import (
	"os"
	"slices"
	"sync"
	"syscall"

	"github.com/openpai/terraform-provider-openpai/internal/ssh"
)

// sessions are the groups that ssh sessions started. A group may outlive the
// session, as whatever a start callback leaves behind.
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

// end ends what sessions left behind.
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
