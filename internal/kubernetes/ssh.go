// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"
	"encoding/base64"
	"fmt"
	"net"
	"slices"
	"strconv"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/internal/ssh"
)

// SSH implements cluster.SSHCluster. Connections to tasks go through the API server.
// The submitted Framework and the Pod UIDs determine which tasks have an ssh
// service, and their ports.
func (c *Cluster) SSH(ctx context.Context, name string) (*cluster.SSHAccess, error) {
	r, err := c.knownRecord(ctx, name)
	if err != nil {
		return nil, err
	}
	fw, err := c.framework(ctx, name)
	if err != nil {
		return nil, err
	}
	access := &cluster.SSHAccess{}
	if !slices.ContainsFunc(fw.Spec.TaskRoles, hasSSH) {
		return access, nil
	}
	if access.Key, err = c.jobKey(ctx, name); err != nil {
		return nil, err
	}
	statuses, err := roleStatuses(fw)
	if err != nil {
		return nil, err
	}
	for _, role := range fw.Spec.TaskRoles {
		if !hasSSH(role) {
			continue
		}
		for _, t := range statuses[role.Name].TaskStatuses {
			if t.State == framework.StateAttemptRunning && t.AttemptStatus.PodUID != nil {
				access.Tasks = append(access.Tasks, c.sshTask(role, r.declaredRole(role.Name), t))
			}
		}
	}
	return access, nil
}

// hasSSH reports whether the tasks of a role have an ssh service. Only tasks with
// this service receive the key of the job.
func hasSSH(role framework.TaskRole) bool {
	return slices.ContainsFunc(role.Task.Pod.Spec.Volumes, func(v framework.Volume) bool {
		return v.Secret != nil && slices.ContainsFunc(v.Secret.Items, func(i framework.KeyToPath) bool { return i.Key == contract.SecretJobKey })
	})
}

func (c *Cluster) sshTask(role framework.TaskRole, written string, t framework.TaskStatus) cluster.SSHTask {
	port := sshPort(role, int(t.Index), *t.AttemptStatus.PodUID)
	pod := t.AttemptStatus.PodName
	names := []string{fmt.Sprintf("%s-%d", role.Name, t.Index)}
	if written != role.Name {
		names = append(names, fmt.Sprintf("%s-%d", written, t.Index))
	}
	return cluster.SSHTask{
		Role: written, Index: int(t.Index),
		Peer: ssh.Peer{Names: names, Address: net.JoinHostPort(pod, strconv.Itoa(port))},
		Dial: func(ctx context.Context) (net.Conn, error) { return c.client.DialPod(ctx, pod, port) },
	}
}

// sshPort returns the ssh port that the runtime assigns to the task.
func sshPort(role framework.TaskRole, index int, podUID string) int {
	spec := portsOf(role)
	first := contract.PortCount{Count: max(1, spec.Ports[contract.PortSSH].Count), Start: spec.Ports[contract.PortSSH].Start}
	return first.Numbers(contract.PortSSH, podUID, index, spec.Start, spec.End)[0]
}

// jobKey reads the key that the owner of a job uses to log in.
func (c *Cluster) jobKey(ctx context.Context, name string) (*ssh.JobKey, error) {
	var o struct {
		Data map[string]string `json:"data"`
	}
	if err := c.get(ctx, api.Secrets, contract.JobSecret(name), &o); err != nil {
		return nil, err
	}
	text, err := base64.StdEncoding.DecodeString(o.Data[contract.SecretJobKey])
	if err != nil || len(text) == 0 {
		return nil, fmt.Errorf("read the Secret %s: it does not contain the ssh key of the job", contract.JobSecret(name))
	}
	return ssh.ParseJobKey(string(text))
}
