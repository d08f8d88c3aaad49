// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/internal/ssh"
)

type sshOptions struct {
	streams   *Streams
	workspace workspaceFlags
	choice    runningTask
	tty       bool
	config    bool
}

func newSSHCmd(s *Streams) *cobra.Command {
	o := &sshOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "ssh [PATH] [ADDRESS] [TASK] [-- COMMAND...]",
		Short: "Open a shell or run a command in a task",
		Long: dedent(`
			Open a shell or run a command in a running task that uses the ssh plugin.
			The shell or command has the environment of the task. ssh joins the words of
			the command with spaces, and the shell of the task interprets the result. If
			the task has not started yet, ssh waits for it. On Kubernetes, the
			connection passes through the API server. To run a command in a task without
			the ssh plugin, use "openpai exec".

			On the local cluster, --config instead prints the path of a configuration file
			for other ssh clients, for example: ssh -F "$(openpai ssh --config)" worker-0

			Exit codes: the exit code of the shell or command; 125 when openpai itself
			failed.

			    openpai ssh job.train worker:1
			    openpai ssh job.train -- nvidia-smi`),
		Annotations: map[string]string{annotationFailure: "tool"},
		Args:        cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			var command []string
			if n := cmd.ArgsLenAtDash(); n >= 0 {
				args, command = args[:n], args[n:]
			}
			if err := o.workspace.take(args); err != nil {
				return err
			}
			ctx, stop := interruptible(cmd)
			defer stop()
			return o.run(ctx, strings.Join(command, " "))
		},
	}
	o.choice.register(cmd, &o.workspace, "several roles have ssh")
	flags := cmd.Flags()
	flags.BoolVarP(&o.tty, "tty", "t", false, "allocate a terminal for the command")
	flags.BoolVar(&o.config, "config", false, "print the path of a configuration file for other ssh clients")
	return cmd
}

// askAgain is the interval between attempts to reach a service that is not
// running yet.
const askAgain = 100 * time.Millisecond

// notYet is a temporary error: the task has not started the service yet.
type notYet struct{ error }

func (o *sshOptions) run(ctx context.Context, command string) error {
	o.choice.index = max(o.choice.index, 0)
	for reported := false; ; {
		err := o.once(ctx, command)
		var early notYet
		if !errors.As(err, &early) {
			return err
		}
		if !reported {
			fmt.Fprintf(o.streams.err, "Waiting: %s\n", early.error)
			reported = true
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(askAgain):
		}
	}
}

func (o *sshOptions) once(ctx context.Context, command string) error {
	job, access, err := o.access(ctx)
	if err != nil {
		return err
	}
	if o.config {
		return o.writeConfig(job, access)
	}
	task, err := o.task(job, access.Tasks)
	if err != nil {
		return err
	}
	client, err := task.Login(ctx, access.Key)
	if errors.Is(err, syscall.ECONNREFUSED) {
		return notYet{fmt.Errorf("the ssh service of %s, task %s[%d], is not running yet", job.Address, task.Role, task.Index)}
	}
	if err != nil {
		return fmt.Errorf("%s, task %s[%d]: %w", job.Address, task.Role, task.Index, err)
	}
	defer func() { _ = client.Close() }()
	return (&sshSession{streams: o.streams, client: client, tty: o.tty || command == ""}).run(ctx, command)
}

func (o *sshOptions) writeConfig(job *operation.Job, access *cluster.SSHAccess) error {
	if access.Dir == "" {
		return fmt.Errorf("%s runs on Kubernetes, where other ssh clients cannot reach its tasks; remove --config", job.Address)
	}
	var peers []ssh.Peer
	for _, t := range access.Tasks {
		peers = append(peers, t.Peer)
	}
	name, err := ssh.WriteClientFiles(access.Dir, access.Key, peers)
	if err == nil {
		fmt.Fprintln(o.streams.out, name)
	}
	return err
}

// access returns the chosen job and the ssh access to its tasks.
func (o *sshOptions) access(ctx context.Context) (*operation.Job, *cluster.SSHAccess, error) {
	job, err := o.choice.runningJob(ctx, &o.workspace, o.streams)
	if err != nil {
		return nil, nil, err
	}
	reachable, ok := job.Cluster.(cluster.SSHCluster)
	if !ok {
		return nil, nil, fmt.Errorf("%s runs on a cluster that does not support ssh", job.Address)
	}
	access, err := reachable.SSH(ctx, job.Framework)
	if err != nil {
		return nil, nil, fmt.Errorf("find the tasks of %s: %w", job.Address, err)
	}
	switch {
	case access.Key == nil:
		return nil, nil, fmt.Errorf("%s has no ssh service; add the block: plugin \"ssh\" { parameters = { jobssh = true } }", job.Address)
	case len(access.Tasks) == 0:
		return nil, nil, notYet{fmt.Errorf("%s has no running task with an ssh service yet", job.Address)}
	}
	return job, access, nil
}

// task returns the chosen task. The task must run an ssh service.
func (o *sshOptions) task(job *operation.Job, tasks []cluster.SSHTask) (*cluster.SSHTask, error) {
	var known []string
	roles := map[string]bool{}
	for i, t := range tasks {
		known = append(known, fmt.Sprintf("%s[%d]", t.Role, t.Index))
		roles[t.Role] = true
		if o.choice.role == t.Role && o.choice.index == t.Index {
			return &tasks[i], nil
		}
	}
	if o.choice.role == "" && len(roles) == 1 {
		for i, t := range tasks {
			if t.Index == o.choice.index {
				return &tasks[i], nil
			}
		}
	}
	if o.choice.role == "" && len(roles) > 1 {
		return nil, fmt.Errorf("several task roles of %s run an ssh service: %s. Choose one with --role", job.Address, quantity.List(known, "task"))
	}
	wanted := operation.LogFilter{Role: o.choice.role, Index: o.choice.index}
	return nil, fmt.Errorf("%s of %s does not run an ssh service; available tasks: %s.%s", taskName(wanted), job.Address, quantity.List(known, "task"),
		hclspec.Suggest(o.choice.role, slices.Sorted(maps.Keys(roles))))
}
