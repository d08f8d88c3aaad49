// SPDX-License-Identifier: MPL-2.0

//go:build unix

package ssh

import (
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// drainTimeout is how long to wait for more output after a process has ended.
// The wait is limited because another process may keep the output open.
const drainTimeout = 200 * time.Millisecond

// run runs a program and reports its end to the client.
func (s *session) run(argv ...string) {
	start := s.runPiped
	if s.term != nil {
		start = s.runInTerminal
	}
	code, by, err := start(argv)
	if err != nil {
		s.c.server.Log("an ssh session could not start: " + err.Error())
		_, _ = io.WriteString(s.channel.Stderr(), err.Error()+"\n")
		code, by = 126, 0
	}
	s.exit(code, by)
}

// start starts a process of the session. It closes files, even after an error.
// The files remain open only in the new process.
func (s *session) start(argv []string, files []*os.File) (Process, error) {
	defer func() {
		for _, f := range files {
			_ = f.Close()
		}
	}()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.abandoned {
		return nil, net.ErrClosed
	}
	p, err := s.c.server.Start(Command{
		Argv: argv, Environ: s.variables(), Dir: s.c.server.Dir, Files: files, Terminal: s.term != nil,
	})
	if err != nil {
		return nil, err
	}
	s.process = p
	return p, nil
}

// wait returns the exit code or signal of the process. Afterward, the session
// does not send signals to the PID.
func (s *session) wait(p Process) (int, syscall.Signal) {
	code, by := p.Wait()
	s.mu.Lock()
	s.process = nil
	s.mu.Unlock()
	return code, by
}

func (s *session) runInTerminal(argv []string) (int, syscall.Signal, error) {
	master := s.term.master
	slave := s.term.slave
	p, err := s.start(argv, []*os.File{slave, slave, slave})
	if err != nil {
		return 0, 0, err
	}
	go func() { _, _ = io.Copy(master, s.channel) }()
	out := copyOutput(master, s.channel)
	code, by := s.wait(p)
	out.finish()
	return code, by, nil
}

func (s *session) runPiped(argv []string) (int, syscall.Signal, error) {
	var ours, theirs [3]*os.File
	for i := range ours {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll(ours[:i])
			closeAll(theirs[:i])
			return 0, 0, err
		}
		ours[i], theirs[i] = r, w
	}
	ours[0], theirs[0] = theirs[0], ours[0] // the process reads the first pipe
	defer closeAll(ours[:])
	p, err := s.start(argv, theirs[:])
	if err != nil {
		return 0, 0, err
	}
	go func() {
		_, _ = io.Copy(ours[0], s.channel)
		_ = ours[0].Close()
	}()
	out, errs := copyOutput(ours[1], s.channel), copyOutput(ours[2], s.channel.Stderr())
	code, by := s.wait(p)
	out.finish()
	errs.finish()
	return code, by, nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close()
	}
}

// variables returns the variables of the task and of the connection. If both
// set a variable, the value from the task takes precedence.
func (s *session) variables() []string {
	task := s.c.server.Environ()
	own := map[string]bool{}
	for _, entry := range task {
		name, _, _ := strings.Cut(entry, "=")
		own[name] = true
	}
	all := append([]string{}, task...)
	for _, entry := range s.connectionVariables() {
		if name, _, _ := strings.Cut(entry, "="); !own[name] {
			all = append(all, entry)
		}
	}
	if s.term != nil {
		all = append(all, "TERM="+s.term.kind)
	}
	return all
}

func (s *session) connectionVariables() []string {
	all := append([]string{"SHELL=" + s.c.server.Shell}, s.environ...)
	if home, err := os.UserHomeDir(); err == nil {
		all = append(all, "HOME="+home)
	}
	if s.term != nil {
		all = append(all, "SSH_TTY="+s.term.slave.Name())
	}
	client, clientPort, err := net.SplitHostPort(s.c.conn.RemoteAddr().String())
	if err != nil {
		return all
	}
	host, port, err := net.SplitHostPort(s.c.conn.LocalAddr().String())
	if err != nil {
		return all
	}
	return append(all, "SSH_CLIENT="+client+" "+clientPort+" "+port, "SSH_CONNECTION="+client+" "+clientPort+" "+host+" "+port)
}

// output copies the output of a process.
type output struct {
	from  *os.File
	ended atomic.Bool
	done  sync.WaitGroup
}

func copyOutput(from *os.File, to io.Writer) *output {
	o := &output{from: from}
	o.done.Go(func() { o.copy(to) })
	return o
}

// copy copies the output until the pipe is closed or the client disconnects.
// After the process has ended, copy also stops after drainTimeout without
// output.
func (o *output) copy(to io.Writer) {
	buf := make([]byte, 32<<10)
	for waiting := false; ; {
		n, err := o.from.Read(buf)
		if n > 0 {
			if _, err := to.Write(buf[:n]); err != nil {
				return
			}
		}
		silent := errors.Is(err, os.ErrDeadlineExceeded)
		if err != nil && (!silent || waiting) {
			return
		}
		if waiting = o.ended.Load(); waiting {
			_ = o.from.SetReadDeadline(time.Now().Add(drainTimeout))
		}
	}
}

// finish waits until the output is complete. Call finish after the process has
// ended. The order of the statements matters: once ended is true, copy sets a
// later deadline. finish must not overwrite this deadline.
func (o *output) finish() {
	_ = o.from.SetReadDeadline(time.Unix(1, 0))
	o.ended.Store(true)
	o.done.Wait()
}
