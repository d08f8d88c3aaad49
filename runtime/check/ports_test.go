// SPDX-License-Identifier: MPL-2.0

package check

import (
	"net"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The check detects every port in use, regardless of how a program uses the port.
func TestPortsThatAreNotFreeAreFound(t *testing.T) {
	t.Parallel()
	tcp := func(network, address string) func(t *testing.T) int {
		return func(t *testing.T) int {
			l, err := net.Listen(network, address)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = l.Close() })
			return l.Addr().(*net.TCPAddr).Port
		}
	}
	udp := func(address string) func(t *testing.T) int {
		return func(t *testing.T) int {
			l, err := net.ListenPacket("udp", address)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = l.Close() })
			return l.LocalAddr().(*net.UDPAddr).Port
		}
	}
	for name, hold := range map[string]func(t *testing.T) int{
		"a listener on every address":   tcp("tcp", ":0"),
		"a listener on loopback":        tcp("tcp4", "127.0.0.1:0"),
		"a listener on IPv6 alone":      tcp("tcp6", "[::1]:0"),
		"a socket for datagrams":        udp("127.0.0.1:0"),
		"a socket for IPv6 datagrams":   udp("[::1]:0"),
		"bound but not listening (TCP)": boundOnly,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			port := hold(t)
			err := Ports(t.Context(), []int{port})
			if err == nil || !strings.Contains(err.Error(), "port "+strconv.Itoa(port)+" is in use on this node") {
				t.Errorf("port %d: %v", port, err)
			}
		})
	}
}

// boundOnly binds a port without listening, like a client that is establishing a
// connection.
func boundOnly(t *testing.T) int {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Close(fd) })
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	name, err := syscall.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	return name.(*syscall.SockaddrInet4).Port
}

func TestFreePortsPassUnlessTheyRepeat(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	_ = l.Close()
	if err := Ports(t.Context(), []int{port}); err != nil {
		t.Error(err)
	}
	if err := Ports(t.Context(), []int{port, port}); err == nil || !strings.Contains(err.Error(), "two labels") {
		t.Errorf("twice: %v", err)
	}
	if err := Ports(t.Context(), nil); err != nil {
		t.Error(err)
	}
}

func TestAPortThatIsLetGoIsFree(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(3*portInterval, func() { _ = l.Close() })
	if err := Ports(t.Context(), []int{l.Addr().(*net.TCPAddr).Port}); err != nil {
		t.Error(err)
	}
}

func TestPortsAreReadFromAList(t *testing.T) {
	t.Parallel()
	for list, want := range map[string][]int{
		"":                            nil,
		"ssh:30000;http:30001,30002;": {30000, 30001, 30002},
		"8080:30000;":                 {30000}, // a label of digits is not a port
		"export A='1'\nexport PAI_CONTAINER_HOST_PORT_LIST='ssh:1;http:2;'\nexport B='3:4;'\n": {1, 2},
	} {
		if got := PortsIn(list); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", list, got, want)
		}
	}
}
