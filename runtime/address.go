package runtime

import (
	"net"

	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// Variables that tell a task its addresses, from the downward API. Without
// them the address is that of the first network interface.
const (
	envPodIP  = "PAI_POD_IP"
	envHostIP = "PAI_NODE_IP"
)

// Address returns what the environment and the system tell of this task's own
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
