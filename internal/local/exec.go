// SPDX-License-Identifier: MPL-2.0

package local

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net"
	"slices"
	"strconv"
	"strings"

	gossh "golang.org/x/crypto/ssh"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/internal/local/task"
	"github.com/openpai/terraform-provider-openpai/internal/shellquote"
	"github.com/openpai/terraform-provider-openpai/internal/ssh"
)

// terminalKind is the TERM value of a requested terminal.
const terminalKind = "xterm"

// Exec implements cluster.Executor. The runtime of the task starts the command with
// the mounts, the environment and the working directory of the task.
func (c *Cluster) Exec(ctx context.Context, r cluster.ExecRequest) (int, error) {
	dir, err := c.runningTask(r.Framework, r.Role, r.Index)
	if err != nil {
		return 0, err
	}
	client, err := ssh.DialPrivate(ctx, dir.Sessions())
	if errors.Is(err, fs.ErrNotExist) {
		return 0, cluster.NotFound("task %s[%d] does not accept sessions: wait until the task has started, or run the job again if an older version of openpai started the job", r.Role, r.Index)
	}
	if err != nil {
		return 0, fmt.Errorf("task %s[%d]: %w", r.Role, r.Index, err)
	}
	defer func() { _ = client.Close() }()
	stop := context.AfterFunc(ctx, func() { _ = client.Close() })
	defer stop()
	code, err := runSession(client, r)
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return code, err
}

func runSession(client *gossh.Client, r cluster.ExecRequest) (int, error) {
	session, err := client.NewSession()
	if err != nil {
		return 0, fmt.Errorf("open a session: %w", err)
	}
	defer func() { _ = session.Close() }()
	session.Stdout, session.Stderr = r.Stdout, r.Stderr
	in, err := session.StdinPipe()
	if err == nil {
		err = requestTerminal(session, r)
	}
	if err == nil {
		err = session.Start(commandLine(r.Command))
	}
	if err != nil {
		return 0, fmt.Errorf("start the session: %w", err)
	}
	go func() { // the copy of stdin may block until the user presses a key
		if r.Stdin != nil {
			_, _ = io.Copy(in, r.Stdin)
		}
		_ = in.Close()
	}()
	err = session.Wait()
	var exit *gossh.ExitError
	if errors.As(err, &exit) {
		return exit.ExitStatus(), nil
	}
	if err != nil {
		return 0, fmt.Errorf("the connection to the task was lost: %w", err)
	}
	return 0, nil
}

// requestTerminal allocates a terminal that is resized whenever the local
// terminal is resized.
func requestTerminal(session *gossh.Session, r cluster.ExecRequest) error {
	if !r.Terminal {
		return nil
	}
	size := r.Size()
	if size == nil {
		return nil
	}
	if err := session.RequestPty(terminalKind, int(size.Height), int(size.Width), gossh.TerminalModes{}); err != nil {
		return fmt.Errorf("allocate a terminal in the task: %w", err)
	}
	go func() {
		for size := r.Size(); size != nil; size = r.Size() {
			_ = session.WindowChange(int(size.Height), int(size.Width)) // fails only if the session has ended
		}
	}()
	return nil
}

// commandLine quotes arguments for the task's shell.
func commandLine(argv []string) string {
	words := make([]string, len(argv))
	for i, a := range argv {
		words[i] = shellquote.Word(a)
	}
	return strings.Join(words, " ")
}

// Port implements cluster.Forwarder. Tasks listen on the local machine.
func (c *Cluster) Port(_ context.Context, framework, role string, index int, port string) (*cluster.TaskPort, error) {
	dir, err := c.runningTask(framework, role, index)
	if err != nil {
		return nil, err
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		var l task.Launch
		if err := store.ReadJSON(dir.Launch(), &l); err != nil {
			return nil, err
		}
		numbers := l.Self.Ports[port]
		if len(numbers) == 0 {
			return nil, cluster.NoPort(role, index, port, slices.Collect(maps.Keys(l.Self.Ports)))
		}
		number = numbers[0]
	}
	address := net.JoinHostPort(task.Address, strconv.Itoa(number))
	return &cluster.TaskPort{Number: number, Dial: func(ctx context.Context) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "tcp", address)
	}}, nil
}
