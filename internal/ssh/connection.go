// SPDX-License-Identifier: MPL-2.0

//go:build unix

package ssh

import (
	"context"
	"sync"
	"syscall"
	"time"

	"golang.org/x/crypto/ssh"
)

// keepalive is the interval between keepalive requests. keepaliveTimeout is the
// time limit for the response to a request.
const (
	keepalive        = 30 * time.Second
	keepaliveTimeout = 60 * time.Second
)

// connection is the connection from a client that has logged in.
type connection struct {
	server *Server
	conn   *ssh.ServerConn
	ctx    context.Context // ends with the connection
	leave  context.CancelFunc
	once   sync.Once // for the log line

	mu        sync.Mutex
	listeners map[string]*remoteForward
	sessions  map[*session]bool
}

func newConnection(s *Server, conn *ssh.ServerConn) *connection {
	ctx, leave := context.WithCancel(context.Background())
	return &connection{
		server: s, conn: conn, ctx: ctx, leave: leave,
		listeners: map[string]*remoteForward{}, sessions: map[*session]bool{},
	}
}

func (c *connection) serve(channels <-chan ssh.NewChannel, requests <-chan *ssh.Request) {
	go c.answer(requests)
	go c.keepAlive()
	var open sync.WaitGroup
	for offered := range channels {
		open.Go(func() { c.channel(offered) })
	}
	c.leave()
	c.end(syscall.SIGHUP)
	c.stopForwards()
	open.Wait()
}

func (c *connection) channel(offered ssh.NewChannel) {
	switch offered.ChannelType() {
	case "session":
		c.once.Do(func() {
			c.server.Log(c.origin())
		})
		c.serveSession(offered)
	case "direct-tcpip":
		c.forward(offered)
	default:
		_ = offered.Reject(ssh.UnknownChannelType, "this server supports only sessions and TCP port forwarding")
	}
}

// origin describes the client of a session for the log.
func (c *connection) origin() string {
	if c.conn.RemoteAddr().Network() == "unix" {
		return "session from the local user"
	}
	return "ssh session from " + c.conn.RemoteAddr().String() + " with the key " + c.conn.Permissions.Extensions[extensionKey]
}

func (c *connection) answer(requests <-chan *ssh.Request) {
	for r := range requests {
		switch r.Type {
		case "tcpip-forward":
			c.listen(r)
		case "cancel-tcpip-forward":
			c.cancelListen(r)
		case readyRequest:
			go c.ready(r)
		default: // such as keepalive@openssh.com, for which any reply is sufficient
			reply(r, false, nil)
		}
	}
}

func reply(r *ssh.Request, ok bool, payload []byte) {
	if r.WantReply {
		_ = r.Reply(ok, payload) // fails if the connection is closed
	}
}

// keepAlive closes a connection whose client no longer responds.
func (c *connection) keepAlive() {
	for tick := time.NewTicker(keepalive); ; {
		select {
		case <-c.ctx.Done():
			tick.Stop()
			return
		case <-tick.C:
		}
		lost := time.AfterFunc(keepaliveTimeout, func() { _ = c.conn.Close() })
		_, _, _ = c.conn.SendRequest("keepalive@openssh.com", true, nil)
		lost.Stop()
	}
}

// end sends a signal to all sessions and closes the connection.
func (c *connection) end(signal syscall.Signal) {
	c.mu.Lock()
	for s := range c.sessions {
		s.terminate(signal)
	}
	c.mu.Unlock()
	_ = c.conn.Close()
}
