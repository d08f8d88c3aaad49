// SPDX-License-Identifier: MPL-2.0

package check

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// portTimeout is how long a port must be in use before the check fails. The check
// waits because another Pod's check may bind the port briefly. portInterval is
// the time between two attempts.
const (
	portTimeout  = 500 * time.Millisecond
	portInterval = 20 * time.Millisecond
)

// Ports checks that every port can be bound, with TCP and UDP, on all IPv4 and IPv6
// addresses. The error lists all ports in use and all ports requested twice.
func Ports(ctx context.Context, ports []int) error {
	var errs []error
	seen := map[int]bool{}
	for _, p := range slices.Sorted(slices.Values(ports)) {
		if seen[p] {
			errs = append(errs, fmt.Errorf("port %d is assigned to two labels of this task", p))
			continue
		}
		seen[p] = true
		errs = append(errs, waitAvailable(ctx, p))
	}
	return errors.Join(errs...)
}

func waitAvailable(ctx context.Context, port int) error {
	ctx, cancel := context.WithTimeout(ctx, portTimeout)
	defer cancel()
	for {
		err := portAvailable(port)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(portInterval):
		}
	}
}

// portAvailable binds a port briefly. It also detects a port that is bound
// but has no listener.
func portAvailable(port int) error {
	ctx := context.Background() // binding does not block
	c := net.ListenConfig{Control: exclusive}
	for _, network := range []string{"tcp4", "tcp6", "udp4", "udp6"} {
		address := net.JoinHostPort("", strconv.Itoa(port))
		var err error
		var held interface{ Close() error }
		if network[:3] == "tcp" {
			held, err = c.Listen(ctx, network, address)
		} else {
			held, err = c.ListenPacket(ctx, network, address)
		}
		switch {
		case err == nil:
			_ = held.Close()
		case errors.Is(err, syscall.EADDRINUSE):
			return fmt.Errorf("port %d is in use on this node (%s)", port, network[:3])
		}
		// Any other error means that the node does not support the address
		// family, or that only root may bind the port.
	}
	return nil
}

// PortsIn returns the port numbers in a list that has the format of
// PAI_CONTAINER_HOST_PORT_LIST: "ssh:30000;http:30001,30002;". A label may consist
// of digits.
func PortsIn(list string) []int {
	list = strings.TrimSpace(list)
	if _, value, found := strings.Cut(list, "PAI_CONTAINER_HOST_PORT_LIST="); found {
		list, _, _ = strings.Cut(value, "\n")
	}
	list = strings.Trim(list, `'"`)
	var ports []int
	for entry := range strings.SplitSeq(list, ";") {
		_, numbers, found := strings.Cut(entry, ":")
		if !found {
			continue
		}
		for text := range strings.SplitSeq(numbers, ",") {
			if n, err := strconv.Atoi(strings.TrimSpace(text)); err == nil {
				ports = append(ports, n)
			}
		}
	}
	return ports
}
