// SPDX-License-Identifier: MPL-2.0

package cluster

import (
	"context"
	"io"
	"net"
	"slices"

	"github.com/openpai/terraform-provider-openpai/internal/quantity"
)

// Executor is a cluster that can run commands in tasks.
type Executor interface {
	// Exec runs a command in a task's container and returns the command's exit
	// code. It fails with ErrNotFound if the task has not started or has ended.
	Exec(ctx context.Context, r ExecRequest) (exitCode int, err error)
}

// Forwarder is a cluster whose task ports can be reached from this machine.
type Forwarder interface {
	// Port returns a port of a running task. port is a label of the task's role
	// or a port number. Port fails with ErrNotFound if the role lacks the label
	// or the task is not running.
	Port(ctx context.Context, framework, role string, index int, port string) (*TaskPort, error)
}

// NoPort returns the error of [Forwarder.Port] for a label that does not exist.
// The argument known contains the labels of the role.
func NoPort(role string, index int, label string, known []string) error {
	slices.Sort(known)
	labels := "the role has no labeled ports"
	if len(known) > 0 {
		labels = "the labels are " + quantity.List(known, "label")
	}
	return NotFound("task %s[%d] has no port with the label %s; %s", role, index, label, labels)
}

// TaskPort is a port of a task. It is valid while the task's current attempt
// runs.
type TaskPort struct {
	Number int
	Dial   func(context.Context) (net.Conn, error)
}

// Releaser is a cluster on which a held task can be released.
type Releaser interface {
	// Release ends the callback that holds a task, and waits until the hold has
	// ended. It fails with stage.ErrNotHeld if the task is not held, and with
	// ErrNotFound if the task is not running.
	Release(ctx context.Context, framework, role string, index int) error
}

// ExecRequest is a command to run in one task.
type ExecRequest struct {
	Framework string
	Role      string // as declared
	Index     int
	Command   []string

	// Stdin may be nil. Stderr is not used if Terminal is set.
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Terminal requests a terminal for the command. The first call to Size returns
	// the terminal size. Each later call waits until the size changes, and returns
	// the new size. Size returns nil once the terminal is closed.
	Terminal bool
	Size     func() *TerminalSize
}

// TerminalSize is the size of a terminal in characters.
type TerminalSize struct{ Width, Height uint16 }
