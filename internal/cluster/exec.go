package cluster

import (
	"context"
	"io"
	"net"
)

// Executor is a cluster in whose tasks a command can be run.
type Executor interface {
	// Exec runs a command in the container of a task and returns its exit
	// code. A task that has not begun, or is over, is an ErrNotFound.
	Exec(ctx context.Context, r ExecRequest) (exitCode int, err error)
}

// Forwarder is a cluster of whose tasks the ports can be reached from this
// machine.
type Forwarder interface {
	// Port returns a port of a task that runs: its own by a label of its
	// role, any other by its number. A label that the role does not have, and a
	// task that has not begun or is over, is an ErrNotFound.
	Port(ctx context.Context, framework, role string, index int, port string) (*TaskPort, error)
}

// TaskPort is a port of a task as long as this attempt of it runs.
type TaskPort struct {
	Number int
	Dial   func(context.Context) (net.Conn, error)
}

// Releaser is a cluster where the hold of a task can be ended.
type Releaser interface {
	// Release ends the callback that holds a task and returns when it has ended.
	// A task that is not held is a stage.ErrNotHeld, one that does not run an
	// ErrNotFound.
	Release(ctx context.Context, framework, role string, index int) error
}

// ExecRequest is a command for one task.
type ExecRequest struct {
	Framework string
	Role      string // as written
	Index     int
	Command   []string

	// Stdin may be nil. With a terminal Stderr is not used.
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Terminal gives the command a terminal; Size is asked for its size
	// whenever it may have changed, and returns nil when there is none any
	// more.
	Terminal bool
	Size     func() *TerminalSize
}

// TerminalSize is that of a terminal in characters.
type TerminalSize struct{ Width, Height uint16 }
