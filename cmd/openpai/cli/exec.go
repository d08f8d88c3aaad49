package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
)

type execOptions struct {
	streams   *Streams
	workspace workspaceFlags
	job       []string
	role      string
	index     int
	tty       bool
}

func newExecCmd(s *Streams) *cobra.Command {
	o := &execOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "exec [PATH] [ADDRESS] [TASK] -- COMMAND [ARGUMENT...]",
		Short: "Run a command in a task",
		Long: dedent(`
			Runs a command in a task that runs, also in one that a debug hook holds. The
			task needs no plugin for it. Input, output and, with -t, the terminal are
			passed on.

			On Kubernetes the command runs in the container of the task, through the API
			server; the image needs the command, and what prerequisites export is not in
			its environment. On the local cluster it has the mounts, the environment and
			the directory of the task, exports included.

			Exit codes: that of the command; 125 when the tool itself failed.

			    openpai exec job.train worker:0 -- hostname
			    openpai exec -t job.train worker:0 -- bash`),
		Annotations: map[string]string{annotationFailure: "tool"},
		Args: func(cmd *cobra.Command, args []string) error {
			n := cmd.ArgsLenAtDash()
			if n < 0 || n == len(args) {
				return errors.New(`no command is given; write it after --, as in: openpai exec -- hostname`)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			n := cmd.ArgsLenAtDash()
			if err := o.workspace.take(args[:n]); err != nil {
				return err
			}
			ctx, stop := interruptible(cmd)
			defer stop()
			return o.run(ctx, args[n:])
		},
	}
	o.workspace.register(cmd)
	o.workspace.registerRemote(cmd)
	o.workspace.acceptAddresses(&o.job)
	o.workspace.acceptTask(&o.role, &o.index)
	flags := cmd.Flags()
	flags.StringArrayVar(&o.job, "job", nil, "the job with that `ADDRESS` or label; needed when several run")
	flags.StringVar(&o.role, "role", "", "a task of this task `ROLE`; needed when there are several")
	flags.IntVar(&o.index, "index", 0, "the task with this `INDEX` in its role")
	flags.BoolVarP(&o.tty, "tty", "t", false, "give the command a terminal")
	return cmd
}

func (o *execOptions) run(ctx context.Context, command []string) error {
	jobs, err := o.workspace.chosen(ctx, o.streams, o.job)
	if err != nil {
		return err
	}
	job, err := onlyRunning(jobs)
	if err != nil {
		return err
	}
	executor, ok := job.Cluster.(cluster.Executor)
	if !ok {
		return fmt.Errorf("%s runs on a cluster whose tasks take no commands", job.Address)
	}
	role, err := chosenRole(ctx, job, o.role)
	if err != nil {
		return err
	}
	r := cluster.ExecRequest{
		Framework: job.Framework, Role: role, Index: o.index, Command: command,
		Stdin: o.streams.in, Stdout: o.streams.out, Stderr: o.streams.err,
	}
	leave, err := o.terminal(&r)
	if err != nil {
		return err
	}
	code, err := executor.Exec(ctx, r)
	leave()
	if err != nil {
		return fmt.Errorf("%s: %w", job.Address, err)
	}
	return exitWith(code)
}

// onlyRunning returns the only job that is not finished.
func onlyRunning(jobs []operation.Job) (*operation.Job, error) {
	var running []*operation.Job
	var names []string
	for i, j := range jobs {
		if !j.State.Finished() {
			running = append(running, &jobs[i])
			names = append(names, string(j.Address))
		}
	}
	switch len(running) {
	case 0:
		return nil, errors.New("no job runs; a task can be reached while it runs")
	case 1:
		return running[0], nil
	}
	return nil, fmt.Errorf("several jobs run: %s. Choose one with --job", strings.Join(names, ", "))
}

// chosenRole returns the role that was named, or the only one.
func chosenRole(ctx context.Context, job *operation.Job, named string) (string, error) {
	if named != "" {
		return named, nil
	}
	st, err := job.Status(ctx)
	if err != nil {
		return "", err
	}
	var names []string
	for _, r := range st.TaskRoles {
		names = append(names, r.Name)
	}
	if len(names) != 1 {
		return "", fmt.Errorf("%s has the task roles %s; choose one with --role", job.Address, strings.Join(names, ", "))
	}
	return names[0], nil
}

// terminal passes the terminal of this side on, if there is one and -t asks
// for it, and returns what gives it back.
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
		default: // a change is told of already
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

// sizeOf is the size of a terminal, or that of the oldest ones.
func sizeOf(fd int) *cluster.TerminalSize {
	width, height, err := term.GetSize(fd)
	if err != nil {
		width, height = 80, 24
	}
	return &cluster.TerminalSize{Width: uint16(width), Height: uint16(height)}
}
