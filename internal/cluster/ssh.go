package cluster

import (
	"context"
	"net"

	xssh "golang.org/x/crypto/ssh"

	"github.com/openpai/terraform-provider-openpai/internal/ssh"
)

// SSHAccess is how the owner of a job reaches its tasks.
type SSHAccess struct {
	Key *ssh.JobKey
	// Dir may hold the files of ssh clients. Only the owner can enter it, and
	// it goes with the job. Empty: there is none, and other clients do not
	// reach the tasks.
	Dir   string
	Tasks []SSHTask
}

// SSHTask is a task that runs and has an ssh service.
type SSHTask struct {
	Role  string // as written
	Index int
	ssh.Peer
	// Dial connects to the service where this machine does not reach its
	// address; nil: over the network.
	Dial func(context.Context) (net.Conn, error)
}

// Login logs in to a task with the key of its job. A service that does not run
// yet is a syscall.ECONNREFUSED.
func (t *SSHTask) Login(ctx context.Context, key *ssh.JobKey) (*xssh.Client, error) {
	if t.Dial == nil {
		return ssh.Dial(ctx, t.Address, key)
	}
	conn, err := t.Dial(ctx)
	if err != nil {
		return nil, err
	}
	return ssh.Login(ctx, conn, t.Address, key)
}

// SSHCluster is a cluster whose tasks can be logged in to from this machine.
type SSHCluster interface {
	// SSH returns the tasks of a job that can be reached now, roles in the
	// order of the job. It fails with ErrNotFound when there is no such job.
	SSH(ctx context.Context, framework string) (*SSHAccess, error)
}
