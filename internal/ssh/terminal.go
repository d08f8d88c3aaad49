// SPDX-License-Identifier: MPL-2.0

//go:build unix

package ssh

import (
	"fmt"
	"os"

	"github.com/creack/pty"
	"golang.org/x/crypto/ssh"
	"golang.org/x/sys/unix"
)

// terminal is a pseudo-terminal of a session.
type terminal struct {
	master, slave *os.File
	kind          string // TERM
}

// ptyRequest and windowChange are the payloads of requests (RFC 4254, sections 6.2
// and 6.7).
type ptyRequest struct {
	Term          string
	Columns, Rows uint32
	Width, Height uint32 // in pixels
	Modes         string
}

type windowChange struct {
	Columns, Rows, Width, Height uint32
}

// openTerminal opens a pseudoterminal for a session. It ignores the requested
// terminal modes, because clients configure their own terminals.
func openTerminal(payload []byte) (*terminal, error) {
	var r ptyRequest
	if err := ssh.Unmarshal(payload, &r); err != nil {
		return nil, fmt.Errorf("read the terminal request: %w", err)
	}
	blocking, slave, err := pty.Open()
	if err != nil {
		return nil, fmt.Errorf("open a terminal: %w", err)
	}
	defer func() { _ = blocking.Close() }()
	t := &terminal{slave: slave, kind: r.Term}
	if t.master, err = pollable(blocking); err != nil {
		_ = slave.Close()
		return nil, fmt.Errorf("open a terminal: %w", err)
	}
	t.resize(windowChange{r.Columns, r.Rows, r.Width, r.Height})
	return t, nil
}

// pollable returns a non-blocking copy: its reads support deadlines and end
// when it is closed.
func pollable(f *os.File) (*os.File, error) {
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	if err := unix.SetNonblock(fd, true); err != nil {
		_ = unix.Close(fd)
		return nil, err
	}
	return os.NewFile(uintptr(fd), f.Name()), nil
}

func (t *terminal) resize(w windowChange) {
	raw, err := t.master.SyscallConn()
	if err != nil {
		return
	}
	size := &unix.Winsize{Row: uint16(w.Rows), Col: uint16(w.Columns), Xpixel: uint16(w.Width), Ypixel: uint16(w.Height)}
	_ = raw.Control(func(fd uintptr) { _ = unix.IoctlSetWinsize(int(fd), unix.TIOCSWINSZ, size) })
}

func (t *terminal) close() {
	_ = t.slave.Close()
	_ = t.master.Close()
}
