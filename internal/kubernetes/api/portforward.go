// SPDX-License-Identifier: MPL-2.0

package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/portforward"
	"k8s.io/client-go/transport/spdy"
	"k8s.io/streaming/pkg/httpstream"
)

// DialPod connects to a port of a Pod through the API server. It does not open a
// local port, because other users could connect to that port.
func (c *Client) DialPod(ctx context.Context, pod string, port int) (net.Conn, error) {
	what := fmt.Sprintf("connect to port %d of Pod %s", port, pod)
	dialer, err := c.forwarder(pod)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	type answer struct {
		streams httpstream.Connection
		err     error
	}
	dialed := make(chan answer, 1)
	go func() { // Dial takes no context
		streams, _, err := dialer.Dial(portforward.PortForwardProtocolV1Name)
		dialed <- answer{streams, err}
	}()
	select {
	case a := <-dialed:
		if a.err != nil {
			return nil, explain(what, a.err)
		}
		conn, err := openPort(a.streams, port)
		if err != nil {
			return nil, explain(what, err)
		}
		return conn, nil
	case <-ctx.Done():
		go func() {
			if a := <-dialed; a.err == nil {
				_ = a.streams.Close()
			}
		}()
		return nil, ctx.Err()
	}
}

// forwarder returns a dialer for the ports of a Pod. The dialer uses WebSocket,
// or SPDY if the server or a proxy does not support WebSocket.
func (c *Client) forwarder(pod string) (httpstream.Dialer, error) {
	u := forwardURL(*c.host, Pods.Path(c.namespace, pod))
	transport, upgrader, err := spdy.RoundTripperFor(c.config)
	if err != nil {
		return nil, err
	}
	plain := spdy.NewDialerForStreaming(upgrader, &http.Client{Transport: transport}, http.MethodPost, u)
	socket, err := portforward.NewSPDYOverWebsocketDialerForStreaming(u, c.config)
	if err != nil {
		return nil, err
	}
	return portforward.NewFallbackDialerForStreaming(socket, plain, func(err error) bool {
		return httpstream.IsUpgradeFailure(err) || httpstream.IsHTTPSProxyError(err)
	}), nil
}

func forwardURL(host url.URL, pod string) *url.URL {
	host.Path = strings.TrimSuffix(host.Path, "/") + pod + "/portforward"
	return &host
}

// podConn is a connection to a Pod port.
type podConn struct {
	httpstream.Stream // the data
	streams           httpstream.Connection
	address           podAddress
	// The channel refused receives the kubelet's error if no process listens
	// on the port. readRefusal sends the error, and closes the channel when
	// the error stream ends.
	refused chan error
	timer   *time.Timer
	mu      sync.Mutex
}

var _ net.Conn = (*podConn)(nil)

func openPort(streams httpstream.Connection, port int) (net.Conn, error) {
	headers := http.Header{}
	headers.Set(corev1.PortHeader, strconv.Itoa(port))
	headers.Set(corev1.PortForwardRequestIDHeader, "0")
	headers.Set(corev1.StreamType, corev1.StreamTypeError)
	errs, err := streams.CreateStream(headers)
	if err == nil {
		_ = errs.Close() // DialPod does not write to the error stream
		headers.Set(corev1.StreamType, corev1.StreamTypeData)
		var data httpstream.Stream
		if data, err = streams.CreateStream(headers); err == nil {
			c := &podConn{Stream: data, streams: streams, address: podAddress(strconv.Itoa(port)), refused: make(chan error, 1)}
			go c.readRefusal(errs)
			return c, nil
		}
	}
	_ = streams.Close()
	return nil, err
}

func (c *podConn) readRefusal(errs io.Reader) {
	defer close(c.refused)
	text, _ := io.ReadAll(io.LimitReader(errs, 4096))
	if len(text) == 0 {
		return
	}
	err := errors.New(string(text))
	if strings.Contains(string(text), syscall.ECONNREFUSED.Error()) {
		err = fmt.Errorf("%w: %s", syscall.ECONNREFUSED, text)
	}
	c.refused <- err
}

// refusalTimeout limits how long Read waits for the reason why a connection
// ended.
const refusalTimeout = time.Second

// Read returns the kubelet's error if the connection was never established.
func (c *podConn) Read(p []byte) (int, error) {
	n, err := c.Stream.Read(p)
	if n > 0 || err == nil {
		return n, err
	}
	select {
	case reason, ok := <-c.refused:
		if ok {
			return 0, reason
		}
	case <-time.After(refusalTimeout):
	}
	return 0, err
}

// CloseWrite closes the sending side.
func (c *podConn) CloseWrite() error { return c.Stream.Close() }

// Close closes the connection to the port and the connection to the API
// server.
func (c *podConn) Close() error {
	_ = c.SetDeadline(time.Time{})
	_ = c.Reset()
	return c.streams.Close()
}

// SetDeadline implements net.Conn by closing the connection at the deadline.
func (c *podConn) SetDeadline(at time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
	if !at.IsZero() {
		c.timer = time.AfterFunc(time.Until(at), func() { _ = c.streams.Close() })
	}
	return nil
}

// SetReadDeadline implements net.Conn.
func (c *podConn) SetReadDeadline(at time.Time) error { return c.SetDeadline(at) }

// SetWriteDeadline implements net.Conn.
func (c *podConn) SetWriteDeadline(at time.Time) error { return c.SetDeadline(at) }

// LocalAddr implements net.Conn.
func (c *podConn) LocalAddr() net.Addr { return c.address }

// RemoteAddr implements net.Conn.
func (c *podConn) RemoteAddr() net.Addr { return c.address }

// podAddress is the address of a port in a Pod's network.
type podAddress string

// Network implements net.Addr.
func (podAddress) Network() string { return "pod" }

func (a podAddress) String() string { return "127.0.0.1:" + string(a) }
