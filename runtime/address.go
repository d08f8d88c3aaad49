// SPDX-License-Identifier: MPL-2.0

package runtime

import (
	"cmp"
	"net"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// Environment variables with the addresses of a task. The downward API sets these
// variables. If they are unset, [Address] uses the first network interface.
const (
	envPodIP  = "PAI_POD_IP"
	envHostIP = "PAI_NODE_IP"
)

// Address returns the address of this task, from the environment or from the
// network interfaces.
func Address(getenv func(string) string) runspec.Host {
	h := runspec.Host{IP: getenv(envPodIP), HostIP: getenv(envHostIP)}
	if h.IP == "" {
		h.IP = interfaceAddress()
	}
	return h
}

// interfaceAddress returns the first address that other hosts can reach, or "".
func interfaceAddress() string {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return ""
	}
	for _, a := range all {
		if ip, ok := a.(*net.IPNet); ok && ip.IP.IsGlobalUnicast() {
			return ip.IP.String()
		}
	}
	return ""
}

// Self returns this task's entry in the host table, with the address and the ports.
// Self computes unset ports from the UID of the task's Pod.
func Self(c Config) runspec.Host { return selfHost(&c) }

// selfHost returns the value for [Self]. It computes unset ports from the Pod's
// UID.
func selfHost(c *Config) runspec.Host {
	h := c.Self
	h.Role, h.Index = c.Spec.Role, c.Index
	h.HostIP = cmp.Or(h.HostIP, h.IP)
	if h.Ports != nil || c.Spec.PortEnd <= c.Spec.PortStart {
		return h
	}
	h.Ports = map[string][]int{}
	for _, r := range c.Spec.Roles {
		if r.Name != c.Spec.Role {
			continue
		}
		for _, p := range r.Ports {
			h.Ports[p.Label] = contract.PortCount{Count: p.Count, Start: p.First}.Numbers(p.Label, c.PodUID, c.Index, c.Spec.PortStart, c.Spec.PortEnd)
		}
	}
	return h
}
