// SPDX-License-Identifier: MPL-2.0

package cluster

import (
	"context"
	"net"

	xssh "golang.org/x/crypto/ssh"

	"github.com/openpai/terraform-provider-openpai/internal/ssh"
)

// SSHAccess describes how the owner of a job connects to its tasks.
type SSHAccess struct {
	Key *ssh.JobKey
	// Dir is a directory for ssh client files. Only the owner can access it, and
	// it is deleted with the job. If Dir is empty, other ssh clients cannot
	// connect to the tasks.
	Dir   string
	Tasks []SSHTask
}

// SSHTask is a running task with an ssh service.
type SSHTask struct {
	Role  string // as declared
	Index int
	ssh.Peer
	// Dial connects to a service whose address is not reachable over the
	// network. It is nil if the address is reachable.
	Dial func(context.Context) (net.Conn, error)
}

// Login logs in to a task with the key of its job. It fails with
// syscall.ECONNREFUSED if the service is not running yet.
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

// SSHCluster is a cluster whose tasks can accept ssh logins from this machine.
type SSHCluster interface {
	// SSH returns the tasks that currently accept logins, in role order. It
	// fails with ErrNotFound if the job does not exist.
	SSH(ctx context.Context, framework string) (*SSHAccess, error)
}
