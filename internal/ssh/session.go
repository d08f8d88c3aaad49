// SPDX-License-Identifier: MPL-2.0

//go:build unix

package ssh

import (
	"errors"
	"io"
	"strings"
	"sync"
	"syscall"

	"github.com/pkg/sftp"
	"golang.org/x/crypto/ssh"
)

// session is a channel with a shell, a command or a file transfer.
type session struct {
	c       *connection
	channel ssh.Channel
	environ []string // set by the client
	term    *terminal
	begun   bool

	mu        sync.Mutex
	process   Process // nil before the start and after the end
	abandoned bool
}

func (c *connection) serveSession(offered ssh.NewChannel) {
	channel, requests, err := offered.Accept()
	if err != nil {
		return
	}
	s := &session{c: c, channel: channel}
	c.mu.Lock()
	c.sessions[s] = true
	c.mu.Unlock()
	var work sync.WaitGroup
	for r := range requests {
		s.request(r, &work)
	}
	s.terminate(syscall.SIGHUP) // the client closed the channel, or the process ended and the server closed the channel
	work.Wait()
	c.mu.Lock()
	delete(c.sessions, s)
	c.mu.Unlock()
	if s.term != nil {
		s.term.close()
	}
	_ = channel.Close()
}

func (s *session) request(r *ssh.Request, work *sync.WaitGroup) {
	switch r.Type {
	case "pty-req":
		reply(r, s.openTerminal(r.Payload), nil)
	case "window-change":
		var w windowChange
		if s.term != nil && ssh.Unmarshal(r.Payload, &w) == nil {
			s.term.resize(w)
		}
	case "env":
		reply(r, s.setVariable(r.Payload), nil)
	case "signal":
		s.signal(r.Payload)
	case "shell":
		s.begin(r, work, func() { s.run(s.c.server.Shell) })
	case "exec":
		var command struct{ Text string }
		if ssh.Unmarshal(r.Payload, &command) != nil {
			reply(r, false, nil)
			return
		}
		s.begin(r, work, func() { s.run(s.c.server.Shell, "-c", command.Text) })
	case "subsystem":
		var subsystem struct{ Name string }
		if ssh.Unmarshal(r.Payload, &subsystem) != nil || subsystem.Name != "sftp" {
			reply(r, false, nil)
			return
		}
		s.begin(r, work, s.transferFiles)
	default:
		reply(r, false, nil)
	}
}

// begin starts the only action of a session. It rejects a second action.
func (s *session) begin(r *ssh.Request, work *sync.WaitGroup, action func()) {
	if s.begun {
		reply(r, false, nil)
		return
	}
	s.begun = true
	reply(r, true, nil)
	work.Go(action)
}

func (s *session) openTerminal(payload []byte) bool {
	if s.term != nil || s.begun {
		return false
	}
	term, err := openTerminal(payload)
	if err != nil {
		s.c.server.Log(err.Error())
		return false
	}
	s.term = term
	return true
}

// setVariable sets an environment variable that the client requests. It accepts
// only locale variables, like a typical sshd configuration. Variables of the
// task take precedence over requested variables.
func (s *session) setVariable(payload []byte) bool {
	var v struct{ Name, Value string }
	if ssh.Unmarshal(payload, &v) != nil || s.begun || strings.ContainsRune(v.Name+v.Value, 0) {
		return false
	}
	if v.Name != "LANG" && !strings.HasPrefix(v.Name, "LC_") {
		return false
	}
	s.environ = append(s.environ, v.Name+"="+v.Value)
	return true
}

func (s *session) signal(payload []byte) {
	var named struct{ Name string }
	if ssh.Unmarshal(payload, &named) != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if number, known := signalNames[named.Name]; known && s.process != nil {
		s.process.Signal(number)
	}
}

// terminate sends a signal to a running process. No process of the session starts
// afterwards.
func (s *session) terminate(signal syscall.Signal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.abandoned = true
	if s.process != nil {
		s.process.Signal(signal)
	}
}

// exit reports the end of the process to the client and closes the channel.
func (s *session) exit(code int, by syscall.Signal) {
	_ = s.channel.CloseWrite()
	name, known := signalName(by)
	switch {
	case by != 0 && known:
		_, _ = s.channel.SendRequest("exit-signal", false, ssh.Marshal(struct {
			Signal         string
			Core           bool
			Text, Language string
		}{Signal: name}))
	case by != 0:
		code = 128 + int(by)
		fallthrough
	default:
		_, _ = s.channel.SendRequest("exit-status", false, ssh.Marshal(struct{ Code uint32 }{uint32(code)}))
	}
	_ = s.channel.Close()
}

// openChannel is a channel that the file server cannot fully close. The
// client must still receive the exit status.
type openChannel struct{ ssh.Channel }

// Close closes only the write side of the channel.
func (c openChannel) Close() error { return c.CloseWrite() }

// transferFiles serves sftp, which scp and sshfs also use. Relative paths start
// in the working directory of sessions.
func (s *session) transferFiles() {
	server, err := sftp.NewServer(openChannel{s.channel}, sftp.WithServerWorkingDirectory(s.c.server.Dir))
	if err == nil {
		err = server.Serve()
	}
	code := 0
	if err != nil && !errors.Is(err, io.EOF) {
		code = 1
	}
	s.exit(code, 0)
}
