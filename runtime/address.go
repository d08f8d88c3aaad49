package runtime

import (
	"cmp"
	"net"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// Variables that hold the addresses of a task, from the downward API. Without
// them the address is that of the first network interface.
const (
	envPodIP  = "PAI_POD_IP"
	envHostIP = "PAI_NODE_IP"
)

// Address returns what the environment and the system know of this task's own
// address.
func Address(getenv func(string) string) runspec.Host {
	h := runspec.Host{IP: getenv(envPodIP), HostIP: getenv(envHostIP)}
	if h.IP == "" {
		h.IP = interfaceAddress()
	}
	return h
}

// interfaceAddress is the first address that others may reach, or "".
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

// Self is the entry of a task in the table of all: its address, and ports that
// follow from the UID of its Pod where nobody chose them.
func Self(c Config) runspec.Host { return selfHost(&c) }

// selfHost completes the entry of this task: ports that nobody chose follow
// from the Pod's UID.
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
