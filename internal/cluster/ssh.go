package cluster

import (
	"context"

	"github.com/openpai/terraform-provider-openpai/runtime/ssh"
)

// SSHAccess is how the owner of a job reaches its tasks.
type SSHAccess struct {
	Key *ssh.JobKey
	// Dir may hold the files of ssh clients. Only the owner can enter it, and
	// it goes with the job.
	Dir   string
	Tasks []SSHTask
}

// SSHTask is a task that runs and has an ssh service.
type SSHTask struct {
	Role  string // as written
	Index int
	ssh.Peer
}

// SSHCluster is a cluster whose tasks can be reached from this machine.
type SSHCluster interface {
	// SSH returns the tasks of a job that can be reached now, roles in the
	// order of the job. It fails with ErrNotFound when there is no such job.
	SSH(ctx context.Context, framework string) (*SSHAccess, error)
}
