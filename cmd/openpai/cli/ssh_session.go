// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/crypto/ssh"
	"golang.org/x/term"
)

// sshSession is a shell or a command in a task.
type sshSession struct {
	streams *Streams
	client  *ssh.Client
	tty     bool // request a remote terminal if the local side has a terminal
}

// run returns the remote exit code as an error.
func (s *sshSession) run(ctx context.Context, command string) error {
	session, err := s.client.NewSession()
	if err != nil {
		return fmt.Errorf("open a session: %w", err)
	}
	leave, err := s.terminal(session)
	if err != nil {
		return err
	}
	defer leave()
	stop := context.AfterFunc(ctx, func() { _ = s.client.Close() })
	defer stop()
	if err := s.start(session, command); err != nil {
		return fmt.Errorf("start the session: %w", err)
	}
	err = session.Wait()
	var exit *ssh.ExitError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &exit):
		return exitWith(exit.ExitStatus())
	case err != nil:
		return fmt.Errorf("the connection to the task was lost: %w", err)
	}
	return nil
}

func (s *sshSession) start(session *ssh.Session, command string) error {
	session.Stdout, session.Stderr = s.streams.out, s.streams.err
	in, err := session.StdinPipe()
	if err != nil {
		return err
	}
	if command == "" {
		err = session.Shell()
	} else {
		err = session.Start(command)
	}
	if err != nil {
		return err
	}
	go func() { // reading stdin may block until the user presses a key
		_, _ = io.Copy(in, s.streams.in)
		_ = in.Close()
	}()
	return nil
}

// terminal connects a remote terminal to the terminal of this process, if there is
// one. leave restores the local terminal.
func (s *sshSession) terminal(session *ssh.Session) (leave func(), err error) {
	file, isFile := s.streams.in.(*os.File)
	if !s.tty || !isFile || !isTerminal(file) {
		return func() {}, nil
	}
	fd := int(file.Fd())
	width, height, err := term.GetSize(fd)
	if err != nil {
		width, height = 80, 24
	}
	if err := session.RequestPty(cmp.Or(os.Getenv("TERM"), "xterm"), height, width, ssh.TerminalModes{}); err != nil {
		return nil, fmt.Errorf("allocate a terminal in the task: %w", err)
	}
	before, err := term.MakeRaw(fd)
	if err != nil {
		return nil, fmt.Errorf("use the terminal: %w", err)
	}
	resized := onResize(func() {
		if width, height, err := term.GetSize(fd); err == nil {
			_ = session.WindowChange(height, width)
		}
	})
	return func() {
		resized()
		_ = term.Restore(fd, before)
	}, nil
}
