// SPDX-License-Identifier: MPL-2.0

package barrier

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// Hosts converts t to the host table from which the runtime computes
// variables. Hosts computes the ports from the Pod UIDs.
func (t *Table) Hosts(spec *runspec.Spec) *runspec.Hosts {
	hosts := &runspec.Hosts{Tasks: []runspec.Host{}}
	ports := map[string][]runspec.Port{}
	for _, r := range spec.Roles {
		ports[r.Name] = r.Ports
	}
	for _, r := range t.Roles {
		for _, m := range r.Members {
			h := runspec.Host{Role: r.Name, Index: m.Index, IP: m.IP, HostIP: m.IP, Ports: map[string][]int{}}
			if spec.PortEnd > spec.PortStart {
				for _, p := range ports[r.Name] {
					h.Ports[p.Label] = contract.PortCount{Count: p.Count, Start: p.First}.Numbers(p.Label, m.PodUID, m.Index, spec.PortStart, spec.PortEnd)
				}
			}
			hosts.Tasks = append(hosts.Tasks, h)
		}
	}
	return hosts
}

// Parse reads the table from the JSON of a Framework. It includes only tasks
// that have an address. Source: microsoft/openpai-runtime:
// src/init.d/framework_parser.py.
func Parse(text []byte) (*Table, error) {
	var f frameworkObject
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, fmt.Errorf("read a Framework: %w", err)
	}
	v, err := f.snapshot("")
	if err != nil {
		return nil, err
	}
	for i, r := range f.Spec.TaskRoles {
		v.table.Roles[i].Tasks = r.TaskNumber
		annotation := r.Task.Pod.Metadata.Annotations[contract.AnnotationPorts]
		if annotation == "" {
			continue
		}
		ports := &contract.PortSpec{}
		if err := json.Unmarshal([]byte(annotation), ports); err != nil {
			return nil, fmt.Errorf("read the ports of role %s: %w", r.Name, err)
		}
		if err := checkPorts(ports); err != nil {
			return nil, fmt.Errorf("role %s %w", r.Name, err)
		}
		v.table.Roles[i].Ports = ports
	}
	return v.table, nil
}

// maxPorts is the maximum number of ports under one label. Real tasks request far
// fewer ports.
const maxPorts = 1000

// checkPorts rejects an invalid port specification. It accepts a
// specification without ports, because older formats contain none.
func checkPorts(p *contract.PortSpec) error {
	if len(p.Ports) == 0 {
		return nil
	}
	start, end := cmp.Or(p.Start, contract.PortStart), cmp.Or(p.End, contract.PortEnd)
	if start < 1 || end <= start || end > 1<<16 {
		return fmt.Errorf("has the invalid port range %d to %d", start, end)
	}
	for label, n := range p.Ports {
		if n.Count < 0 || n.Count > maxPorts {
			return fmt.Errorf("requests %d ports with the label %q; the number must be between 0 and 1000", n.Count, label)
		}
		if n.Start < 0 || n.Start >= 1<<16 {
			return fmt.Errorf("has the invalid first port %[2]d for the label %[1]q", label, n.Start)
		}
	}
	return nil
}

// FrameworkJSON returns the table in the format of a Framework. Programs may depend
// on the framework.json that the original barrier writes. It omits the commands and
// environments of the roles.
func (t *Table) FrameworkJSON(name string, spec *runspec.Spec) []byte {
	type object = map[string]any
	var roles, statuses []object
	annotations := map[string]string{}
	for _, r := range spec.Roles {
		p := contract.PortSpec{Start: spec.PortStart, End: spec.PortEnd, Ports: map[string]contract.PortCount{}}
		for _, port := range r.Ports {
			p.Ports[port.Label] = contract.PortCount{Count: port.Count, Start: port.First}
		}
		annotations[r.Name] = p.String()
	}
	for _, r := range t.Roles {
		var tasks []object
		for _, m := range r.Members {
			tasks = append(tasks, object{"index": m.Index, "attemptStatus": object{"podUID": m.PodUID, "podIP": m.IP, "podHostIP": m.NodeIP}})
		}
		pod := object{"metadata": object{"annotations": object{contract.AnnotationPorts: annotations[r.Name]}}}
		roles = append(roles, object{"name": r.Name, "taskNumber": len(r.Members), "task": object{"pod": pod}})
		statuses = append(statuses, object{"name": r.Name, "taskStatuses": tasks})
	}
	text, err := json.Marshal(object{
		"apiVersion": "frameworkcontroller.microsoft.com/v1", "kind": "Framework", "metadata": object{"name": name},
		"spec": object{"taskRoles": roles}, "status": object{"attemptStatus": object{"taskRoleStatuses": statuses}},
	})
	if err != nil {
		panic("barrier: " + err.Error())
	}
	return append(text, '\n')
}

// Injector returns the injector script of the original barrier. For every role, the
// script exports the IP addresses as FB_<ROLE>_IPS. If the caller sets
// FB_<ROLE>_PORT, the script also exports FB_<ROLE>_ADDRESSES: the IP addresses,
// each followed by that port. Source: microsoft/frameworkcontroller:
// pkg/barrier/barrier.go.
func (t *Table) Injector() []byte {
	var b strings.Builder
	b.WriteString("#!/bin/sh\n")
	for _, r := range t.Roles {
		role := strings.ToUpper(r.Name)
		ips := make([]string, len(r.Members))
		addresses := make([]string, len(r.Members))
		for i, m := range r.Members {
			ips[i] = m.IP
			addresses[i] = m.IP + ":${FB_" + role + "_PORT}"
		}
		fmt.Fprintf(&b, "\nexport FB_%s_IPS=%s\necho \"FB_%s_IPS=${FB_%s_IPS}\"\n", role, strings.Join(ips, ","), role, role)
		fmt.Fprintf(&b, "if [ -n \"${FB_%s_PORT:-}\" ]; then\n  export FB_%s_ADDRESSES=\"%s\"\n  echo \"FB_%s_ADDRESSES=${FB_%s_ADDRESSES}\"\nfi\n",
			role, role, strings.Join(addresses, ","), role, role)
	}
	return []byte(b.String())
}
