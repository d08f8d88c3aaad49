// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
)

type forwardOptions struct {
	streams   *Streams
	workspace workspaceFlags
	task      runningTask
	local     int
}

func newForwardCmd(s *Streams) *cobra.Command {
	o := &forwardOptions{streams: s}
	cmd := &cobra.Command{
		Use:   "forward [PATH] [ADDRESS] [TASK] PORT",
		Short: "Forward a local port to a task",
		Long: dedent(`
			Listen on the local loopback address and forward every connection to a port
			of a running task, such as the TensorBoard or Jupyter port. PORT is a number
			or a port label of the task role. Without a TASK, the command selects the
			first held task or, if no task is held, the first running task. On
			Kubernetes, connections pass through the API server. After the task is
			retried, connections go to the new attempt. The command ends when the task
			ends.

			Exit codes: 0 the task ended, 1 error, 130 interrupted.

			    openpai forward job.train http
			    openpai forward job.train worker:1 8888 --port 8888`),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("missing PORT: pass a number or a label, for example: openpai forward job.train http")
			}
			if last := args[len(args)-1]; kindOf(last) != argumentPath {
				return fmt.Errorf("missing PORT after %q: pass a number or a port label of the task role; --port sets the local port", last)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			last := len(args) - 1
			if err := o.workspace.take(args[:last]); err != nil {
				return err
			}
			ctx, stop := interruptible(cmd)
			defer stop()
			return o.run(ctx, args[last])
		},
	}
	o.task.register(cmd, &o.workspace, "the job has several")
	flags := cmd.Flags()
	flags.IntVar(&o.local, "port", 0, "local `PORT`; 0 chooses a free port")
	return cmd
}

// forwarding passes connections to a port of one task.
type forwarding struct {
	streams     *Streams
	job         *operation.Job
	cluster     cluster.Forwarder
	role        string
	index       int
	port        string
	connections sync.WaitGroup
}

func (o *forwardOptions) run(ctx context.Context, port string) error {
	if n, err := strconv.Atoi(port); err == nil && (n < 1 || n > 65535) {
		return fmt.Errorf("invalid port %d: must be between 1 and 65535, or a label", n)
	}
	if strings.Contains(port, ":") {
		return fmt.Errorf("invalid PORT %q: pass a number or a port label of the task role; --port sets the local port", port)
	}
	if o.local < 0 || o.local > 65535 {
		return fmt.Errorf("invalid --port %d: must be between 0 and 65535", o.local)
	}
	job, err := o.task.runningJob(ctx, &o.workspace, o.streams)
	if err != nil {
		return err
	}
	forwarder, ok := job.Cluster.(cluster.Forwarder)
	if !ok {
		return fmt.Errorf("%s runs on a cluster that cannot forward task ports", job.Address)
	}
	if err := o.task.complete(ctx, job, o.streams.err); err != nil {
		return err
	}
	f := &forwarding{streams: o.streams, job: job, cluster: forwarder, role: o.task.role, index: o.task.index, port: port}
	target, err := f.target(ctx)
	if err != nil {
		return o.task.explain(ctx, job, err)
	}
	return f.listen(ctx, target.Number, o.local)
}

// taskPoll is the interval between checks of the task's status. It affects only how
// soon the command exits after the task ends.
const taskPoll = 2 * time.Second

// listen forwards a local port until the task ends or the context is canceled.
func (f *forwarding) listen(ctx context.Context, number, local int) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(local)))
	if errors.Is(err, syscall.EADDRINUSE) && local != 0 {
		return fmt.Errorf("local port %d is in use; choose a different port with --port, or omit --port", local)
	}
	if err != nil {
		return fmt.Errorf("listen on this machine: %w", err)
	}
	fmt.Fprintf(f.streams.out, "http://%s forwards to port %d of %s %s[%d]\n", listener.Addr(), number, f.job.Address, f.role, f.index)
	work, cancel := context.WithCancel(ctx)
	defer f.connections.Wait()
	defer cancel()
	f.connections.Go(func() { f.accept(work, listener) })
	defer func() { _ = listener.Close() }()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(taskPoll):
		}
		if over, err := f.over(ctx); over || err != nil {
			return err
		}
	}
}

func (f *forwarding) target(ctx context.Context) (*cluster.TaskPort, error) {
	return f.cluster.Port(ctx, f.job.Framework, f.role, f.index, f.port)
}

// over reports whether the task is finished and will not be retried.
func (f *forwarding) over(ctx context.Context) (bool, error) {
	st, err := f.job.Status(ctx)
	if err != nil {
		return false, err
	}
	for _, role := range st.TaskRoles {
		for i := range role.Tasks {
			if role.Name == f.role && role.Tasks[i].Index == f.index {
				return st.State.Finished() || planner.JobState(role.Tasks[i].State).Finished(), nil
			}
		}
	}
	return true, nil // removed by a rescale
}

func (f *forwarding) accept(ctx context.Context, listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		f.connections.Go(func() { f.serve(ctx, conn) })
	}
}

// serve forwards one connection to the attempt that is currently running.
func (f *forwarding) serve(ctx context.Context, conn net.Conn) {
	defer func() { _ = conn.Close() }()
	if err := f.pass(ctx, conn); err != nil && ctx.Err() == nil {
		fmt.Fprintf(f.streams.err, "%s: %v\n", f.job.Address, err)
	}
}

func (f *forwarding) pass(ctx context.Context, near net.Conn) error {
	target, err := f.target(ctx)
	if err != nil {
		return err
	}
	far, err := target.Dial(ctx)
	if err == nil {
		err = join(ctx, near, far)
	}
	if errors.Is(err, syscall.ECONNREFUSED) {
		return fmt.Errorf("nothing listens on port %d of %s[%d]", target.Number, f.role, f.index)
	}
	return err
}

// join returns after both connections are closed. It returns an error only if nothing
// listens on the remote port.
func join(ctx context.Context, near, far net.Conn) error {
	defer func() { _ = far.Close() }()
	stop := context.AfterFunc(ctx, func() { _, _ = near.Close(), far.Close() })
	defer stop()
	var sending sync.WaitGroup
	sending.Go(func() { _ = copyHalf(far, near) })
	err := copyHalf(near, far)
	if !errors.Is(err, syscall.ECONNREFUSED) {
		sending.Wait()
		return nil
	}
	_ = near.Close()
	sending.Wait()
	return err
}

// copyHalf copies data, then closes the write side of the destination.
func copyHalf(to, from net.Conn) error {
	_, err := io.Copy(to, from)
	if half, ok := to.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
	}
	return err
}
