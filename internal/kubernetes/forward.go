// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"
	"encoding/json"
	"maps"
	"net"
	"slices"
	"strconv"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

// Port implements cluster.Forwarder through the API server.
func (c *Cluster) Port(ctx context.Context, name, role string, index int, port string) (*cluster.TaskPort, error) {
	found, err := c.runningTask(ctx, name, role, index)
	if err != nil {
		return nil, err
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		if number, err = c.labeledPort(ctx, found, port); err != nil {
			return nil, err
		}
	}
	pod := found.task.AttemptStatus.PodName
	return &cluster.TaskPort{Number: number, Dial: func(ctx context.Context) (net.Conn, error) {
		return c.client.DialPod(ctx, pod, number)
	}}, nil
}

// labeledPort returns the first port that the runtime assigns to a label.
func (c *Cluster) labeledPort(ctx context.Context, l *logs, label string) (int, error) {
	fw, err := c.framework(ctx, l.request.Framework)
	if err != nil {
		return 0, err
	}
	for _, role := range fw.Spec.TaskRoles {
		if l.record.declaredRole(role.Name) != l.request.Role && role.Name != l.request.Role || l.task.AttemptStatus.PodUID == nil {
			continue
		}
		spec := portsOf(role)
		if spec.Ports[label].Count == 0 {
			return 0, cluster.NoPort(l.request.Role, l.request.Index, label, slices.Collect(maps.Keys(spec.Ports)))
		}
		return spec.Ports[label].Numbers(label, *l.task.AttemptStatus.PodUID, int(l.task.Index), spec.Start, spec.End)[0], nil
	}
	return 0, cluster.NoPort(l.request.Role, l.request.Index, label, nil)
}

func portsOf(role framework.TaskRole) contract.PortSpec {
	var spec contract.PortSpec
	err := json.Unmarshal([]byte(role.Task.Pod.Metadata.Annotations[contract.AnnotationPorts]), &spec)
	if err != nil || spec.End <= spec.Start {
		spec.Start, spec.End = contract.PortStart, contract.PortEnd
	}
	return spec
}
