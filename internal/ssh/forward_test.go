// SPDX-License-Identifier: MPL-2.0

//go:build unix

package ssh

import (
	"io"
	"net"
	"strings"
	"testing"
)

// echo starts a server that sends the complete input back in upper case. The
// client must first close the write side of the connection.
func echo(t *testing.T, l net.Listener) {
	t.Helper()
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				text, _ := io.ReadAll(conn)
				_, _ = io.WriteString(conn, strings.ToUpper(string(text)))
				_ = conn.Close()
			}()
		}
	}()
}

// talk sends text, closes the write side and returns the response.
func talk(t *testing.T, conn net.Conn, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, "hello"); err != nil {
		t.Fatal(err)
	}
	if err := conn.(interface{ CloseWrite() error }).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(conn)
	if err != nil {
		t.Fatal(err)
	}
	return string(answer)
}

func TestLocalForwardingReachesAPortOfTheTask(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	echo(t, l)
	client := h.client()
	conn, err := client.Dial("tcp", l.Addr().String())
	if got := talk(t, conn, err); got != "HELLO" {
		t.Errorf("answer %q", got)
	}
	_ = l.Close()
	if _, err := client.Dial("tcp", l.Addr().String()); err == nil || !strings.Contains(err.Error(), "refused") {
		t.Errorf("a port without a listener: %v", err)
	}
}

func TestRemoteForwardingListensOnlyOnLoopback(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	client := h.client()
	l, err := client.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	echo(t, l)
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", "127.0.0.1:"+port)
	if got := talk(t, conn, err); got != "HELLO" {
		t.Errorf("answer %q", got)
	}
	for _, other := range addresses(t) {
		if _, err := net.Dial("tcp", net.JoinHostPort(other, port)); err == nil {
			t.Errorf("the port is also open at %s", other)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := net.Dial("tcp", "127.0.0.1:"+port); err == nil {
		t.Error("the port is still open after the release")
	}
}

// addresses returns local addresses that other hosts can reach.
func addresses(t *testing.T) []string {
	t.Helper()
	all, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, a := range all {
		if ip, ok := a.(*net.IPNet); ok && ip.IP.IsGlobalUnicast() {
			found = append(found, ip.IP.String())
		}
	}
	return found
}

func TestPortsEndWithTheConnection(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	client := h.client()
	l, err := client.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	_ = client.Close()
	h.eventually("the port is closed", func() bool {
		conn, err := net.Dial("tcp", addr)
		if err == nil {
			_ = conn.Close()
		}
		return err != nil
	})
}
