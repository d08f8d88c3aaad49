// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/output"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
)

// logsSession shows the logs of a job instead of the table.
type logsSession struct {
	ctx       context.Context
	interrupt *interruptTarget
	streams   *Streams
	job       operation.Job
}

// Run implements tea.ExecCommand: it follows the logs until the user presses
// Ctrl-C. If the job finishes before Ctrl-C, Run waits until the user presses
// a key.
func (l *logsSession) Run() error {
	ctx, done := l.interrupt.only(l.ctx) // Ctrl-C ends the logs, not the table
	defer done()
	fmt.Fprintf(l.streams.err, "Logs of %s; press Ctrl-C to return.\n", l.job.Address)
	o := logsOptions{streams: l.streams, filter: operation.AllLogs(cluster.StreamAll), stream: string(cluster.StreamAll), follow: true}
	err := o.show(ctx, []operation.Job{l.job}, nil)
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		fmt.Fprintln(l.streams.err, output.Clean(err.Error()))
	}
	fmt.Fprintln(l.streams.err, "Press q or Ctrl-C to return.")
	return l.waitForKey(ctx, done)
}

// waitForKey waits for a key that returns to the table. It enters raw mode before
// it calls done. In raw mode, Ctrl-C is a key and not a signal. Every later signal
// is therefore sent by another process and ends the program.
func (l *logsSession) waitForKey(ctx context.Context, done func()) error {
	leave, err := rawInput(l.streams.in)
	if err != nil {
		return err
	}
	defer leave()
	if ctx.Err() != nil {
		return nil
	}
	done()
	read := make(chan error, 1)
	go func() { read <- readReturnKey(l.streams.in) }()
	select {
	case err := <-read:
		return err
	case <-l.ctx.Done(): // the pending read lasts until the program exits
		return nil
	}
}

// rawInput puts the terminal into raw mode until leave is called.
func rawInput(in io.Reader) (leave func(), err error) {
	file, isFile := in.(*os.File)
	if !isFile {
		return nil, errors.New("the input is not a terminal")
	}
	before, err := term.MakeRaw(int(file.Fd()))
	if err != nil {
		return nil, fmt.Errorf("use the terminal: %w", err)
	}
	return func() { _ = term.Restore(int(file.Fd()), before) }, nil
}

// readReturnKey reads until q, Esc, Enter or Ctrl-C. Keys such as arrows send a
// sequence that begins with Esc, which readReturnKey ignores.
func readReturnKey(in io.Reader) error {
	keys := make([]byte, 64)
	for {
		n, err := in.Read(keys)
		if err != nil {
			return err
		}
		if got := string(keys[:n]); got == "\x1b" || got != "" && got[0] != '\x1b' && strings.ContainsAny(got, "q\r\n\x03") {
			return nil
		}
	}
}

// SetStdin implements tea.ExecCommand. It does nothing, because the session uses the
// command's streams.
func (l *logsSession) SetStdin(io.Reader) {}

// SetStdout implements tea.ExecCommand.
func (l *logsSession) SetStdout(io.Writer) {}

// SetStderr implements tea.ExecCommand.
func (l *logsSession) SetStderr(io.Writer) {}
