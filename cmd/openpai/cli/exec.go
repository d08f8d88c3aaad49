// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

type execOptions struct {
	streams   *Streams
	workspace workspaceFlags
	task      runningTask
	tty       bool
}

var errNoCommand = errors.New(`missing command: pass it after --, for example: openpai exec -- hostname`)

// shell starts the interactive shell of the image: bash if present, else sh.
var shell = []string{"sh", "-c", "if command -v bash >/dev/null 2>&1; then exec bash; fi; exec sh"}

func newExecCmd(s *Streams) *cobra.Command {
	o := &execOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "exec [PATH] [ADDRESS] [TASK] [-- COMMAND [ARGUMENT...]]",
		Short: "Run a command in a task",
		Long: dedent(`
			Run a command in a running task, including a task held by a debug hook.
			Without a TASK, the command runs in the first held task or, if no task is
			held, in the first running task. The task does not need a plugin. openpai
			forwards input, output and, with -t, the terminal. Without a COMMAND, exec
			starts a shell, which requires a terminal.

			On Kubernetes, the command runs in the task's container, through the API
			server. The image must contain the command. The variables that
			prerequisites export are not set. On the local cluster, the command uses
			the mounts, the working directory and the environment of the task,
			including exported variables.

			Exit codes: the exit code of the command; 125 when openpai itself fails; 130
			interrupted.

			    openpai exec job.train worker:0
			    openpai exec job.train worker:0 -- hostname
			    openpai exec -t job.train worker:0 -- bash`),
		Annotations: map[string]string{annotationFailure: "tool"},
		Args: func(cmd *cobra.Command, args []string) error {
			n := cmd.ArgsLenAtDash()
			if n == len(args) {
				return errNoCommand
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			command := shell
			if n := cmd.ArgsLenAtDash(); n >= 0 {
				args, command = args[:n], args[n:]
			} else if o.tty = true; !s.interactive {
				return errNoCommand
			}
			if err := o.workspace.take(args); err != nil {
				return err
			}
			ctx, stop := interruptible(cmd)
			defer stop()
			return o.run(ctx, command)
		},
	}
	o.task.register(cmd, &o.workspace, "the job has several")
	flags := cmd.Flags()
	flags.BoolVarP(&o.tty, "tty", "t", false, "allocate a terminal for the command")
	return cmd
}

func (o *execOptions) run(ctx context.Context, command []string) error {
	job, err := o.task.runningJob(ctx, &o.workspace, o.streams)
	if err != nil {
		return err
	}
	executor, ok := job.Cluster.(cluster.Executor)
	if !ok {
		return fmt.Errorf("%s runs on a cluster that cannot run commands in tasks", job.Address)
	}
	if err := o.task.complete(ctx, job, o.streams.err); err != nil {
		return err
	}
	r := cluster.ExecRequest{
		Framework: job.Framework, Role: o.task.role, Index: o.task.index, Command: command,
		Stdin: o.streams.in, Stdout: o.streams.out, Stderr: o.streams.err,
	}
	leave, err := o.terminal(&r)
	if err != nil {
		return err
	}
	code, err := executor.Exec(ctx, r)
	leave()
	if err != nil {
		return o.task.explain(ctx, job, err)
	}
	return exitWith(code)
}

// terminal connects the local terminal if this process has a terminal and -t is set.
// leave restores the terminal.
func (o *execOptions) terminal(r *cluster.ExecRequest) (leave func(), err error) {
	file, isFile := o.streams.in.(*os.File)
	if !o.tty || !isFile || !isTerminal(file) {
		return func() {}, nil
	}
	fd := int(file.Fd())
	before, err := term.MakeRaw(fd)
	if err != nil {
		return nil, fmt.Errorf("use the terminal: %w", err)
	}
	changed := make(chan struct{}, 1)
	changed <- struct{}{}
	resized := onResize(func() {
		select {
		case changed <- struct{}{}:
		default: // a change is already pending
		}
	})
	r.Terminal = true
	closed := make(chan struct{})
	r.Size = func() *cluster.TerminalSize {
		select {
		case <-changed:
			return sizeOf(fd)
		case <-closed:
			return nil
		}
	}
	return func() {
		resized()
		close(closed)
		_ = term.Restore(fd, before)
	}, nil
}

// sizeOf returns 80x24 if the terminal does not report its size.
func sizeOf(fd int) *cluster.TerminalSize {
	width, height, err := term.GetSize(fd)
	if err != nil {
		width, height = 80, 24
	}
	return &cluster.TerminalSize{Width: uint16(width), Height: uint16(height)}
}
