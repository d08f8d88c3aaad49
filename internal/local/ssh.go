// SPDX-License-Identifier: MPL-2.0

package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/local/process"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/internal/local/task"
	"github.com/openpai/terraform-provider-openpai/internal/ssh"
)

// sshClientDir is the directory that contains the ssh client files in a job's
// secrets directory. A secret cannot have this name.
const sshClientDir = ".ssh"

// SSH implements cluster.SSHCluster.
func (c *Cluster) SSH(_ context.Context, name string) (*cluster.SSHAccess, error) {
	o, err := c.object(name)
	if err != nil {
		return nil, err
	}
	fw, _, err := o.Load()
	if err != nil {
		return nil, err
	}
	access := &cluster.SSHAccess{Dir: filepath.Join(c.layout.JobSecrets(name), sshClientDir)}
	text, err := os.ReadFile(filepath.Join(c.layout.JobSecrets(name), contract.SecretJobKey))
	if errors.Is(err, fs.ErrNotExist) {
		return access, nil // the job has no ssh service
	}
	if err != nil {
		return nil, fmt.Errorf("read the ssh key of Framework %s: %w", name, err)
	}
	if access.Key, err = ssh.ParseJobKey(string(text)); err != nil || fw.Status == nil {
		return access, err
	}
	attempt := fw.Status.AttemptStatus
	for _, role := range attempt.TaskRoleStatuses {
		for _, t := range role.TaskStatuses {
			dir := c.layout.TaskAttempt(name, attempt.ID, store.TaskKey{Role: role.Name, Index: t.Index}, t.AttemptStatus.ID)
			if task := sshTask(dir, &t); task != nil {
				access.Tasks = append(access.Tasks, *task)
			}
		}
	}
	return access, nil
}

// sshTask returns nil if the task is not running or has no ssh service.
func sshTask(dir store.TaskDir, t *framework.TaskStatus) *cluster.SSHTask {
	var p process.ID
	var l task.Launch
	if store.ReadJSON(dir.Process(), &p) != nil || !p.Alive() || store.ReadJSON(dir.Launch(), &l) != nil {
		return nil
	}
	role := task.RoleOf(&l)
	ports := l.Self.Ports[contract.PortSSH]
	if !role.SSH || len(ports) == 0 {
		return nil
	}
	names := []string{store.TaskKey{Role: role.Name, Index: t.Index}.String()}
	if role.Written != role.Name {
		names = append(names, role.Written+"-"+strconv.Itoa(int(t.Index)))
	}
	return &cluster.SSHTask{
		Role: role.Written, Index: int(t.Index),
		Peer: ssh.Peer{Names: names, Address: net.JoinHostPort(task.Address, strconv.Itoa(ports[0]))},
	}
}
